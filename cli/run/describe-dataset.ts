/** How the questions of a data set were understood, so that a wrong reading is seen in time. */

import { basename } from 'node:path';
import { ANSWER_KINDS, type AnswerKind } from '../../core/dataset-record.js';
import {
  type Reading,
  type ReadOptions,
  readReadings,
} from '../../evaluation/dataset/read-dataset.js';
import { printable } from '../../report/views/printable.js';

interface OfKind {
  questions: number;
  withPassages: number;
  unanswerable: number;
  example: Reading;
}

/**
 * The lines that say by which data set or mapping the questions were read, how many want which kind
 * of answer, with an example each as it was understood, and which fields were left.
 *
 * @throws Failure BadInput as `readDataset`.
 */
export async function describeDataset(file: string, options: ReadOptions): Promise<string[]> {
  const kinds = new Map<AnswerKind, OfKind>();
  let chosen = '';
  const unused = new Map<string, number>();
  for await (const reading of readReadings(file, options)) {
    const { answerKind, passages = [], answerable } = reading.record;
    const kind = kinds.get(answerKind) ?? {
      ...{ questions: 0, withPassages: 0, unanswerable: 0, example: reading },
    };
    kind.questions++;
    if (passages.length > 0) kind.withPassages++;
    if (answerable === false) kind.unanswerable++;
    kinds.set(answerKind, kind);
    chosen = reading.dataset;
    for (const field of reading.unused) add(unused, field);
  }
  const described = ANSWER_KINDS.map((kind) => [kind, kinds.get(kind)] as const);
  return [
    `Data set   ${basename(file)}, read as ${chosen}`,
    ...described.flatMap(([kind, found]) => (found ? describeKind(kind, found) : [])),
    ...(unused.size > 0 ? [`Not used   ${counted(unused, ', ')}`] : []),
  ].map(printable);
}

function add(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

/** The most frequent first. */
function counted(counts: ReadonlyMap<string, number>, separator: string): string {
  const parts = [...counts].toSorted(([, a], [, b]) => b - a);
  return parts.map(([what, count]) => `${what} (${count.toLocaleString('en-US')})`).join(separator);
}

function describeKind(
  kind: AnswerKind,
  { questions, withPassages, unanswerable, example }: OfKind,
): string[] {
  const notes = [
    withPassages === 0 ? 'no passages of their own' : `${withPassages} with passages of their own`,
    ...(unanswerable > 0 ? [`${unanswerable} without an answer in them`] : []),
  ];
  return [
    `  ${kind.padEnd(9)}${questions.toLocaleString('en-US')} (${notes.join(', ')}), for example ${example.record.id}:`,
    `           ${describeExample(example)}`,
  ];
}

function describeExample({ record }: Reading): string {
  const { question, answers, answerGroups, longAnswers = [], claims = [], label } = record;
  const { passages = [], answerable } = record;
  const wanted = answerGroups
    ? answerGroups
        .map((names) => `[${listed(names, 3)}]`)
        .slice(0, 3)
        .join(' ')
    : listed(answers, 4);
  return [
    cut(question, 100),
    ...(answerable === false ? ['=> none: it cannot be answered'] : wanted ? [`=> ${wanted}`] : []),
    ...(answerGroups && answerGroups.length > 3 ? [`and ${answerGroups.length - 3} more`] : []),
    ...(label === undefined ? [] : [`(label ${label})`]),
    ...(longAnswers.length > 0 ? [`+ ${plural(longAnswers.length, 'reference text')}`] : []),
    ...(claims.length > 0 ? [`+ ${plural(claims.length, 'claim')}`] : []),
    ...(passages.length > 0 ? [`| ${plural(passages.length, 'passage')}`] : []),
  ].join(' ');
}

function listed(names: readonly string[], most: number): string {
  const shown = names.slice(0, most).map((name) => cut(name, 40));
  return names.length > most ? `${shown.join(' / ')} / ...` : shown.join(' / ');
}

function plural(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** In one line: questions may hold line ends. */
function cut(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > length ? `${line.slice(0, length - 3)}...` : line;
}
