import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  generateCandidates,
  parseCandidates,
} from '../../steps/generate-candidates/implementation.js';
import { hostile } from './reading/support.js';

const unreadable = undefined;
const asked = (count: number) => ({ count, question: 'Which city is it?' });

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
  ['(a) Paris, (b) Paris', 2, ['Paris']],
  ['(a) The Beatles, (b) beatles', 2, ['The Beatles']],
  ['(a) , (b) Lyon', 2, ['Lyon']],
  ['(a) ..., (b) ...', 2, unreadable],
  ['(a) Paris, (b) Lyon, (c) Nice', 2, ['Paris', 'Lyon']],
  ['(a) Paris, (b) Lyon, (c) Nice', 3, ['Paris', 'Lyon', 'Nice']],
  ['(a) Paris, (c) Nice', 3, ['Paris', 'Nice']],
  ['(a) A, (b) B, (c) C, (d) D, (e) E', 5, ['A', 'B', 'C', 'D', 'E']],
  // as other models write it
  ['Candidate (a): Paris, Candidate (b): Lyon', 2, ['Paris', 'Lyon']],
  ['Candidate A = Paris; Candidate B = Lyon', 2, ['Paris', 'Lyon']],
  ['(b) 69.4 million (a) 88.2 million', 2, ['69.4 million', '88.2 million']],
  ['(b) Social group', 2, ['Social group']],
  ['```json\n["Paris", "Lyon"]\n```', 2, ['Paris', 'Lyon']],
  ['```\n(a) Paris, (b) Lyon\n```', 2, ['Paris', 'Lyon']],
  ['{"candidates": ["Paris", "Lyon"]}', 2, ['Paris', 'Lyon']],
  ['{"a": "Paris", "b": "Lyon"}', 2, ['Paris', 'Lyon']],
  ['> **(a)** Paris, **(b)** Lyon', 2, ['Paris', 'Lyon']],
  ['(a) Washington, D.C.', 2, ['Washington, D.C.']],
  ['(a) Martin Luther King, Jr.', 2, ['Martin Luther King, Jr.']],
  ['(a) May 1, 1990', 2, ['May 1, 1990']],
  ['(a) 1,234,567', 2, ['1,234,567']],
  ['(a) Unknown, (b) Lyon', 2, ['Lyon']],
  ['(i) Paris, (ii) Lyon', 2, ['Paris', 'Lyon']],
  ['i. Paris\nii. Lyon', 2, ['Paris', 'Lyon']],
  ['（a）Paris，（b）Lyon', 2, ['Paris', 'Lyon']],
  ['(a) Paris、(b) Lyon。', 2, ['Paris', 'Lyon']],
  ['(a) Paris / (b) Lyon', 2, ['Paris', 'Lyon']],
  ['(a) <Paris>, (b) {Lyon}', 2, ['Paris', 'Lyon']],
  ['(a) \\text{Paris}, (b) \\text{Lyon}', 2, ['Paris', 'Lyon']],
  ["['Paris', 'Lyon']", 2, ['Paris', 'Lyon']],
  ['[{"candidate": "Paris"}, {"candidate": "Lyon"}]', 2, ['Paris', 'Lyon']],
  [
    '{"candidates": [{"name": "Paris", "rank": 1}, {"name": "Lyon", "rank": 2}]}',
    2,
    ['Paris', 'Lyon'],
  ],
  ['[{"candidate": "Paris", "because": "It is named."}]', 2, unreadable],
  ['Candidate answers: Paris; Lyon', 2, ['Paris', 'Lyon']],
  ['Here are the candidates: Paris, Lyon', 2, ['Paris', 'Lyon']],
  ['1876, 1877', 2, ['1876', '1877']],
  ['(a) Paris: the capital it names\n(b) Lyon: it is large too', 2, ['Paris', 'Lyon']],
  ['(a) Paris - named in passage 1\n(b) Lyon - named in passage 2', 2, ['Paris', 'Lyon']],
  ['(a) Star Wars: A New Hope, (b) 1990 - 1991', 2, ['Star Wars: A New Hope', '1990 - 1991']],
  ['(a) Paris, (b) Lyon, Answer: (a) Paris', 2, ['Paris', 'Lyon']],
  ['(a) Paris (b) (b)', 2, ['Paris']],
  ['Answer: Paris, Lyon', 2, ['Paris', 'Lyon']],
  ['(a) Answer 1, (b) Answer 2', 2, unreadable],
  ['(a) [candidate], (b) [candidate]', 2, unreadable],
  // the question before them, or in place of one
  ['Which city is it? (a) Paris, (b) Lyon', 2, ['Paris', 'Lyon']],
  ['(a) Which city is it?, (b) Lyon', 2, ['Lyon']],
  ['Which city is it?', 2, unreadable],
  // it says that there is none: the question ends as unknown
  ['(a) Unknown', 2, ['Unknown']],
  ['(a) Unknown, (b) Not specified', 2, ['Unknown']],
  ['None', 2, ['None']],
  // a single candidate is the answer, so it has to be one
  ['Paris', 2, unreadable],
  ['Paris.', 2, unreadable],
  ['- Paris', 2, unreadable],
  ['The answer is Paris', 2, unreadable],
  ['I cannot help with that', 2, unreadable],
  ['(b) The city that the passage names is the one on the river.', 2, unreadable],
  ['(77%)', 2, unreadable],
  ['(a) Russia, Belarus, Ukraine, Poland', 2, unreadable],
  // as many parts as were asked for are the candidates
  ['(a) Lord Baltimore, Leonard Calvert', 2, ['Lord Baltimore', 'Leonard Calvert']],
  ['(a) Lord Baltimore, Leonard Calvert', 3, unreadable],
  ['(a) Russia, Belarus, Ukraine, Poland', 4, ['Russia', 'Belarus', 'Ukraine', 'Poland']],
  ['(a) Paris, Paris', 2, unreadable],
  ['Russia; Belarus; Ukraine', 2, unreadable],
  // nothing to read
  ['', 2, unreadable],
  ['   \n ', 2, unreadable],
  ['Paris, Lyon', 2, ['Paris', 'Lyon']],
  ['Paris; Lyon', 2, ['Paris', 'Lyon']],
  ['Paris, Lyon', 3, unreadable],
  ['Paris or Lyon', 2, unreadable],
  ['The passages do not say which city it was, so I cannot name any candidates.', 2, unreadable],
  ['[]', 2, unreadable],
];

