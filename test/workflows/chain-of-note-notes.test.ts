import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseInput } from '../../core/options/input.js';
import type { NoteType, WrittenNote } from '../../steps/outputs/notes.js';
import { chainOfNoteMethod } from '../../workflows/chain-of-note/method.js';
import { evidenceOf, notesOf } from '../../workflows/chain-of-note/notes.js';

const anyNote = fc.option(
  fc.record<WrittenNote>({
    text: fc.string(),
    type: fc.constantFrom<(NoteType | null)[]>('relevant', 'contextual', 'irrelevant', null),
  }),
);

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

  it('keeps the order of the passages and loses no note', () => {
    fc.assert(
      fc.property(fc.array(anyNote), (written) => {
        const passages = written.map((_, i) => `p${i}`);
        const notes = notesOf(passages, written);
        expect(notes).toHaveLength(written.filter((note) => note !== null).length);
        for (const { passage, text } of notes) {
          expect(written[passages.indexOf(passage)]?.text).toBe(text);
        }
        const order = notes.map(({ passage }) => passages.indexOf(passage));
        expect(order).toEqual([...order].sort((a, b) => a - b));
      }),
    );
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

describe('the options', () => {
  const parse = (options: object) =>
    parseInput({ options: chainOfNoteMethod.options }, { question: 'q', options }).options;

  it('have the defaults of the paper', () => {
    expect(parse({})).toEqual({ passages: 5, form: 'single', examples: false });
  });

  it('are refused by name', () => {
    expect(() => parse({ passages: 0 })).toThrow('options.passages');
    expect(() => parse({ passages: 51 })).toThrow('options.passages');
    expect(() => parse({ form: 'both' })).toThrow('options.form');
    expect(() => parse({ note: true })).toThrow('options.note: there is no such field');
  });
});
