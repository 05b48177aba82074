/** The metrics by cases, where they were decided and not only copied. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exactMatch, normalizeAnswer } from '../../../core/normalize-answer.js';
import { labelAccuracy } from '../../../evaluation/metrics/fact-label.js';
import { listScores } from '../../../evaluation/metrics/list-answers.js';
import { rougeL, rougeLKilt, rougeLsum } from '../../../evaluation/metrics/rouge-l.js';
import {
  containsAccepted,
  shortAnswerRecall,
  tokenF1,
} from '../../../evaluation/metrics/short-answers.js';

test.each([
  ['The  U.S. army', 'us army'],
  ['a.b an\tthe c', 'ab c'],
  ['Theresa Anna', 'theresa anna'],
  ['“quoted”', '“quoted”'],
  ['the', ''],
])('normalises %j', (text, expected) => expect(normalizeAnswer(text)).toBe(expected));

test('a question without an answer is right when nothing is said', () => {
  expect([exactMatch('', []), tokenF1('the', [])]).toEqual([1, 1]);
  expect([exactMatch('Nile', []), tokenF1('Nile', [])]).toEqual([0, 0]);
});

test('yes and no share no words under HotpotQA’s rule', () => {
  expect(tokenF1('no one', ['no'])).toBeCloseTo(2 / 3);
  expect(tokenF1('no one', ['no'], 'hotpotqa')).toBe(0);
  expect(tokenF1('No.', ['no'], 'hotpotqa')).toBe(1);
});

describe('fact labels', () => {
  const CLASSES = { supports: 'SUPPORTS', refutes: 'REFUTES', unknown: 'NOT ENOUGH INFO' };

  test.each<[string, keyof typeof CLASSES | undefined]>([
    ['True.', 'supports'],
    ['Yes, because Bell was granted it.', 'supports'],
    ['**Refutes**', 'refutes'],
    ['not true', 'refutes'],
    ['not false', 'supports'],
    ['Incorrect.', 'refutes'],
    ['The claim is not correct.', 'refutes'],
    ['not incorrect', undefined],
    ['The claim is refuted by the passages.', 'refutes'],
    ['contradiction', 'refutes'],
    ['Answer: no', 'refutes'],
    ['The evidence refutes the claim', 'refutes'],
    ['False – the film is of 1984', 'refutes'],
    ['It is not true that he won.', undefined],
    ['The claim is not supported by the passages.', undefined],
    ['no evidence', 'unknown'],
    ['no-one', undefined],
    ['true or false', undefined],
    ['untrue', undefined],
    ['NOT ENOUGH INFO', 'unknown'],
    ['', undefined],
    ['Not enough evidence to say', 'unknown'],
    ['Insufficient information', 'unknown'],
    ['NEI', 'unknown'],
    ['unverifiable', 'unknown'],
    ['unknown', 'unknown'],
    ['False, there is no evidence for it', 'refutes'],
    ['Neil Armstrong', undefined],
  ])('%j is %s', (said, label) => {
    const right = Object.entries(CLASSES).filter(([, name]) => labelAccuracy(said, [name]) === 1);
    expect(right.map(([name]) => name)).toEqual(label === undefined ? [] : [label]);
  });

  test('accuracy goes by the side, or by the text where there is none', () => {
    expect(labelAccuracy('Yes.', ['supports', 'yes', 'true'])).toBe(1);
    expect(labelAccuracy('false', ['supports', 'yes', 'true'])).toBe(0);
    expect(labelAccuracy('I cannot say', ['no'])).toBe(0);
    expect(labelAccuracy('Not enough info.', ['NOT ENOUGH INFO'])).toBe(1);
    expect(labelAccuracy('supports', ['NOT ENOUGH INFO'])).toBe(0);
    expect(labelAccuracy('Pants on fire', ['pants on fire'])).toBe(1);
    expect(
      ['supports', 'refutes', 'unknown'].map((said) => labelAccuracy(said, ['SUPPORTS', 'NEI'])),
    ).toEqual([1, 0, 1]);
    for (const said of ['not supported', 'The claim is not supported.', 'Unsupported.']) {
      expect([said, labelAccuracy(said, ['refutes'])]).toEqual([said, 0]);
      expect([said, labelAccuracy(said, ['NOT_SUPPORTED'])]).toEqual([said, 1]);
    }
  });

  // What methods say, and which of the three says it rightly, by the name of the class.
  test.each<[string, ('supports' | 'refutes' | 'unknown')[]]>([
    ['SUPPORTED', ['supports']],
    ['Entailment', ['supports']],
    ['REFUTES', ['refutes']],
    ['CONTRADICT', ['refutes']],
    ['contradiction', ['refutes']],
    ['NOT_ENOUGH_INFO', ['unknown']],
    ['NotEnoughInfo', ['unknown']],
    ['Not Enough Evidence', ['unknown']],
    ['nei', ['unknown']],
    ['neutral', ['unknown']],
    ['unproven', ['unknown']],
    ['Unverified', ['unknown']],
    ['NOT_SUPPORTED', ['refutes', 'unknown']],
    ['DISPUTED', []],
  ])('the class %s', (name, right) => {
    const verdicts = ['supports', 'refutes', 'unknown'] as const;
    expect(verdicts.filter((verdict) => labelAccuracy(verdict, [name]) === 1)).toEqual(right);
    expect(labelAccuracy(name, [name])).toBe(1);
  });
});

test('ROUGE-L takes the best reference and stems where asked', () => {
  expect(rougeL('the cat sat', ['dogs', 'the cat was sitting'])).toBeCloseTo(4 / 7);
  expect(rougeL('rivers flooding', ['river flooded'])).toBe(0);
  expect(rougeL('rivers flooding', ['river flooded'], { stem: true })).toBe(1);
  expect([rougeL('', ['x']), rougeL('x', []), rougeL('Нил', ['Нил'])]).toEqual([0, 0, 0]);
});

test('ROUGE-L sentence by sentence, and as KILT has it', () => {
  const reference = 'The cats sat there. A dog ran away.';
  // The sentences the other way round: in one piece half of it is out of order.
  const turned = 'A dog ran away. The cats sat there.';
  expect(rougeLsum(turned, [reference])).toBe(1);
  expect(rougeL(turned, [reference])).toBe(0.5);
  // 8 words each, once each, in KILT's too; "The" and "the" are two words there.
  expect(rougeLKilt(turned, [reference])).toBe(1);
  expect(rougeLKilt('the cat', ['The cat'])).toBe(0.5);
  expect(rougeLKilt('so so so', ['so'])).toBe(1);
  expect(rougeLsum('it rains', ['it rained'])).toBe(1);
  expect([rougeLsum('', ['x']), rougeLKilt('', ['x']), rougeLKilt('..', ['x'])]).toEqual([0, 0, 0]);
});

test('containment is that of whole words, normalised as for EM', () => {
  expect(containsAccepted('It is the Nile.', ['Nile'])).toBe(1);
  expect(containsAccepted('Who', ['The Who'])).toBe(1);
  expect(containsAccepted('It was The Who, in 1971', ['the who'])).toBe(1);
  expect(containsAccepted('the U.S. Army', ['US army'])).toBe(1);
  expect(containsAccepted('Nilean', ['Nile'])).toBe(0);
  expect(containsAccepted('答案是东京。', ['东京'])).toBe(1);
  expect(containsAccepted('答えはスーパーマリオです', ['スーパーマリオ'])).toBe(1);
  expect(containsAccepted('คำตอบคือกรุงเทพ', ['กรุงเทพ'])).toBe(1);
  expect(containsAccepted('答案是东方', ['东京'])).toBe(0);
  expect(containsAccepted('Zürich', ['Zurich'])).toBe(0);
  expect(containsAccepted('any', ['the'])).toBe(0);
  expect(containsAccepted('The', ['the'])).toBe(1);
  expect([containsAccepted('', []), containsAccepted('x', [])]).toEqual([1, 0]);
});

test('containment is never less than EM', () => {
  const words = 'the|a|Who|who|U.S.|us|…|"|é|e\u0301|-|1,000|东京|京。|กรุง'.split('|');
  const word = fc.constantFrom(...words);
  const text = fc.oneof(
    fc.string(),
    fc.array(word, { maxLength: 4 }).map((words) => words.join(' ')),
  );
  fc.assert(
    fc.property(text, fc.array(text, { maxLength: 3 }), (prediction, answers) => {
      const em = exactMatch(prediction, answers);
      expect(containsAccepted(prediction, answers)).toBeGreaterThanOrEqual(em);
    }),
    { numRuns: 500 },
  );
});

test('short answers: citations are no content, and numbers in brackets are', () => {
  expect(shortAnswerRecall('Bell [1].', [['1'], ['bell']])).toEqual({ recall: 0.5, hit: 0 });
  expect(shortAnswerRecall('It was in [1876].', [['1876']])).toEqual({ recall: 1, hit: 1 });
  expect(shortAnswerRecall('anything', [['the'], []])).toEqual({ recall: 0, hit: 0 });
  expect(() => shortAnswerRecall('anything', [])).toThrow(RangeError);
});

test('lists: five right answers are enough for recall-5', () => {
  const names = ['a1', 'b1', 'c1', 'd1', 'e1', 'f1', 'g1', 'h1', 'i1', 'j1'];
  const scores = listScores(
    'A1 [1], B1, C1, D1, E1.',
    names.map((name) => [name]),
  );
  expect(scores).toMatchObject({ items: 5, precision: 1, recall: 0.5, recall5: 1, f1At5: 1 });
  expect(listScores('', [['x']])).toMatchObject({ items: 0, precision: 0, f1: 0 });
  expect(() => listScores('x', [])).toThrow(RangeError);
});