describe('parseCandidates', () => {
  it.each(outputs)('reads %j', (output, count, candidates) => {
    expect(parseCandidates({ text: output, cut: false }, asked(count))).toEqual(candidates);
  });

  it.each(['(a) (b)', '(a), (b)', '**(a)** **(b)**'])('asks once more for %j', (text) => {
    const output = { text, cut: false };
    expect(parseCandidates(output, asked(2))).toBeUndefined();
    expect(parseCandidates(output, asked(2), 1)).toEqual([]);
    expect(parseCandidates({ text, cut: true }, asked(2), 1)).toBeUndefined();
  });

  const input = { question: 'q', passages: [], count: 2, demonstrations: [] };
  it.each<[string, string[] | undefined, string[]]>([
    ['(a) Paris, (b) Elisha Gr', undefined, ['Paris']],
    ['(a) Paris, (b) Lyon, (c) Ni', ['Paris', 'Lyon'], ['Paris', 'Lyon']],
    ['(a) Par', undefined, []],
    ['Par', undefined, []],
    ['["Paris", "Ly', undefined, ['Paris']],
    ['Paris\nLyon\nThe', ['Paris', 'Lyon'], ['Paris', 'Lyon']],
  ])('reads %j, cut, as %j, and at last as %j', (text, read, last) => {
    expect(generateCandidates.parse({ text, cut: true }, input)).toEqual(read);
    expect(generateCandidates.fallback({ text, cut: true }, input)).toEqual(last);
  });

  it.each<[string, string[]]>([
    ['Paris', ['Paris']],
    ['Paris, Lyon', ['Paris', 'Lyon']],
    ['(a) Russia, Belarus, Ukraine, Poland', ['Russia', 'Belarus']],
    ['(a) Russia, Belarus and Poland', ['Russia', 'Belarus and Poland']],
    ['(a) Lord Baltimore, Leonard Calvert', ['Lord Baltimore', 'Leonard Calvert']],
    ['The passages name many cities, none of which it was.', []],
    ['I cannot help with that', []],
    ['...', []],
  ])('takes %j at last for %j', (text, last) => {
    expect(generateCandidates.fallback({ text, cut: false }, input)).toEqual(last);
  });

  it('has room for as many as are asked for', () => {
    const { maxTokens } = generateCandidates;
    const room = (count: number) =>
      typeof maxTokens === 'number' ? maxTokens : maxTokens({ ...input, count });
    expect([2, 4, 26].map(room)).toEqual([128, 128, 832]);
  });

  it('returns on hostile text', () => {
    for (const text of hostile(['(a) (b) ', 'Paris, ', '"Paris", '])) {
      parseCandidates({ text, cut: false }, asked(3));
      generateCandidates.fallback({ text, cut: true }, input);
    }
  });

  it('never throws, and never gives more than asked or the same twice', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.integer({ min: 1, max: 5 }),
        (text, count) => {
          const candidates = parseCandidates({ text, cut: false }, asked(count)) ?? [];
          expect(candidates.length).toBeLessThanOrEqual(count);
          expect(new Set(candidates).size).toBe(candidates.length);
        },
      ),
    );
  });

  it('reads back what it was asked to write', () => {
    const word = fc.stringMatching(/^[A-Z][a-z]{2,8}$/);
    fc.assert(
      fc.property(fc.uniqueArray(word, { minLength: 2, maxLength: 6 }), (words) => {
        const written = words.map((w, k) => `(${'abcdef'[k]}) ${w}`).join(', ');
        const different = words.filter(
          (w, i) => words.findIndex((v) => v.toLowerCase() === w.toLowerCase()) === i,
        );
        fc.pre(!words.some((w) => ['The', 'And'].includes(w)));
        expect(parseCandidates({ text: written, cut: false }, asked(words.length))).toEqual(
          different,
        );
      }),
    );
  });
});
