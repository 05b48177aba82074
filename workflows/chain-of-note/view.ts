/** Chain-of-Note: the note on each passage, and the passages with their kinds. Pure. */

import type { Chip, Section } from '../../core/section.js';
import type { ViewContext } from '../../core/view.js';
import {
  cards,
  chip,
  count,
  note,
  passages,
  readingSection,
  section,
  text,
} from '../../report/views/parts.js';
import type { Note } from '../../steps/chain-of-note.js';
import type { ChainOfNoteChain } from './options.js';

export function chainOfNoteView(chain: ChainOfNoteChain, context: ViewContext): Section[] {
  const noteOn = new Map(chain.notes.map((written) => [written.passage, written]));
  const items = chain.passages.flatMap(({ id, title }, i) => {
    const written = noteOn.get(id);
    if (!written) return [];
    const heading = `${i + 1}. ${title || id}`;
    return [{ title: heading, chips: typeOf(written), blocks: text(written.text) }];
  });
  const without = chain.passages.length - items.length;
  const listed = passages(chain.passages, ({ id }) => {
    const written = noteOn.get(id);
    return { chips: written ? typeOf(written) : [chip('no note', 'warn')] };
  });
  return [
    ...readingSection(chain.reading, context),
    ...section(
      'Reading notes',
      [...cards(items), ...note(without > 0 && `${count(without, 'passage')} without a note`)],
      { note: `${chain.notes.length}` },
    ),
    ...section('Passages', listed, { note: `${chain.passages.length}`, detail: true }),
  ];
}

const TONES = { relevant: 'good', contextual: 'warn', irrelevant: 'plain' } as const;

function typeOf({ type }: Note): Chip[] {
  return type === null ? [] : [chip(type, TONES[type])];
}
