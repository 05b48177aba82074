import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { citationNumbers, readCitations, withoutCitations } from '../../core/citations.js';

describe('citationNumbers', () => {
  const texts: [string, number[]][] = [
    ['Bell was granted it [1][2]. Gray was not [2].', [1, 2, 2]],
    ['Bell [1, 2].', [1, 2]],
    ['Bell [1; 2].', [1, 2]],
    ['Bell [1, 2, and 4].', [1, 2, 4]],
    ['Bell [1–3, 5].', [1, 2, 3, 5]],
    ['Bell [3-1].', [3, 1]],
    ['Bell [ 2 ].', [2]],
    ['Bell [#2].', [2]],
    ['Bell [Passage 2].', [2]],
    ['Bell [Document 1, Document 3].', [1, 3]],
    ['Bell【2】.', [2]],
    ['Bell【2†source】【7†L1-L4】.', [2, 7]],
    ['Bell［2］.', [2]],
    ['Bell [[2]].', [2]],
    ['Bell \\[2\\].', [2]],
    ['Bell [^1, ^2].', [1, 2]],
    ['Bell [cite: 2, 3].', [2, 3]],
    ['Bell [Source: 2].', [2]],
    ['Bell [ref. 2].', [2]],
    ['Bell [citation 2].', [2]],
    ['Bell [1, 2,].', [1, 2]],
    ['Bell [1 to 3].', [1, 2, 3]],
    ['Bell [1]–[3], [5]-[6].', [1, 2, 3, 5, 6]],
    ['Bell (Passage 2).', [2]],
    ['Bell (see Documents 1 and 3).', [1, 3]],
    ['Bell (Source: 2).', [2]],
    ['Bell (passage 2 of the book).', []],
    ['(1) Bell, (2) Gray (no. 3).', []],
    ['With [1,000] men and [12,345,678] coins.', []],
    ['Bell [P2], [2.], [2/3], m².', []],
    ['Bell [0].', [0]],
    ['Bell, in [1876], was first.', []],
    ['Bell [sic] was first (1).', []],
    ['Bell [1a].', []],
    ['', []],
  ];
  it.each(texts)('reads %j as %j', (text, numbers) => {
    expect(citationNumbers(text)).toEqual(numbers);
  });
});

describe('readCitations', () => {
  const texts: [string, string, number[], number[]][] = [
    ['Bell [1][1].', 'Bell [1][1].', [1], []],
    ['Bell [1, 1].', 'Bell [1].', [1], []],
    ['Bell [1, 7].', 'Bell [1].', [1], [7]],
    ['Bell [0] [7], Gray [6][7] .', 'Bell, Gray .', [], [0, 7, 6]],
    ['Bell [Passage 5].', 'Bell [5].', [5], []],
    ['Bell (Passage 5) [^2], Gray (Source 9).', 'Bell [5] [2], Gray.', [5, 2], [9]],
    ['Bell [4]–[6]【2†source】.', 'Bell [4][5][2].', [4, 5, 2], [6]],
    ['Bell [1]-【4】.', 'Bell  [1] - [4] .', [1, 4], []],
    ['Bell [1 [9], 2].', 'Bell [1 [] , 2].', [], [9]],
    ['', '', [], []],
  ];
  it.each(texts)('reads %j as %j', (text, rewritten, numbers, unknown) => {
    expect(readCitations(text, 5)).toEqual({ text: rewritten, numbers, unknown });
  });

  /** Texts in which citations of all kinds are likely. */
  const pieces =
    '[|]|[1]|[2, 9]|[3-|-|,| and |Passage |12|【4】|[[5]]|[^6]|(Passage 7)|]–[|†'.split('|');
  const piece = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 5 }), fc.constantFrom(...pieces));
  const citing = fc.array(piece).map((parts) => parts.join(''));

  it('never throws, and leaves nothing but citations of passages that there are', () => {
    fc.assert(
      fc.property(citing, fc.nat(12), (text, count) => {
        const cited = readCitations(text, count);
        expect(new Set(citationNumbers(cited.text))).toEqual(new Set(cited.numbers));
        expect(cited.numbers.every((number) => number >= 1 && number <= count)).toBe(true);
        expect(new Set([...cited.numbers, ...cited.unknown])).toEqual(
          new Set(citationNumbers(text)),
        );
      }),
    );
  });
});

it('withoutCitations takes them off with the space before them', () => {
  expect(withoutCitations('Bell [1][2], in 1876 [3]. Gray was late[4].')).toBe(
    'Bell, in 1876. Gray was late.',
  );
});

it('hostile brackets take no time', () => {
  const pieces = '[|[[|[1,|[1 |(see |(passage |【1†|[cite: |[1]–|[1 to |\\['.split('|');
  for (const piece of pieces) {
    expect(citationNumbers(piece.repeat(20_000)).length).toBeGreaterThanOrEqual(0);
    expect(citationNumbers(`[1${piece.repeat(20_000)}]`).length).toBeGreaterThanOrEqual(0);
    expect(citationNumbers(`[1${' '.repeat(20_000)}${piece}`).length).toBeGreaterThanOrEqual(0);
  }
});
