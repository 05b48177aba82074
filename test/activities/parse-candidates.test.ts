import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCandidates } from '../../activities/generate-candidates.js';

const unreadable = undefined;

/** What a model wrote when asked for `count` candidates, and what it should be read as. */
const outputs: [output: string, count: number, candidates: string[] | undefined][] = [
  ['(a) Paris, (b) Lyon', 2, ['Paris', 'Lyon']],
  ['(A) Paris, (B) Lyon', 2, ['Paris', 'Lyon']],
  ['(a) Paris (b) Lyon', 2, ['Paris', 'Lyon']],
  ['( a ) Paris; ( b ) Lyon', 2, ['Paris', 'Lyon']],
  ['(a) Paris,\n(b) Lyon\n', 2, ['Paris', 'Lyon']],
  ['a) Paris, b) Lyon', 2, ['Paris', 'Lyon']],
  ['a) Paris\nb) Lyon', 2, ['Paris', 'Lyon']],
  ['a. Paris\nb. Lyon', 2, ['Paris', 'Lyon']],
  ['a. Paris, b. Lyon', 2, ['Paris', 'Lyon']],
  ['A: Paris\nB: Lyon', 2, ['Paris', 'Lyon']],
  ['[a] Paris, [b] Lyon', 2, ['Paris', 'Lyon']],
  ['1. Paris\n2. Lyon', 2, ['Paris', 'Lyon']],
  ['1) Paris 2) Lyon', 2, ['Paris', 'Lyon']],
  ['(1) Paris, (2) Lyon', 2, ['Paris', 'Lyon']],
  ['Candidate 1: Paris\nCandidate 2: Lyon', 2, ['Paris', 'Lyon']],
  ['Candidate A: Paris, Candidate B: Lyon', 2, ['Paris', 'Lyon']],
  ['Answer: (a) Paris, (b) Lyon', 2, ['Paris', 'Lyon']],
  ['The two candidates are:\n(a) Paris\n(b) Lyon', 2, ['Paris', 'Lyon']],
  ['- Paris\n- Lyon', 2, ['Paris', 'Lyon']],
  ['Paris\nLyon', 2, ['Paris', 'Lyon']],
  ['["Paris", "Lyon"]', 2, ['Paris', 'Lyon']],
  ['(a) "Paris", (b) “Lyon”', 2, ['Paris', 'Lyon']],
  ["(a) 'Paris', (b) 'Lyon'.", 2, ['Paris', 'Lyon']],
  ['**(a)** Paris, **(b)** Lyon', 2, ['Paris', 'Lyon']],
  ['(a) **Paris**, (b) `Lyon`', 2, ['Paris', 'Lyon']],
  ['(a) Paris and (b) Lyon', 2, ['Paris', 'Lyon']],
  ['(a) Paris or (b) Lyon.', 2, ['Paris', 'Lyon']],
  ['(a) Paris, (b) Lyon\n\nThe passages name both.', 2, ['Paris', 'Lyon']],
  // commas and full stops inside a candidate
  ['(a) Washington, D.C., (b) New York', 2, ['Washington, D.C.', 'New York']],
  ['(a) Martin Luther King, Jr., (b) Malcolm X', 2, ['Martin Luther King, Jr.', 'Malcolm X']],
  ['(a) 1,234 metres, (b) 3.5 million', 2, ['1,234 metres', '3.5 million']],
  ['(a) Apollo 11, (b) Apollo 12', 2, ['Apollo 11', 'Apollo 12']],
  ['1. 1969\n2. 1970', 2, ['1969', '1970']],
  ["(a) Hitchhiker's Guide, (b) O'Brien", 2, ["Hitchhiker's Guide", "O'Brien"]],
  ['(a) 東京, (b) Ωmega', 2, ['東京', 'Ωmega']],
  // fewer and more than asked
  ['(a) Paris', 2, ['Paris']],
  ['Paris', 2, ['Paris']],
  ['Paris.', 2, ['Paris']],
  ['The answer is Paris', 2, ['Paris']],
  ['(a) Paris, (b) Paris', 2, ['Paris']],
  ['(a) The Beatles, (b) beatles', 2, ['The Beatles']],
  ['(a) , (b) Lyon', 2, ['Lyon']],
  ['(a) ..., (b) ...', 2, unreadable],
  ['(a) Paris, (b) Lyon, (c) Nice', 2, ['Paris', 'Lyon']],
  ['(a) Paris, (b) Lyon, (c) Nice', 3, ['Paris', 'Lyon', 'Nice']],
  ['(a) Paris, (c) Nice', 3, ['Paris', 'Nice']],
  ['(a) A, (b) B, (c) C, (d) D, (e) E', 5, ['A', 'B', 'C', 'D', 'E']],
  // nothing to read
  ['', 2, unreadable],
  ['   \n ', 2, unreadable],
  ['Paris, Lyon', 2, unreadable],
  ['Paris or Lyon', 2, unreadable],
  ['The passages do not say which city it was, so I cannot name any candidates.', 2, unreadable],
  ['[]', 2, unreadable],
];

describe('parseCandidates', () => {
  it.each(outputs)('reads %j', (output, count, candidates) => {
    expect(parseCandidates(output, count)).toEqual(candidates);
  });

  it('never throws, and never gives more than asked or the same twice', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.integer({ min: 1, max: 5 }),
        (text, count) => {
          const candidates = parseCandidates(text, count) ?? [];
          expect(candidates.length).toBeLessThanOrEqual(count);
          expect(new Set(candidates).size).toBe(candidates.length);
        },
      ),
    );
  });

  it('reads back what it was asked to write', () => {
    const word = fc.stringMatching(/^[A-Z][a-z]{2,8}$/);
    fc.assert(
      fc.property(fc.uniqueArray(word, { minLength: 1, maxLength: 6 }), (words) => {
        const written = words.map((w, k) => `(${'abcdef'[k]}) ${w}`).join(', ');
        const different = words.filter(
          (w, i) => words.findIndex((v) => v.toLowerCase() === w.toLowerCase()) === i,
        );
        fc.pre(!words.some((w) => ['The', 'And'].includes(w)));
        expect(parseCandidates(written, words.length)).toEqual(different);
      }),
    );
  });
});
