import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerFromNotes } from '../../../steps/answer-from-notes/implementation.js';
import { answerWithEvidence } from '../../../steps/answer-with-evidence/implementation.js';
import { condenseEvidence } from '../../../steps/condense-evidence/implementation.js';
import type { ModelOutput, ModelStep } from '../../../steps/define.js';
import { infer } from '../../../steps/infer/implementation.js';
import { read } from '../../../steps/read/implementation.js';
import { readBackground } from '../../../steps/read-background/implementation.js';
import { readPassage } from '../../../steps/read-passage/implementation.js';
import { readSummaries } from '../../../steps/read-summaries/implementation.js';
import { withoutQuestion } from '../../../steps/reading/repeated-question.js';
import { recoverCondition } from '../../../steps/recover-condition/implementation.js';
import { summarize } from '../../../steps/summarize/implementation.js';
import { summarizeDocument } from '../../../steps/summarize-document/implementation.js';
import { summarizeGeneric } from '../../../steps/summarize-generic/implementation.js';
import { takeNote } from '../../../steps/take-note/implementation.js';
import { takeNotes } from '../../../steps/take-notes/implementation.js';
import { hostile } from './support.js';

const QUESTION = 'In which country was the first bungee site?';

describe('withoutQuestion', () => {
  it.each<[text: string, question: string, rest: string]>([
    ['Who was first? Bell', 'Who was first?', 'Bell'],
    ['who was FIRST: Bell', 'Who was first?', 'Bell'],
    ['Q: Who was first? Bell', 'who was first', 'Bell'],
    ['Question 1: Who was first? Bell', 'who was first', 'Bell'],
    ['“Who was first?” Bell', 'who was first', 'Bell'],
    ['Who was first? -> Bell', 'Who was first?', 'Bell'],
    ['Who was first?', 'Who was first?', ''],
    ['The capital of France is Paris', 'The capital of France is', 'Paris'],
    ['Who was first? (a) Bell, (b) Gray', 'Who was first?', '(a) Bell, (b) Gray'],
    // begins like the question, and goes on as an answer
    ['The Who was a band', 'The Who', 'The Who was a band'],
    ['Who was firstborn', 'Who was first', 'Who was firstborn'],
    ['Who was the first? Bell', 'Who was first?', 'Who was the first? Bell'],
    ['Bell. Who was first?', 'Who was first?', 'Bell. Who was first?'],
    ['Bell', '', 'Bell'],
    ['Bell', '?', 'Bell'],
  ])('leaves of %j, asked %j, %j', (text, question, rest) => {
    expect(withoutQuestion(text, question)).toBe(rest);
  });

  it('gives the end of any text, and the whole of one that does not begin so', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'grapheme' }),
        (text, asked) => {
          expect(text.endsWith(withoutQuestion(text, asked))).toBe(true);
          expect(withoutQuestion(`zz ${text}`, `yy ${asked}`)).toBe(`zz ${text}`);
        },
      ),
    );
  });

  it('takes a time that grows with the length only', () => {
    for (const text of hostile(['Question: ', 'Q: '])) {
      withoutQuestion(text, QUESTION);
      withoutQuestion(text, text);
    }
  });
});

/** Each step that reads an answer to a question, or a text on it, with what it is asked. */
const asked = { question: QUESTION, passages: ['p'], k: 0, count: 2 };
const steps: [string, (output: ModelOutput) => unknown][] = [
  of('read', read),
  of('readPassage', readPassage),
  of('readSummaries', readSummaries),
  of('readBackground', readBackground),
  of('answerWithEvidence', answerWithEvidence),
  of('answerFromNotes', answerFromNotes),
  of('infer', infer),
  of('recoverCondition', recoverCondition),
  of('summarize', summarize),
  of('summarizeGeneric', summarizeGeneric),
  of('condenseEvidence', condenseEvidence),
  of('summarizeDocument', summarizeDocument),
  of('takeNote', takeNote),
];

function of<I, O>(name: string, step: ModelStep<I, O>): [string, (output: ModelOutput) => unknown] {
  const input = { ...asked, masked: QUESTION, passage: 'p', probability: false };
  return [name, (output) => step.parse(output, input as unknown as I)];
}

describe.each(steps)('%s', (_, parse) => {
  it('reads what stands behind the question', () => {
    const plain = parse({ text: 'China was the first.', cut: false });
    expect(plain).toBeTruthy();
    for (const before of [`${QUESTION} `, `Question: ${QUESTION}\n`, `${QUESTION}\n\n`]) {
      expect(parse({ text: `${before}China was the first.`, cut: false })).toEqual(plain);
    }
  });

  it('takes the question alone for nothing', () => {
    expect(parse({ text: QUESTION, cut: false })).toBeUndefined();
  });

  it('takes no half sentence', () => {
    expect(parse({ text: 'The first one was built by Alexander Gra', cut: true })).toBeUndefined();
  });
});

it('takeNotes reads the answer behind the question', () => {
  const parse = (text: string) =>
    takeNotes.parse({ text, cut: false }, { ...asked, examples: false })?.answer;
  expect(parse(`${QUESTION}\nNote 1: It names China.\nAnswer: ${QUESTION} China`)).toBe('China');
  expect(parse(`Note 1: It names China.\nAnswer: ${QUESTION}`)).toBeUndefined();
});
