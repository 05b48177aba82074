import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readList } from '../../../steps/reading/list.js';
import { decorations, hostile } from './support.js';

const items = (text: string, cut = false) =>
  readList({ text, cut })?.items.map((item) => item.trim().replace(/[,;.]$/, ''));

const lists: [string, string[] | undefined][] = [
  ['(a) Paris, (b) Lyon', ['Paris', 'Lyon']],
  ['a) Paris b) Lyon', ['Paris', 'Lyon']],
  ['[a] Paris [b] Lyon', ['Paris', 'Lyon']],
  ['1. Paris\n2. Lyon', ['Paris', 'Lyon']],
  ['1. 1969\n2. 1970', ['1969', '1970']],
  ['(1) 3, (2) 1', ['3', '1']],
  ['Candidate (a): Paris, Candidate (b): Lyon', ['Paris', 'Lyon']],
  ['Candidate 1: Paris\nCandidate 2: Lyon', ['Paris', 'Lyon']],
  ['Candidate a = Paris; Candidate b = Lyon', ['Paris', 'Lyon']],
  ['["Paris", "Lyon"]', ['Paris', 'Lyon']],
  ['[3, 1, 2]', ['3', '1', '2']],
  ['{"candidates": ["Paris", "Lyon"]}', ['Paris', 'Lyon']],
  ['Candidates: ["Paris", "Lyon"]', ['Paris', 'Lyon']],
  ['```json\n["Paris", "Lyon"]\n```', ['Paris', 'Lyon']],
  ['```json\n{\n  "answers": [\n    "Paris",\n    "Lyon"\n  ]\n}\n```', ['Paris', 'Lyon']],
  ['- Paris\n- Lyon', ['Paris', 'Lyon']],
  ['* Paris\n* Lyon', ['Paris', 'Lyon']],
  ['• Paris\n• Lyon', ['Paris', 'Lyon']],
  ['Paris\nLyon', ['Paris', 'Lyon']],
  ['- Paris', ['Paris']],
  ['(a) Paris', ['Paris']],
  ['Paris', undefined],
  ['Paris, Lyon', undefined],
  ['', undefined],
];

describe('readList', () => {
  it.each(lists)('reads %j', (output, expected) => {
    expect(items(output)).toEqual(expected);
  });

  it.each<[string, string[] | undefined]>([
    ['(a) Paris, (b) Elisha Gr', ['Paris']],
    ['(a) Par', []],
    ['1. Paris\n2. Lyon\n3. Ni', ['Paris', 'Lyon']],
    ['["Paris", "Lyon", "Ni', ['Paris', 'Lyon']],
    ['["Paris", "Lyon"', ['Paris']],
    ['["Paris", "Lyon"]\n\nThese', ['Paris', 'Lyon']],
    ['["Par', undefined],
    ['- Paris\n- Ly', ['Paris']],
  ])('leaves the half item of %j out', (output, expected) => {
    expect(items(output, true)).toEqual(expected);
  });

  it.each(lists.filter(([output]) => !output.includes('```') && !output.startsWith('*')))(
    'reads %j the same in code fences, bold and quotes',
    (output, expected) => {
      if (output.includes('\n') || !expected) return;
      for (const text of decorations(output).filter((t) => !/^(?:- |1\. |")/.test(t))) {
        expect(
          items(text)?.map((item) => item.replace(/”$/, '')),
          text,
        ).toEqual(expected);
      }
    },
  );

  it('never throws, and of a cut list gives no item that the whole does not have', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => void items(text)));
    const word = fc.stringMatching(/^[A-Z][a-z]{2,8}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 2, maxLength: 6 }), fc.nat(), (words, at) => {
        const written = words.map((w, k) => `(${'abcdef'[k]}) ${w}`).join(', ');
        for (const text of [written, JSON.stringify(words), words.join('\n')]) {
          const read = items(text.slice(0, at % text.length), true) ?? [];
          expect(read).toEqual(words.slice(0, read.length));
        }
      }),
    );
  });

  it('returns on hostile text', () => {
    for (const text of hostile(['(a) (b) ', 'candidate ', '", "', '[[', 'a. '])) {
      readList({ text, cut: false });
      readList({ text, cut: true });
    }
  });
});
