/**
 * The steps without a language model, as methods name them; `activities/steps/` carries them out.
 */
import { shortened } from '../core/shortened.js';
import type { PassageRef, SearchMode } from '../core/vocabulary.js';
import { declareStep, LABEL } from './define.js';

/** A search of a corpus: the query, and the most passages that it returns. */
export interface RetrieveInput {
  query: string;
  /** Most passages to return. */
  count: number;
}

/**
 * What is searched: a corpus by name, or the passages that came with the question, which stay in
 * their order unless there is a mode.
 */
export type Source =
  | { corpus: string; mode?: SearchMode }
  | { supplied: PassageRef[]; mode?: SearchMode };

/** Searches the corpus, and returns references to the passages found, best first. */
export const retrieve = declareStep<RetrieveInput, PassageRef[]>(
  ({ query, count }) => `${count} for "${shortened(query, LABEL)}"`,
);

/** Passages that are scored by how well their words match a query. */
export interface ScoreByTfIdfInput {
  query: string;
  /** Passage ids. */
  passages: string[];
}

/**
 * Returns how well each passage fits the question, from 0 to 1: the weights of Rerank's votes (SuRe
 * 4.1).
 */
export const scoreByTfIdf = declareStep<ScoreByTfIdfInput, number[]>(
  ({ passages }) => `${passages.length} passages`,
);

/** Texts to be embedded. */
export interface EmbedTextsInput {
  /** Texts, few enough for one request. */
  texts: string[];
}

/** Returns the keys of the vectors, which stay in the store and out of the history. */
export const embedTexts = declareStep<EmbedTextsInput, string[]>(({ texts }) =>
  texts.length === 1 ? `"${shortened(texts[0] ?? '', LABEL)}"` : `${texts.length} texts`,
);

/** Passages that are ranked by their similarity to a text. */
export interface RankInput {
  /** Text that the passages are compared with: a question, a summary. */
  text: string;
  /** Passage ids, few enough for one request. */
  passages: string[];
  /** Most passages to return. */
  count: number;
}

/** Returns passages best first, by cosine (SuRe appendix C.2; reranking by an embedding). */
export const rankBySimilarity = declareStep<RankInput, PassageRef[]>(
  ({ text, passages }) => `${passages.length} passages by "${shortened(text, LABEL)}"`,
);

/** Returns passages best first, by a cross-encoder (LLatrieval 4.1). */
export const rankByCrossEncoder = declareStep<RankInput, PassageRef[]>(
  ({ text, passages }) => `${passages.length} passages for "${shortened(text, LABEL)}"`,
);

/** The name of a stored demonstration set. */
export interface DemonstrationSetInput {
  name: string;
}

/** A reference to one version of a stored demonstration set. */
export interface DemonstrationSetRef {
  /** Id derived from the content, since a name can refer to another set later. */
  id: string;
  /** Number of its clusters. */
  clusters: number;
}

/** Finds a stored set by name, so that all of a question uses the same one. */
export const demonstrationSet = declareStep<DemonstrationSetInput, DemonstrationSetRef>(
  ({ name }) => name,
);
