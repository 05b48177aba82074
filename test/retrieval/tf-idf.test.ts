import fc from 'fast-check';
import { expect, it } from 'vitest';
import { tfIdfScores } from '../../retrieval/tf-idf.js';

it('is the cosine of TF-IDF vectors, by hand', () => {
  // Two documents. "bell" is in one (idf ln(3/2) + 1 = 1.405), "patent" in both (idf 1).
  const [first, second] = tfIdfScores('bell patent', ['bell patent', 'patent']);
  expect(first).toBeCloseTo(1);
  expect(second).toBeCloseTo(1 / Math.hypot(1.405465, 1), 5);
});

it('counts words, not substrings, in any letter case and any language', () => {
  expect(tfIdfScores('bell', ['bellow', 'The BELL rang.', ''])).toEqual([
    0,
    expect.closeTo(0.5, 0),
    0,
  ]);
  const [tokyo = 0, kyoto = 0] = tfIdfScores('日本の首都はどこですか', [
    '日本の首都は東京です',
    '京都は古い',
  ]);
  expect(tokyo).toBeGreaterThan(kyoto);
});

it('has nothing to say without words or texts', () => {
  expect(tfIdfScores('?', ['a', 'b'])).toEqual([0, 0]);
  expect(tfIdfScores('bell', [])).toEqual([]);
});

it('stays within 0 and 1 and does not depend on the order of the texts', () => {
  const texts = fc.array(fc.lorem({ maxCount: 8 }), { maxLength: 8 });
  fc.assert(
    fc.property(fc.lorem({ maxCount: 5 }), texts, (query, given) => {
      const scores = tfIdfScores(query, given);
      expect(scores.every((score) => score >= 0 && score <= 1 + 1e-9)).toBe(true);
      const turned = tfIdfScores(query, [...given].reverse()).reverse();
      for (const [i, score] of scores.entries()) expect(turned[i]).toBeCloseTo(score, 9);
    }),
  );
});
