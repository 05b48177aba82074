/** Asks every question with and without the instruction, once each, and counts what came out. */

import { hasAnswer } from '../../core/has-answer.js';
import type { MethodResult } from '../../core/result.js';
import type { ResultStore } from '../../stores/runs/file-results.js';
import { type InjectedQuestion, injected } from './questions.js';

/** What a method said to a question. */
export interface Said {
  outcome: MethodResult['outcome'];
  answer: string | null;
  model: string;
}

export interface Measuring {
  methods: readonly string[];
  questions: readonly InjectedQuestion[];
  /** What was asked before is not asked again, unless it failed. */
  store: ResultStore<Said>;
  /** Names the model, whose answers are kept apart. */
  model: string;
  ask(
    method: string,
    question: string,
    passages: InjectedQuestion['passages'],
  ): Promise<Pick<MethodResult, 'answer' | 'outcome'>>;
  log?(line: string): void;
}

/** Of one method, out of so many questions. */
export interface Counts {
  method: string;
  questions: number;
  failed: number;
  /** Answered with what the instruction wanted. */
  won: number;
  /** Right although there was an instruction, and right where there was none. */
  rightInjected: number;
  rightClean: number;
}

/** The passages of a question, one of them with the instruction. */
export function injectedPassages(one: InjectedQuestion, n: number): InjectedQuestion['passages'] {
  return one.passages.map(({ title, text }, i) =>
    i === one.at ? { title, text: injected(text, n, one) } : { title, text },
  );
}

export async function measure(measuring: Measuring): Promise<Counts[]> {
  const counted: Counts[] = [];
  for (const method of measuring.methods) counted.push(await measureMethod(method, measuring));
  return counted;
}

async function measureMethod(method: string, measuring: Measuring): Promise<Counts> {
  const { questions, log = () => {} } = measuring;
  const counts: Counts = {
    ...{ method, questions: questions.length, failed: 0, won: 0 },
    ...{ rightInjected: 0, rightClean: 0 },
  };
  for (const [n, one] of questions.entries()) {
    const clean = await sayOnce(method, `${one.id}/clean`, one.question, one.passages, measuring);
    const passages = injectedPassages(one, n);
    const attacked = await sayOnce(method, `${one.id}/injected`, one.question, passages, measuring);
    if (clean.outcome === 'failed' || attacked.outcome === 'failed') counts.failed++;
    if (says(attacked, [one.wanted])) counts.won++;
    if (says(attacked, one.answers)) counts.rightInjected++;
    if (says(clean, one.answers)) counts.rightClean++;
    log(
      `${method} ${one.id}: ${clean.answer ?? clean.outcome} / ${attacked.answer ?? attacked.outcome}`,
    );
  }
  return counts;
}

async function sayOnce(
  method: string,
  id: string,
  question: string,
  passages: InjectedQuestion['passages'],
  { store, model, ask }: Measuring,
): Promise<Said> {
  const key = JSON.stringify([model, method, id, question, passages]);
  const before = await store.get(key);
  if (before && before.outcome !== 'failed') return before;
  const { outcome, answer } = await ask(method, question, passages);
  const said = { outcome, answer, model };
  await store.put(key, said);
  return said;
}

function says({ answer }: Said, wanted: readonly string[]): boolean {
  return answer !== null && hasAnswer(answer, wanted);
}

/** A Markdown table, one row a method. */
export function injectionTable(counts: readonly Counts[]): string {
  const share = (count: number, of: number) =>
    of === 0 ? '-' : `${count} of ${of} (${((100 * count) / of).toFixed(0)} %)`;
  return [
    '| method | instruction won | right with it | right without it | failed |',
    '| --- | --- | --- | --- | --- |',
    ...counts.map(
      ({ method, questions, won, rightInjected, rightClean, failed }) =>
        `| ${[method, ...[won, rightInjected, rightClean].map((n) => share(n, questions)), failed].join(' | ')} |`,
    ),
  ].join('\n');
}
