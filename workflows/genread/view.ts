/** GenRead: the documents generated, and the passages that were read before them. Pure. */

import type { Chip, Section } from '../../core/section.js';
import type { ViewContext } from '../../core/view.js';
import {
  cards,
  chip,
  passageSection,
  readingSection,
  section,
  text,
} from '../../report/views/parts.js';
import type { GeneratedDocument, GenreadChain } from './options.js';

export function genreadView(chain: GenreadChain, context: ViewContext): Section[] {
  const { documents, passages, demonstrationSet, reading } = chain;
  const items = documents.map((document, i) => ({
    title: `Document ${i + 1}`,
    chips: originOf(document),
    blocks: text(document.text),
  }));
  const shown = demonstrationSet === null ? '' : `, shown examples of ${demonstrationSet}`;
  return [
    ...readingSection(reading, context),
    ...section('Generated documents', cards(items), { note: `${documents.length}${shown}` }),
    ...passageSection(passages),
  ];
}

/** Returns what distinguishes a document from the others, counted from 1. */
function originOf({ sample, humanPrompt, cluster }: GeneratedDocument): Chip[] {
  return [
    ...(sample === undefined ? [] : [chip(`sample ${sample}`)]),
    ...(humanPrompt === undefined ? [] : [chip(`human prompt ${humanPrompt}`)]),
    ...(cluster === undefined ? [] : [chip(`cluster ${cluster + 1}`)]),
  ];
}
