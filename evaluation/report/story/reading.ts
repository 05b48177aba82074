/** The stories of GenRead, Chain-of-Note, base, and what reads like them. Pure. */
import type { BaseChain } from '../../../methods/base.js';
import type { ChainOfThoughtChain } from '../../../methods/baselines/chain-of-thought.js';
import type { SummarizeThenPredictChain } from '../../../methods/baselines/summarize-then-predict.js';
import type { ChainOfNoteChain, Note } from '../../../methods/chain-of-note.js';
import type { GeneratedDocument, GenreadChain } from '../../../methods/genread.js';
import type { Card, Chip, PassageItem, Section } from '../page-data.js';
import {
  cards,
  chip,
  cited,
  passageSection,
  readingSection,
  said,
  section,
  type Teller,
} from './parts.js';

/** The documents generated, then the passages that were read before them. */
export function genreadStory(chain: GenreadChain, teller: Teller): Section[] {
  const { documents, passages, demonstrationSet, reading } = chain;
  const items = documents.map(
    (document, i): Card => ({
      title: `Document ${i + 1}`,
      chips: originOf(document),
      blocks: said('', document.text),
    }),
  );
  return [
    ...readingSection(reading, teller),
    ...section('Generated documents', cards(items), {
      note: `${documents.length}${demonstrationSet ? `, shown examples of ${demonstrationSet}` : ''}`,
    }),
    ...passageSection(passages, teller),
  ];
}

function originOf({ sample, humanPrompt, cluster }: GeneratedDocument): Chip[] {
  return [
    ...(sample === undefined ? [] : [chip(`sample ${sample}`)]),
    ...(humanPrompt === undefined ? [] : [chip(`human prompt ${humanPrompt}`)]),
    ...(cluster === undefined ? [] : [chip(`cluster ${cluster}`)]),
  ];
}

/** The note on each passage, and the passage with it. */
export function chainOfNoteStory(
  { passages, notes, reading }: ChainOfNoteChain,
  teller: Teller,
): Section[] {
  const noteOn = new Map(notes.map((note) => [note.passage, note]));
  const items = passages.flatMap((passage, i): Card[] => {
    const note = noteOn.get(passage.id);
    if (!note) return [];
    return [
      { title: `${i + 1}. ${passage.title}`, chips: typeOf(note), blocks: said('', note.text) },
    ];
  });
  return [
    ...readingSection(reading, teller),
    ...section('Reading notes', cards(items), {
      note: `${notes.length}`,
    }),
    ...passageSection(passages, teller, ({ id }) => {
      const note = noteOn.get(id);
      return { chips: note ? typeOf(note) : [chip('no note', 'warn')] };
    }),
  ];
}

const NOTE_TONES = { relevant: 'good', contextual: 'warn', irrelevant: 'plain' } as const;

function typeOf({ type }: Note): Chip[] {
  return type === null ? [] : [chip(type, NOTE_TONES[type])];
}

export function baseStory({ passages, reading, citations }: BaseChain, teller: Teller): Section[] {
  const numbers = new Set((citations ?? []).map(({ number }) => number));
  const marks = (rank: number): Partial<PassageItem> => ({
    number: rank + 1,
    chips: numbers.has(rank + 1) ? [chip('cited', 'good')] : [],
  });
  return [
    ...(citations ? [] : readingSection(reading, teller)),
    ...passageSection(passages, teller, (_, rank) => (citations ? marks(rank) : {})),
  ];
}

export function chainOfThoughtStory(chain: ChainOfThoughtChain, teller: Teller): Section[] {
  return [
    ...section('Reasoning', said('', chain.reasoning)),
    ...readingSection(chain.reading, teller),
    ...passageSection(chain.passages, teller),
  ];
}

export function summarizeThenPredictStory(
  chain: SummarizeThenPredictChain,
  teller: Teller,
): Section[] {
  return [
    ...section('Summary', said('', chain.summary)),
    ...readingSection(chain.reading, teller),
    ...passageSection(chain.passages, teller),
  ];
}

/** The answer with its citations, for the chains that have any. */
export function citedAnswerOf(chain: unknown, teller: Teller) {
  const { citations } = Object(chain) as Partial<BaseChain>;
  return cited(teller.answer ?? '', citations, teller);
}
