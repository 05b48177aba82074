/** Chain-of-Note's reading notes for a terminal. Pure. */
import pc from 'picocolors';
import type { ChainOfNoteChain, Note } from '../../../methods/chain-of-note.js';
import { clip, count, section, WIDTH, wrap } from './layout.js';

export function chainOfNoteChain({ passages, notes }: ChainOfNoteChain): string[] {
  const written = new Map(notes.map((note) => [note.passage, note]));
  const lines = passages.flatMap(({ id, title }, i) => {
    const note = written.get(id);
    const heading = clip(`  ${i + 1}. ${title || id}`, WIDTH - 14);
    return note ? [heading + kind(note), ...wrap(note.text, '     ', 4)] : [];
  });
  const without = passages.filter(({ id }) => !written.has(id)).length;
  const missing = without > 0 ? [pc.dim(`  ${count(without, 'passage')} without a note`)] : [];
  return section('Reading notes', [...lines, ...missing]);
}

function kind({ type }: Note): string {
  if (type === null) return '';
  return `, ${type === 'relevant' ? pc.green(type) : pc.dim(type)}`;
}
