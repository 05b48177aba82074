import { describe, expect, it } from 'vitest';
import type { WrittenNote } from '../../steps/outputs/notes.js';
import { evidenceOf, notesOf } from '../../workflows/chain-of-note/chain-of-note.js';

describe('notesOf', () => {
  it('names the passage of each note and leaves out the passages without one', () => {
    const written: (WrittenNote | null)[] = [
      { text: 'A.', type: 'irrelevant' },
      null,
      { text: 'C.', type: null },
    ];
    expect(notesOf(['p1', 'p2', 'p3', 'p4'], written)).toEqual([
      { passage: 'p1', text: 'A.', type: 'irrelevant' },
      { passage: 'p3', text: 'C.', type: null },
    ]);
  });
});

describe('evidenceOf', () => {
  it('is every passage that no note calls irrelevant', () => {
    const notes = notesOf(
      ['p1', 'p2', 'p3', 'p4'],
      [
        { text: 'A.', type: 'irrelevant' },
        { text: 'B.', type: 'relevant' },
        { text: 'C.', type: null },
        null,
      ],
    );
    expect(evidenceOf(['p1', 'p2', 'p3', 'p4'], notes)).toEqual(['p2', 'p3', 'p4']);
    expect(evidenceOf([], [])).toEqual([]);
  });
});
