/** Reads one line of a data set into a record. Pure. */
import { createHash } from 'node:crypto';
import type { AnswerKind, DatasetRecord } from './record.js';
import { type DatasetLine, schemaFor } from './shapes.js';

/** What is wrong with a line, beginning with the field. */
export type LineProblem = { problem: string };

export interface RecordOptions {
  /**
   * Whether a question without an answer, reference text or claim is refused: nothing could be
   * scored. @default true
   */
  scorable?: boolean;
}

/** The record of a parsed JSON line, or what is wrong with it. */
export function readRecord(
  value: unknown,
  { scorable = true }: RecordOptions = {},
): DatasetRecord | LineProblem {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problem: 'the line: no JSON object' };
  }
  const parsed = schemaFor(value).safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { problem: `${issue?.path.join('.') || 'the line'}: ${issue?.message}` };
  }
  const line = parsed.data;
  if (scorable && ![line.answers, line.claims, line.longAnswers].some((some) => some?.length)) {
    return { problem: 'answers: there is none to compare with' };
  }
  return {
    ...line,
    id: line.id ?? contentId(line),
    answerKind: line.answerKind ?? kindOf(line),
  };
}

/** The same question with the same answers has the same id in every file, whatever its passages. */
function contentId({ question, answers }: DatasetLine): string {
  const content = JSON.stringify([question, answers]);
  return `q-${createHash('sha256').update(content).digest('hex').slice(0, 16)}`;
}

const BOOLEAN: ReadonlySet<string> = new Set(['yes', 'no', 'true', 'false']);
const LABEL: ReadonlySet<string> = new Set(['supports', 'refutes', 'not enough info']);

function kindOf({ answers, answerGroups, longAnswers, claims, label }: DatasetLine): AnswerKind {
  if (claims || longAnswers || answerGroups) return 'long';
  const plain = answers.map((answer) => answer.toLowerCase());
  if (label !== undefined || plain.some((answer) => LABEL.has(answer))) return 'label';
  return plain.length > 0 && plain.every((answer) => BOOLEAN.has(answer)) ? 'boolean' : 'span';
}
