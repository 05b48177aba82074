/**
 * Declarations of the steps that use no language model, such as searches. `activities/steps/`
 * implements them.
 */
import { shortened } from '../core/shortened.js';
import type { PassageRef, SearchMode } from '../core/vocabulary.js';
import { declareStep, LONGEST_LABEL } from './define.js';

/** The input of a search. */
export interface RetrieveInput {
  query: string;
  /** Maximum number of passages to return. */
  count: number;
}

/**
 * The passages that a question searches: a corpus by name, or supplied passages, which keep their
 * order unless there is a mode.
 */
export type SearchSource =
  | { corpus: string; mode?: SearchMode }
  | { supplied: PassageRef[]; mode?: SearchMode };

/** Searches the corpus or the supplied passages; returns references to passages, best first. */
export const retrieve = declareStep<RetrieveInput, PassageRef[]>(
  ({ query, count }) => `${count} for "${shortened(query, LONGEST_LABEL)}"`,
);

/** The input of the step that scores passages by the similarity of their words to a query. */
export interface ScoreByTfIdfInput {
  query: string;
  /** Passage ids. */
  passages: string[];
}

/**
 * Scores each passage by the cosine similarity of its TF-IDF vector with the query's; returns
 * numbers from 0 to 1, in the order of the passages: the weights of Rerank's votes (SuRe 4.1).
 */
export const scoreByTfIdf = declareStep<ScoreByTfIdfInput, number[]>(
  ({ passages }) => `${passages.length} passages`,
);

/** The input of the step that embeds texts. */
export interface EmbedTextsInput {
  /** Texts; their number must fit into one request. */
  texts: string[];
}

/** Embeds texts; returns the keys of their vectors in the store, in the order of the texts. */
export const embedTexts = declareStep<EmbedTextsInput, string[]>(({ texts }) =>
  texts.length === 1 ? `"${shortened(texts[0] ?? '', LONGEST_LABEL)}"` : `${texts.length} texts`,
);

/** The input of steps that rank passages by their relevance to a text. */
export interface RankInput {
  /** Text that the passages are compared with, such as a question or a summary. */
  text: string;
  /** Passage ids; their number must fit into one request. */
  passages: string[];
  /** Maximum number of passages to return. */
  count: number;
}

/**
 * Ranks passages by the cosine similarity of their embeddings to the text's; returns them best
 * first (SuRe C.2).
 */
export const rankBySimilarity = declareStep<RankInput, PassageRef[]>(
  ({ text, passages }) => `${passages.length} passages by "${shortened(text, LONGEST_LABEL)}"`,
);

/** Ranks passages by the scores of a cross-encoder; returns them best first (LLatrieval 4.1). */
export const rankByCrossEncoder = declareStep<RankInput, PassageRef[]>(
  ({ text, passages }) => `${passages.length} passages for "${shortened(text, LONGEST_LABEL)}"`,
);

/** The input of the step that looks up a demonstration set by name. */
export interface DemonstrationSetInput {
  name: string;
}

/** A reference to one version of a stored demonstration set. */
export interface DemonstrationSetRef {
  /** Id derived from the content, since a name may later refer to another set. */
  id: string;
  /** Number of its clusters. */
  clusters: number;
}

/** Looks up a stored demonstration set by name; returns a reference to its current version. */
export const demonstrationSet = declareStep<DemonstrationSetInput, DemonstrationSetRef>(
  ({ name }) => name,
);
