/**
 * Formats texts for prompts. Equal inputs give equal texts, and the text of a longer history begins
 * with that of the shorter one. Pure.
 */
import type { Demonstration, Passage, QueryEvidence } from '../core/vocabulary.js';

/** Returns the lower-case letter of a position from 0 to 25: a for 0, z for 25. */
export function letter(position: number): string {
  return String.fromCharCode(97 + position);
}

/**
 * Returns up to 26 items as one text with letters: "(a) Paris, (b) Lyon".
 *
 * @param separator Text between two items.
 */
export function letteredList(items: readonly string[], separator = ', '): string {
  return items.map((item, k) => `(${letter(k)}) ${item}`).join(separator);
}

/**
 * Returns a text with a space after the "<" of each opening or closing tag of the given name, so
 * that it cannot end the tags around the text.
 */
export function escapeTags(text: string, tag: string): string {
  return text.replace(new RegExp(`<(?=/?${tag})`, 'gi'), '< ');
}

/**
 * Returns texts as one text, each in tags such as `<summary number="1">`, numbered from 1; such
 * tags within a text are escaped. Empty if there are no texts.
 */
export function wrapInTags(texts: readonly string[], tag: string): string {
  return texts
    .map((text, i) => `<${tag} number="${i + 1}">\n${escapeTags(text, tag)}\n</${tag}>`)
    .join('\n');
}

/**
 * Returns passages as text for a prompt, each in numbered `<passage>` tags, with its title if it
 * has one.
 */
export function renderPassages(passages: readonly Passage[]): string {
  const texts = passages.map(({ title, text }) =>
    title === '' ? text : `Title: ${title}\n${text}`,
  );
  return wrapInTags(texts, 'passage');
}

/**
 * Returns question-answer examples as text for a prompt (SuRe, appendix B), with an empty line
 * between them and a line break at the end; empty if there are none.
 */
export function renderDemonstrations(demonstrations: readonly Demonstration[]): string {
  return demonstrations
    .map(({ question, answer }) => `Question: ${question}\nAnswer: ${answer}\n`)
    .join('\n');
}

const NONE = '(none was found)';

/**
 * Returns queries and their evidence as text for a prompt (ALLIES, section 4), each in numbered
 * `<evidence>` tags. A query that was not searched is shown without evidence.
 */
export function renderEvidence(history: readonly QueryEvidence[]): string {
  const pairs = history.map(({ query, evidence }) =>
    evidence === null ? `Query: ${query}` : `Query: ${query}\nEvidence: ${evidence || NONE}`,
  );
  return wrapInTags(pairs, 'evidence');
}

/** A follow-up question or sub-query with its intermediate answer, null if none was found. */
export interface AnsweredFollowUp {
  question: string;
  /** The answer; null if none was found. */
  answer: string | null;
}

/**
 * Returns answered follow-up questions as text for a prompt, each in numbered `<follow-up>` tags.
 */
export function renderFollowUps(history: readonly AnsweredFollowUp[]): string {
  const asked = history.map(
    ({ question, answer }) => `Follow up: ${question}\nIntermediate answer: ${answer ?? NONE}`,
  );
  return wrapInTags(asked, 'follow-up');
}

/**
 * A question of a chain with its evidence, as numbers (from 1) of the passages that the prompt
 * shows; or, in a prompt without passages, with its answer, which is null if none was found.
 */
export type EvidencePair =
  | { question: string; evidence: number[] }
  | { question: string; answer: string | null };

/**
 * Returns the questions of chains with their evidence or answers as text for a prompt, each in
 * numbered `<pair>` tags.
 */
export function renderEvidencePairs(pairs: readonly EvidencePair[]): string {
  const known = (pair: EvidencePair) =>
    'evidence' in pair
      ? `Evidence: passages ${pair.evidence.join(', ')}`
      : `Answer: ${pair.answer ?? NONE}`;
  return wrapInTags(
    pairs.map((pair) => `Question: ${pair.question}\n${known(pair)}`),
    'pair',
  );
}

/**
 * A sub-question with its answer, null if none was found, and the numbers of the passages that it
 * rests on, from 1.
 */
export interface AnsweredSubQuestion {
  question: string;
  /** The answer; null if none was found. */
  answer: string | null;
  /** Numbers of its passages, from 1. */
  evidence: number[];
}

/** Returns answered sub-questions as text for a prompt, each in numbered `<sub-question>` tags. */
export function renderSubQuestions(asked: readonly AnsweredSubQuestion[]): string {
  const texts = asked.map(({ question, answer, evidence }) => {
    const numbers = evidence.map((number) => `[${number}]`).join('');
    return `Question: ${question}\nAnswer: ${answer ?? NONE}${numbers && ` ${numbers}`}`;
  });
  return wrapInTags(texts, 'sub-question');
}

/**
 * Returns answered sub-queries as text for CoRAG's prompts, each in numbered `<query>` tags. A
 * missing answer is shown as "No relevant information found".
 */
export function renderQueries(pairs: readonly AnsweredFollowUp[]): string {
  const asked = pairs.map(
    ({ question, answer }) =>
      `Query: ${question}\nAnswer: ${answer ?? 'No relevant information found'}`,
  );
  return wrapInTags(asked, 'query');
}
