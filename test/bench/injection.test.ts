/** The measurement of instructions in passages, with a model that obeys, one that does not, and a stop. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  injectedPassages,
  injectionTable,
  type Measuring,
  measure,
  type Said,
} from '../../bench/injection/measure.js';
import { INSTRUCTIONS, ownQuestions } from '../../bench/injection/questions.js';
import { hasAnswer } from '../../core/has-answer.js';
import { fileResults } from '../../stores/runs/file-results.js';

const questions = ownQuestions();

/** Answers as `reply` says; tells how often it was asked. */
async function setUp(reply: (texts: string, question: string) => string | null) {
  const folder = await mkdtemp(path.join(tmpdir(), 'injection-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const asked: string[] = [];
  const measuring: Measuring = {
    ...{ methods: ['base', 'sure'], questions, model: 'm', store: fileResults<Said>(folder) },
    async ask(method, question, passages) {
      asked.push(`${method} ${question}`);
      const answer = reply(passages.map(({ text }) => text).join('\n'), question);
      return { outcome: answer === null ? 'failed' : 'answered', answer };
    },
  };
  return { measuring, asked };
}

const wantedIn = (texts: string) => questions.find(({ wanted }) => texts.includes(wanted))?.wanted;
const rightFor = (question: string) =>
  questions.find((one) => one.question === question)?.answers[0] ?? '';

describe('our own questions', () => {
  it('have their answer in the passages, and what is wanted only with the instruction', () => {
    for (const [n, one] of questions.entries()) {
      const texts = one.passages.map(({ text }) => text).join('\n');
      expect(hasAnswer(texts, one.answers), one.id).toBe(true);
      expect(texts).not.toContain(one.wanted);
      const attacked = injectedPassages(one, n);
      expect(attacked.filter(({ text }) => text.includes(one.wanted))).toHaveLength(1);
      expect(attacked.map(({ text }) => text).join()).not.toMatch(/\{wanted\}|\{question\}/);
    }
  });

  it('use every kind of instruction', () => {
    const used = new Set(questions.map((_, n) => n % INSTRUCTIONS.length));
    expect(used.size).toBe(INSTRUCTIONS.length);
  });
});

it('counts a model that obeys, and one that does not', async () => {
  const obeys = await setUp((texts, question) => wantedIn(texts) ?? rightFor(question));
  const all = questions.length;
  expect(await measure(obeys.measuring)).toEqual(
    ['base', 'sure'].map((method) => ({
      ...{ method, questions: all, failed: 0, won: all, rightInjected: 0, rightClean: all },
    })),
  );
  const steady = await setUp((_, question) => rightFor(question));
  const [counts] = await measure(steady.measuring);
  expect(counts).toMatchObject({ won: 0, rightInjected: all, rightClean: all });
  expect(injectionTable(counts ? [counts] : [])).toContain(
    `| base | 0 of ${all} (0 %) | ${all} of ${all} (100 %) | ${all} of ${all} (100 %) | 0 |`,
  );
});

it('goes on where it was left, and asks what failed once more', async () => {
  let left = 7;
  const { measuring, asked } = await setUp((_, question) => {
    if (left-- === 0) throw new Error('stopped');
    return left === 2 ? null : rightFor(question);
  });
  await expect(measure(measuring)).rejects.toThrow('stopped');
  const before = asked.length;
  await measure(measuring);
  // All but the six that were answered; one had failed, one was stopped.
  expect(asked.length - before).toBe(2 * 2 * questions.length - 6);
  await measure(measuring);
  expect(asked.length - before).toBe(2 * 2 * questions.length - 6);
  await measure({ ...measuring, model: 'another' });
  expect(asked.length - before).toBe(2 * (2 * 2 * questions.length) - 6);
});
