/**
 * Renders texts for prompts. Equal texts give equal bytes, and a longer history begins like the one
 * it extends. Pure.
 */
import type { Demonstration, Passage, QueryEvidence } from '../core/vocabulary.js';

/** Returns the letter of a position: 0 -> a, 25 -> z. */
export function letter(position: number): string {
  return String.fromCharCode(97 + position);
}

/** Returns items with letters: "(a) Paris, (b) Lyon". */
export function lettered(items: readonly string[], separator = ', '): string {
  return items.map((item, k) => `(${letter(k)}) ${item}`).join(separator);
}

/** Returns a text that cannot open or close the tags around it. */
export function takenApart(text: string, tag: string): string {
  return text.replace(new RegExp(`<(?=/?${tag})`, 'gi'), '< ');
}

/** Returns texts between numbered tags that no text can close; empty without texts. */
export function tagged(texts: readonly string[], tag: string): string {
  return texts
    .map((text, i) => `<${tag} number="${i + 1}">\n${takenApart(text, tag)}\n</${tag}>`)
    .join('\n');
}

/** Returns passages in the form of every prompt. */
export function renderPassages(passages: readonly Passage[]): string {
  const texts = passages.map(({ title, text }) =>
    title === '' ? text : `Title: ${title}\n${text}`,
  );
  return tagged(texts, 'passage');
}

/**
 * Returns question-answer examples (SuRe, few-shot prompts in appendix B), a blank line after each.
 */
export function renderDemonstrations(demonstrations: readonly Demonstration[]): string {
  return demonstrations
    .map(({ question, answer }) => `Question: ${question}\nAnswer: ${answer}\n`)
    .join('\n');
}

const NONE = '(none was found)';

/**
 * Returns query-evidence pairs (ALLIES, the reasoning history of section 4). A query without a
 * search is alone.
 */
export function renderEvidence(history: readonly QueryEvidence[]): string {
  const pairs = history.map(({ query, evidence }) =>
    evidence === null ? `Query: ${query}` : `Query: ${query}\nEvidence: ${evidence || NONE}`,
  );
  return tagged(pairs, 'evidence');
}

/** A follow-up question with its intermediate answer; null if there is none. */
export interface AnsweredFollowUp {
  question: string;
  answer: string | null;
}

export function renderFollowUps(history: readonly AnsweredFollowUp[]): string {
  const asked = history.map(
    ({ question, answer }) => `Follow up: ${question}\nIntermediate answer: ${answer ?? NONE}`,
  );
  return tagged(asked, 'follow-up');
}

/**
 * A question of a chain, with the numbers of its passages, from 1. Without passages its answer is
 * the evidence.
 */
export type EvidencePair =
  | { question: string; evidence: number[] }
  | { question: string; answer: string | null };

export function renderPairs(pairs: readonly EvidencePair[]): string {
  const known = (pair: EvidencePair) =>
    'evidence' in pair
      ? `Evidence: passages ${pair.evidence.join(', ')}`
      : `Answer: ${pair.answer ?? NONE}`;
  return tagged(
    pairs.map((pair) => `Question: ${pair.question}\n${known(pair)}`),
    'pair',
  );
}

/** A sub-question with its answer, and the numbers, from 1, of the passages that it rests on. */
export interface AnsweredSubQuestion {
  question: string;
  answer: string | null;
  evidence: number[];
}

export function renderSubQuestions(asked: readonly AnsweredSubQuestion[]): string {
  const texts = asked.map(({ question, answer, evidence }) => {
    const numbers = evidence.map((number) => `[${number}]`).join('');
    return `Question: ${question}\nAnswer: ${answer ?? NONE}${numbers && ` ${numbers}`}`;
  });
  return tagged(texts, 'sub-question');
}

/** Renders sub-queries as CoRAG words them: a missing answer is one that no passage holds. */
export function renderQueries(pairs: readonly AnsweredFollowUp[]): string {
  const asked = pairs.map(
    ({ question, answer }) =>
      `Query: ${question}\nAnswer: ${answer ?? 'No relevant information found'}`,
  );
  return tagged(asked, 'query');
}
