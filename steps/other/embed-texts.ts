/** Embeds texts for whatever comes next: the vectors stay in the store, and out of the history. */
import { declareStep } from '../define.js';
import { shortened } from '../labels.js';

export interface EmbedTextsInput {
  /** Few enough for one request. */
  texts: string[];
}

/** Gives the keys of the vectors. */
export const embedTexts = declareStep<EmbedTextsInput, string[]>(({ texts }) =>
  texts.length === 1 ? `"${shortened(texts[0] ?? '')}"` : `${texts.length} texts`,
);
