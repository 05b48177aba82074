import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readScore } from '../../../steps/reading/score.js';
import { decorations, hostile } from './support.js';

const outOfTen: [string, number | undefined][] = [
  ['8', 8],
  ['[8]', 8],
  ['(8)', 8],
  ['[ 8 ]', 8],
  ['8.', 8],
  ['7.5', 7.5],
  ['[10]', 10],
  ['0', 0],
  ['8/10', 8],
  ['[8/10]', 8],
  ['[8]/10', 8],
  ['8 out of 10', 8],
  ['80%', 8],
  ['Rating: 8', 8],
  ['Rating: [8]', 8],
  ['[SCORE]: 7', 7],
  ['My rating is 8.', 8],
  ['The rating would be 8/10.', 8],
  ['{"rating": 8}', 8],
  ['5 passages, of which all support. Rating: 9', 9],
  ['3 of the 5 passages name the year, so [8]', 8],
  ['3 of the 5 passages name the year.\n\n[8]', 8],
  ['3 of the 5 passages name the year.\n8', 8],
  ['Rating: 3? There are 5 passages that say so. Final rating: [8]', 8],
  ['On a scale from 0 to 10, I give it a 6.', 6],
  ['I would rate it 7/10.', 7],
  ['[8] because all of the 5 passages name it', 8],
  ['8 - all 5 passages name it', 8],
  ['8\nAll 5 passages name it.', 8],
  ['8. The passages name the year.', 8],
  ['0. None of the 5 passages names it.', 0],
  ['\\boxed{8}', 8],
  ['The final rating is \\(\\boxed{8}\\).', 8],
  ['Rating：８', 8],
  ['【8】', 8],
  ['<rating>8</rating>', 8],
  ['{"rating": 8, "because": "3 of 5 passages name the year"}', 8],
  ['Sure! [8]', 8],
  ['8.0/10.0', 8],
  ['Rating [0, 10]: 8', 8],
  ['Rating (out of 10): 8', 8],
  ['Rating: 8 points', 8],
  ['Rating: not 5 but 8', 8],
  ['The answer is 7 March 1876. Rating: 9', 9],
  ['', undefined],
  ['[SCORE]', undefined],
  // Of each passage one, or what counts something.
  ['1. 8\n2. 3\n3. 5', undefined],
  ['Passage 1: 8\nPassage 2: 3', undefined],
  ['Rating: 5 passages support it', undefined],
  ['Rating: 5 of the 6 passages support it', undefined],
  ['Answer: 3 passages name the year', undefined],
  ['The answer is 5.', undefined],
  // Bounds, sums and what is denied.
  ['Rating: 8 or 9', undefined],
  ['Rating: 3 + 5 = 8', undefined],
  ['Rating: at least 8', undefined],
  ['The rating is higher than 7.', undefined],
  ['>7', undefined],
  ['≥ 7', undefined],
  ['The rating should not be 8.', undefined],
  ["I wouldn't give it an 8.", undefined],
  ['A rating of 8 would be too high.', undefined],
  ['[11]', undefined],
  ['[-1]', undefined],
  ['11', undefined],
  ['5-7', undefined],
  ['[5-7]', undefined],
  ['between 5 and 7', undefined],
  ['more than 5', undefined],
  ['not 8', undefined],
  ['5 passages support it', undefined],
  ['3 of the 5 passages name the year', undefined],
  ['All 5 passages support the answer.', undefined],
  ['The passages support the answer [1].', undefined],
  ['The passages [1] and [2] name Bell.', undefined],
  ['It was in 1876', undefined],
  ['The patent was granted on March 7', undefined],
  ['Passage 3 names the year.', undefined],
  ['1. Passage 3 names the year.\n2. Passage 5 does not.', undefined],
  ['The answer is in passage 3.', undefined],
  ['(a)', undefined],
  ['high', undefined],
];

describe('readScore', () => {
  it.each(outOfTen)('reads %j as %j of 10', (text, score) => {
    expect(readScore({ text, cut: false }, 10)).toBe(score);
  });

  it.each<[string, number | undefined]>([
    ['[8] since', 8],
    ['[8]', 8],
    ['Rating: 8\n\nThe passages na', 8],
    ['8, as the', 8],
    ['Rating: 8 because it', 8],
    ['Rating: 8 because', undefined], // it might say "out of 100"
    ['The rating is 8 out', undefined],
    ['Score: 0.', undefined],
    ['8', undefined],
    ['8.', undefined],
    ['[8', undefined],
    ['Rating: 1', undefined],
    ['3 of the 5 passages', undefined],
    ['8 out of', undefined],
    ['8 out', undefined],
  ])('reads %j, cut, as %j', (text, score) => {
    expect(readScore({ text, cut: true }, 10)).toBe(score);
  });

  it.each(outOfTen)('reads %j the same however it is decorated', (output, score) => {
    for (const text of decorations(output)) {
      expect(readScore({ text, cut: false }, 10), text).toBe(score);
    }
  });

  it('reads from a prefix that was cut the score of the whole, or none', () => {
    for (const [output, score] of outOfTen) {
      for (let end = 0; end < output.length; end++) {
        if (/rating/i.test(output.slice(end))) continue;
        const text = output.slice(0, end);
        expect([undefined, score], text).toContain(readScore({ text, cut: true }, 10));
      }
    }
  });

  it('takes one of several numbers for none', () => {
    expect(readScore({ text: '8\n3\n5', cut: false }, 10)).toBeUndefined();
  });

  it('gives nothing but numbers from 0 to the most, whatever it is shown', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789.,-/% []score is:outf') });
    const texts = fc.oneof(fc.string({ unit: 'grapheme' }), digits);
    fc.assert(
      fc.property(texts, fc.boolean(), fc.constantFrom(1, 10), (text, cut, most) => {
        const score = readScore({ text, cut }, most) ?? 0;
        expect(score >= 0 && score <= most).toBe(true);
      }),
    );
  });

  it('returns on hostile text', () => {
    for (const text of hostile(['score ', 'rating of ', 'between 1 and ', '8/', '[8] '])) {
      readScore({ text, cut: false }, 10);
      readScore({ text, cut: true }, 1);
    }
  });
});
