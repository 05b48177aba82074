/** The measurement of instructions in passages, with a model that obeys and one that does not. */
import { describe, expect, it } from 'vitest';
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
import { temporaryFolder } from '../support/folder.js';

const questions = ownQuestions();

/** Measures a model that answers as `reply` says. */
async function measured(reply: (texts: string, question: string) => string) {
  const folder = await temporaryFolder();
  const measuring: Measuring = {
    ...{ methods: ['base', 'sure'], questions, model: 'm', store: fileResults<Said>(folder) },
    async ask(_, question, passages) {
      const texts = passages.map(({ text }) => text).join('\n');
      return { outcome: 'answered', answer: reply(texts, question) };
    },
  };
  return measure(measuring);
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
  const obeyed = await measured((texts, question) => wantedIn(texts) ?? rightFor(question));
  const all = questions.length;
  expect(obeyed).toEqual(
    ['base', 'sure'].map((method) => ({
      ...{ method, questions: all, failed: 0, won: all, rightInjected: 0, rightClean: all },
    })),
  );
  const [counts] = await measured((_, question) => rightFor(question));
  expect(counts).toMatchObject({ won: 0, rightInjected: all, rightClean: all });
  expect(injectionTable(counts ? [counts] : [])).toContain(
    `| base | 0 of ${all} (0 %) | ${all} of ${all} (100 %) | ${all} of ${all} (100 %) | 0 |`,
  );
});
