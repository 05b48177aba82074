/** Chain-of-Note (Yu et al., 2023, section 3.3). */

import { z } from 'zod';
import { whole } from '../../core/options/ranges.js';
import { chainPassages } from '../../core/passages-read.js';
import { type Conclusion, concluded } from '../../core/result.js';
import type { Chip, Section } from '../../core/section.js';
import type { ViewContext } from '../../core/view.js';
import type { PassageRef } from '../../core/vocabulary.js';
import {
  cards,
  chip,
  count,
  note,
  passageList,
  readingSection,
  section,
  text,
} from '../../report/views/section-parts.js';
import type { Note } from '../../steps/chain-of-note.js';
import type { WrittenNote } from '../../steps/outputs/notes.js';
import { defineMethod } from '../define-method.js';
import { optionsOf } from './options.js';

const options = optionsOf(
  {
    passages: whole(1, 50).default(5).describe('k, passages retrieved (Chain-of-Note A.3: 5)'),
    form: z
      .enum(['single', 'per-passage'])
      .default('single')
      .describe(
        'single: one call writes all notes and the answer (Chain-of-Note 3.3); per-passage: one call a note, then one for the answer, so that each note is kept by itself (ours)',
      ),
    examples: z
      .boolean()
      .default(false)
      .describe(
        'shows one example of each type of note, in the single form only (Chain-of-Note 3.3.2, data collection)',
      ),
  },
  {
    unread: {
      examples: ({ form }) => form !== 'single' && 'examples are shown in the form single only',
    },
  },
);

/**
 * The chain of `chainOfNote`: the passages, the reading notes in the order of the passages (those
 * without a note are left out), and the answer as read, null if it could not be read.
 */
export interface ChainOfNoteChain {
  passages: PassageRef[];
  /** Notes in the order of the passages; passages without a note are left out. */
  notes: Note[];
  /** The answer as read, "unknown" included; null if it could not be read. */
  reading: string | null;
}

/**
 * The method `chainOfNote`: writes a reading note for each passage, then the answer ("Chain-of-Note:
 * Enhancing Robustness in Retrieval-Augmented Language Models").
 */
export const chainOfNote = defineMethod({
  module: import.meta.url,
  name: 'chainOfNote',
  title: 'Chain-of-Note: a reading note for each passage, then the answer',
  source: 'Chain-of-Note (Yu et al., 2023), section 3.3, appendix A.3',
  options,
  passagesRead: chainPassages,
  facts: { texts: { notes: ({ notes }: ChainOfNoteChain) => notes.map(({ text }) => text) } },
  view: chainOfNoteView,
  figures:
    'EM/F1, fine-tuned LLaMa-2 7B + DPR, k=5: NQ 48.9/57.5, TriviaQA 76.3/82.3, WebQ 32.3/46.7; at 100% noise EM average 47.7 (without notes 39.7); RealTimeQA reject rate 13.0 (without notes 6.1)',

  /**
   * Writes a reading note on each passage that judges its relevance, then answers: from relevant
   * passages; else with their context; else from what the model knows; else "unknown".
   */
  async algorithm(asked): Promise<Conclusion<ChainOfNoteChain>> {
    const { question, options, step, flag } = asked;
    const { passages: count, form, examples } = options;
    const retrieved = await step.retrieve({ query: question, count });
    const passages = retrieved.map(({ id }) => id);

    const single = form === 'single' && passages.length > 0;
    const noted = single ? await inOneCall() : await onePassageACall();

    const notes = notesOf(passages, noted.notes);
    if (notes.length < passages.length) {
      flag('fewerNotes', noted.step, `${notes.length} of ${passages.length}`);
    }
    const evidence = evidenceOf(passages, notes);
    const chain = { passages: retrieved, notes, reading: noted.answer };
    return concluded(noted.answer, evidence, chain);

    async function inOneCall() {
      const reading = await step.takeNotes({ question, passages, examples });
      if (reading.extra > 0) {
        flag('extraNotes', 'takeNotes', `${reading.extra} on passages that do not exist`);
      }
      return { step: 'takeNotes', ...reading };
    }

    async function onePassageACall() {
      const notes = await Promise.all(
        passages.map((passage, k) => step.takeNote({ question, passage, k })),
      );
      const answer = await step.answerFromNotes({ question, passages, notes });
      return { step: 'takeNote', notes, answer };
    }
  },
});

function chainOfNoteView(chain: ChainOfNoteChain, context: ViewContext): Section[] {
  const noteOn = new Map(chain.notes.map((written) => [written.passage, written]));
  const items = chain.passages.flatMap(({ id, title }, i) => {
    const written = noteOn.get(id);
    if (!written) return [];
    const heading = `${i + 1}. ${title || id}`;
    return [{ title: heading, chips: typeOf(written), blocks: text(written.text) }];
  });
  const without = chain.passages.length - items.length;
  const listed = passageList(chain.passages, ({ id }) => {
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

/** Returns the notes with their passages' ids; an item of `written` is null if there is no note. */
function notesOf(passages: readonly string[], written: readonly (WrittenNote | null)[]): Note[] {
  return passages.flatMap((passage, i) => {
    const note = written[i];
    return note ? [{ passage, ...note }] : [];
  });
}

/**
 * Returns the ids of the passages that an answer can rest on: all but those noted as irrelevant.
 */
function evidenceOf(passages: readonly string[], notes: readonly Note[]): string[] {
  const irrelevant = new Set(
    notes.filter(({ type }) => type === 'irrelevant').map(({ passage }) => passage),
  );
  return passages.filter((passage) => !irrelevant.has(passage));
}
