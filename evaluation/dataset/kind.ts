/** Which kind of answer a question wants. Pure. */
import { z } from 'zod';
import { isClaimClass, saysNotEnough } from '../metrics/fact-label.js';
import type { Line } from './line.js';
import type { ReferenceAnswers } from './read-answers.js';
import { ANSWER_KINDS, type AnswerKind } from './record.js';

const BOOLEAN: ReadonlySet<string> = new Set(['yes', 'no', 'true', 'false']);

/** Tasks whose lines do not show their kind. */
const TASKS: readonly [kind: AnswerKind, names: RegExp][] = [
  ['long', /^(?:asqa|eli5|expertqa|wow|wizardofwikipedia|dialog|dialogue|lfqa|long)$/],
  ['list', /^(?:qampari|quest|romqa|list)$/],
  ['label', /^(?:fever|fm2|foolmetwice|feverous|factchecking|factverification|label)$/],
  ['boolean', /^(?:strategyqa|boolq|boolean)$/],
];

const kind = z.enum(ANSWER_KINDS);

/** What the line says itself; else the `task` it names, or its reader; else what it brings. */
export function kindOf(
  line: Line,
  reference: Omit<ReferenceAnswers, 'isList'>,
  { isList, task }: { isList: boolean; task?: string | undefined },
): AnswerKind {
  const said = line.take(kind, 'answerKind');
  const { answers, answerGroups, longAnswers, claims, label } = reference;
  const named = line.find('task')?.value ?? task;
  const name = typeof named === 'string' ? named.toLowerCase().replace(/[^a-z0-9]/g, '') : '';
  const ofTask = TASKS.find(([, names]) => names.test(name))?.[0];
  if (said ?? ofTask) return said ?? ofTask ?? 'span';
  if (isList) return 'list';
  // Short answers beside reference texts are what is asked for (Natural Questions, BioASQ).
  if (claims || answerGroups || (longAnswers && answers.length === 0)) return 'long';
  const plain = answers.map((answer) => answer.toLowerCase());
  const isClass = line.find('claim') ? saysNotEnough : () => false;
  if (label !== undefined || plain.some((answer) => isClaimClass(answer) || isClass(answer))) {
    return 'label';
  }
  return plain.length > 0 && plain.every((answer) => BOOLEAN.has(answer)) ? 'boolean' : 'span';
}
