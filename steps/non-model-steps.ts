/**
 * Declarations of the steps that use no language model, such as searches. `activities/runtime/`
 * implements them.
 */
import { shortened } from '../core/shortened.js';
import type { PassageRef, SearchMode } from '../core/vocabulary.js';
import { declareStep, LONGEST_LABEL } from './define.js';

/** The input of a search: a query, and the maximum number of passages to return. */
export interface RetrieveInput {
  query: string;
  /** Maximum number of passages to return. */
  count: number;
}

/**
 * The source that a question searches: a corpus, by its name, or passages that came with the
 * question, by reference. Each may have a search mode; supplied passages without one keep their
 * order.
 */
export type SearchSource =
  | { corpus: string; mode?: SearchMode }
  | { supplied: PassageRef[]; mode?: SearchMode };

/**
 * Declaration of the step that searches the question's corpus or supplied passages. Its output is
 * references (`id`, `title`, `score`) to at most `count` passages, best first; supplied passages
 * without a mode keep their order.
 */
export const retrieve = declareStep<RetrieveInput, PassageRef[]>(
  ({ query, count }) => `${count} for "${shortened(query, LONGEST_LABEL)}"`,
);

/**
 * The input of the step that scores passages by the words that they share with a query: the query
 * and ids of passages.
 */
export interface ScoreByTfIdfInput {
  query: string;
  /** Passage ids. */
  passages: string[];
}

/**
 * Declaration of the step that scores passages by the cosine similarity of their TF-IDF vectors
 * with the query's. Its output is one number from 0 to 1 per passage, in their order: the weights
 * of votes in Rerank (SuRe 4.1).
 */
export const scoreByTfIdf = declareStep<ScoreByTfIdfInput, number[]>(
  ({ passages }) => `${passages.length} passages`,
);

/** The input of the step that embeds texts: the list of texts. */
export interface EmbedTextsInput {
  /** Texts; their number must fit into one request. */
  texts: string[];
}

/**
 * Declaration of the step that embeds texts and stores their vectors. Its output is the keys of
 * the vectors in the store, in the order of the texts.
 */
export const embedTexts = declareStep<EmbedTextsInput, string[]>(({ texts }) =>
  texts.length === 1 ? `"${shortened(texts[0] ?? '', LONGEST_LABEL)}"` : `${texts.length} texts`,
);

/**
 * The input of the steps that rank passages by their relevance to a text: the text, ids of
 * passages, and how many to return.
 */
export interface RankInput {
  /** Text that the passages are compared with, such as a question or a summary. */
  text: string;
  /** Passage ids; their number must fit into one request. */
  passages: string[];
  /** Maximum number of passages to return. */
  count: number;
}

/**
 * Declaration of the step that ranks passages by the cosine similarity of their embeddings to that
 * of a text. Its output is references (`id`, `title`, `score`) to at most `count` passages, best
 * first (SuRe C.2).
 */
export const rankBySimilarity = declareStep<RankInput, PassageRef[]>(
  ({ text, passages }) => `${passages.length} passages by "${shortened(text, LONGEST_LABEL)}"`,
);

/**
 * Declaration of the step that ranks passages by the scores that a cross-encoder gives them for a
 * text. Its output is references (`id`, `title`, `score`) to at most `count` passages, best first
 * (LLatrieval 4.1).
 */
export const rankByCrossEncoder = declareStep<RankInput, PassageRef[]>(
  ({ text, passages }) => `${passages.length} passages for "${shortened(text, LONGEST_LABEL)}"`,
);

/** The input of the step that looks up a demonstration set: its name. */
export interface DemonstrationSetInput {
  name: string;
}

/**
 * A reference to one version of a stored demonstration set: an id made from its content, and the
 * number of its clusters.
 */
export interface DemonstrationSetRef {
  /** Id made from the content, since another set may later have the name. */
  id: string;
  /** Number of its clusters. */
  clusters: number;
}

/**
 * Declaration of the step that looks up a stored demonstration set by name. Its output is the `id`
 * of its current version, and its number of clusters (`clusters`). The call fails if there is
 * none.
 */
export const demonstrationSet = declareStep<DemonstrationSetInput, DemonstrationSetRef>(
  ({ name }) => name,
);
