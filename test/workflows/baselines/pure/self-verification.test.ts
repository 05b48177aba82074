import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isRecovered,
  MASK,
  maskCondition,
  mostVerified,
  verifyCandidates,
} from '../../../../workflows/methods/baselines/self-verification.js';

describe('maskCondition', () => {
  it.each([
    ['Who got the first patent?', 'first patent', 'Who got the [X]?'],
    ['Is Paris in PARIS, Texas?', 'Paris', 'Is [X] in [X], Texas?'],
    ['What does C++ (1985) mean?', 'C++ (1985)', 'What does [X] mean?'],
    ['Is Paris Parisian?', 'paris', 'Is [X] Parisian?'],
    ['電話の特許は？', '電話', '[X]の特許は？'],
    ['What costs $& there?', '$&', 'What costs [X] there?'],
  ])('%j without %j', (question, condition, masked) => {
    expect(maskCondition(question, condition)).toBe(masked);
  });

  it('leaves nothing of the part', () => {
    const word = fc.constantFrom('first', 'patent', 'the', 'telephone', 'a.b', '(c)');
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), word, (words, part) => {
        const masked = maskCondition(words.join(' '), part);
        expect(masked.replaceAll(MASK, '')).not.toContain(part);
      }),
    );
  });
});

describe('recovers', () => {
  it.each([
    ['telephone', 'telephone', true],
    ['The Telephone.', 'telephone', true],
    ['the telephone patent', 'telephone', true],
    ['patent', 'first patent', true],
    ['telegraph', 'telephone', false],
    ['phone', 'telephone', false],
    [null, 'telephone', false],
    ['', 'telephone', false],
  ])('%j for %j: %s', (said, condition, right) => {
    expect(isRecovered(said, condition)).toBe(right);
  });
});

describe('the choice', () => {
  const candidates = [
    { text: 'Gray', samples: 1 },
    { text: 'Bell', samples: 2 },
    { text: 'Reis', samples: 2 },
  ];
  const conditions = ['first patent', 'telephone'];
  const choose = (...recovered: (string | null)[][]) =>
    mostVerified(verifyCandidates(candidates, conditions, recovered));

  it('goes to the candidate most verified', () => {
    expect(choose(['the first patent', 'telephone'], ['patent', null], [null, 'x'])).toEqual({
      text: 'Gray',
      samples: 1,
      recovered: ['the first patent', 'telephone'],
      verified: 2,
    });
  });

  it('goes to the one sampled more often among equals, then to the earlier one', () => {
    expect(choose(['x', 'telephone'], ['x', 'telephone'], ['x', 'telephone'])?.text).toBe('Bell');
  });

  it('goes by the samples alone when nothing could be masked', () => {
    const best = mostVerified(verifyCandidates(candidates, [], [[], [], []]));
    expect(best).toEqual({ text: 'Bell', samples: 2 });
    expect(mostVerified([])).toBeNull();
  });
});
