/**
 * Renders texts for prompts. Equal inputs give equal texts, and a longer history begins with the
 * text of the shorter one. Pure.
 */
import type { Demonstration, Passage, QueryEvidence } from '../core/vocabulary.js';

/** Returns the lower-case letter of a position: 0 -> a, 25 -> z. */
export function letter(position: number): string {
  return String.fromCharCode(97 + position);
}

/** Returns items as one text with letters: "(a) Paris, (b) Lyon". */
export function letteredList(items: readonly string[], separator = ', '): string {
  return items.map((item, k) => `(${letter(k)}) ${item}`).join(separator);
}

/**
 * Returns a text in which any such tag is broken by a space, so that it cannot open or close the
 * tags around it.
 */
export function escapeTags(text: string, tag: string): string {
  return text.replace(new RegExp(`<(?=/?${tag})`, 'gi'), '< ');
}

/**
 * Returns texts in numbered tags, with any such tags within them escaped; empty if there are no
 * texts.
 */
export function wrapInTags(texts: readonly string[], tag: string): string {
  return texts
    .map((text, i) => `<${tag} number="${i + 1}">\n${escapeTags(text, tag)}\n</${tag}>`)
    .join('\n');
}

/** Returns passages as text for a prompt, each with its title and text in numbered tags. */
export function renderPassages(passages: readonly Passage[]): string {
  const texts = passages.map(({ title, text }) =>
    title === '' ? text : `Title: ${title}\n${text}`,
  );
  return wrapInTags(texts, 'passage');
}

/**
 * Returns question-answer examples as text for a prompt (SuRe, appendix B), with a blank line after
 * each.
 */
export function renderDemonstrations(demonstrations: readonly Demonstration[]): string {
  return demonstrations
    .map(({ question, answer }) => `Question: ${question}\nAnswer: ${answer}\n`)
    .join('\n');
}

const NONE = '(none was found)';

/**
 * Returns query-evidence pairs as text for a prompt (ALLIES, section 4). A query that was not
 * searched has no evidence.
 */
export function renderEvidence(history: readonly QueryEvidence[]): string {
  const pairs = history.map(({ query, evidence }) =>
    evidence === null ? `Query: ${query}` : `Query: ${query}\nEvidence: ${evidence || NONE}`,
  );
  return wrapInTags(pairs, 'evidence');
}

/** A follow-up question with its intermediate answer; null if there is none. */
export interface AnsweredFollowUp {
  question: string;
  answer: string | null;
}

/** Returns answered follow-up questions as text for a prompt. */
export function renderFollowUps(history: readonly AnsweredFollowUp[]): string {
  const asked = history.map(
    ({ question, answer }) => `Follow up: ${question}\nIntermediate answer: ${answer ?? NONE}`,
  );
  return wrapInTags(asked, 'follow-up');
}

/**
 * A question of a chain, with the numbers of its passages, from 1, as evidence; or with its answer
 * if it has no passages.
 */
export type EvidencePair =
  | { question: string; evidence: number[] }
  | { question: string; answer: string | null };

/** Returns the questions of chains with their evidence or answers as text for a prompt. */
export function renderPairs(pairs: readonly EvidencePair[]): string {
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
 * A sub-question with its answer (null if none was found), and the numbers of its passages, from 1.
 */
export interface AnsweredSubQuestion {
  question: string;
  answer: string | null;
  evidence: number[];
}

/** Returns answered sub-questions as text for a prompt. */
export function renderSubQuestions(asked: readonly AnsweredSubQuestion[]): string {
  const texts = asked.map(({ question, answer, evidence }) => {
    const numbers = evidence.map((number) => `[${number}]`).join('');
    return `Question: ${question}\nAnswer: ${answer ?? NONE}${numbers && ` ${numbers}`}`;
  });
  return wrapInTags(texts, 'sub-question');
}

/**
 * Returns answered sub-queries as text for CoRAG's prompts; a missing answer is "No relevant
 * information found".
 */
export function renderQueries(pairs: readonly AnsweredFollowUp[]): string {
  const asked = pairs.map(
    ({ question, answer }) =>
      `Query: ${question}\nAnswer: ${answer ?? 'No relevant information found'}`,
  );
  return wrapInTags(asked, 'query');
}
