import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerKey, distinctAnswers } from '../../core/answer-key.js';

describe('answerKey', () => {
  it.each([
    ['The Beatles', 'beatles'],
    ['U.S.', 'us'],
    ['1,000', '1000'],
    ['Jean-Luc Godard', 'JeanLuc Godard'],
    ['"Paris".', 'paris'],
    ['a  the Bell', 'Bell'],
    ['Café', 'Cafe\u0301'],
    ['Øl', 'øl'],
    ['50 %', '50%'],
    ['$ 5', '$5'],
    ['5 €', '5€'],
    ['−5', '-5'],
    ['“C++”', 'c++'],
    ['Saint-Denis', 'Saint Denis'.replace(' ', '')],
    ['(50%)', '50%'],
    ['#1', '1'],
    ['+5', '5'],
    ['AT&T', 'ATT'],
    ['M*A*S*H', 'MASH'],
    ['$1,000', '$1000'],
    ['Paris -', 'Paris'],
  ])('%j is the same answer as %j', (one, other) => {
    expect(answerKey(one)).toBe(answerKey(other));
  });

  it.each([
    ['3.5', '35'],
    ['Paris', 'Paris, Texas'],
    ['The The', 'The'],
    ['ça', 'ç'],
    ['कि', 'का'],
    ['東京', '京都'],
    ['C', 'B'],
    ['C++', 'C'],
    ['C++', 'C#'],
    ['C#', 'C'],
    ['F# minor', 'F minor'],
    ['-5', '5'],
    ['–5 °C', '5 °C'],
    ['50%', '50'],
    ['$5', '5'],
    ['$5', '€5'],
    ['5 £', '5'],
    ['.5', '5'],
    ['<5', '5'],
    ['O-', 'O+'],
    ['A+', 'A'],
    ['AB-', 'AB'],
    ['18+', '18'],
    ['-$5', '$5'],
    ['20°', '20'],
  ])('%j is another answer than %j', (one, other) => {
    expect(answerKey(one)).not.toBe(answerKey(other));
  });

  it('is its own key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
        expect(answerKey(answerKey(text))).toBe(answerKey(text));
      }),
    );
  });
});

it('distinctAnswers keeps the first wording of each', () => {
  expect(distinctAnswers(['Bell', 'the bell', 'Gray', 'BELL.'])).toEqual(['Bell', 'Gray']);
});
