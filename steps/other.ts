/** The steps that ask no language model, as methods name them; `activities/steps/` carries them out. */
import { shortened } from '../core/shortened.js';
import type { PassageRef, SearchMode } from '../core/vocabulary.js';
import { declareStep, LABEL } from './define.js';

export interface RetrieveInput {
  query: string;
  /** How many passages, at most. */
  count: number;
}

/**
 * Where to search: a corpus by name, or the passages that came with the question, which without a
 * mode stay in the order they were given in.
 */
export type Source =
  | { corpus: string; mode?: SearchMode }
  | { supplied: PassageRef[]; mode?: SearchMode };

/** References to passages, best first. */
export const retrieve = declareStep<RetrieveInput, PassageRef[]>(
  ({ query, count }) => `${count} for "${shortened(query, LABEL)}"`,
);

export interface ScoreByTfIdfInput {
  query: string;
  /** Ids. */
  passages: string[];
}

/** How well each passage fits the question, from 0 to 1: the weights of Rerank's votes (SuRe 4.1). */
export const scoreByTfIdf = declareStep<ScoreByTfIdfInput, number[]>(
  ({ passages }) => `${passages.length} passages`,
);

export interface EmbedTextsInput {
  /** Few enough for one request. */
  texts: string[];
}

/** The keys of the vectors, which stay in the store, and out of the history. */
export const embedTexts = declareStep<EmbedTextsInput, string[]>(({ texts }) =>
  texts.length === 1 ? `"${shortened(texts[0] ?? '', LABEL)}"` : `${texts.length} texts`,
);

export interface RankInput {
  /** What the passages should be near to: a question, a summary. */
  text: string;
  /** Ids, few enough for one request. */
  passages: string[];
  /** How many to give back, at most. */
  count: number;
}

/** Best first, by cosine (SuRe appendix C.2; reranking by an embedding). */
export const rankBySimilarity = declareStep<RankInput, PassageRef[]>(
  ({ text, passages }) => `${passages.length} passages by "${shortened(text, LABEL)}"`,
);

/** Best first, by a cross-encoder (LLatrieval 4.1). */
export const rankByCrossEncoder = declareStep<RankInput, PassageRef[]>(
  ({ text, passages }) => `${passages.length} passages for "${shortened(text, LABEL)}"`,
);

export interface DemonstrationSetInput {
  name: string;
}

/** A stored demonstration set as a question uses it. */
export interface DemonstrationSetRef {
  /** Made from its content: a name can be given to another set later. */
  id: string;
  clusters: number;
}

/** Finds a stored set by its name, so that all of a question uses the same one. */
export const demonstrationSet = declareStep<DemonstrationSetInput, DemonstrationSetRef>(
  ({ name }) => name,
);
