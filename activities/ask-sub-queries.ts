/** ALLIES, Ask: what else should be found out (section 4.2, appendix C.2). */
import type { QueryEvidence } from '../methods/vocabulary.js';
import { renderEvidence } from './evidence.js';
import { defineStep } from './step.js';

export interface AskSubQueriesInput {
  question: string;
  /** Oldest first. */
  history: QueryEvidence[];
  /** K, how many to ask for at most. */
  count: number;
}

/**
 * At most K, the most important first. Those that the history has already are left out: added to
 * its queries, which are a set, they would leave it as it is. None when the output stayed
 * unreadable.
 */
export const askSubQueries = defineStep<AskSubQueriesInput, string[]>({
  prompt: 'ask-sub-queries',
  maxTokens: 384,
  variables: ({ question, history, count }) => ({
    question,
    count: String(count),
    evidence: renderEvidence(history),
  }),
  parse({ text, cut }, { history, count }) {
    const read = parseSubQueries(text);
    // The last of a list that was stopped is half a question.
    const whole = cut ? read.slice(0, -1) : read;
    if (whole.length === 0) return undefined;
    const asked = new Set(history.map(({ query }) => bare(query)));
    return whole.filter((query) => !asked.has(bare(query))).slice(0, count);
  },
  fallback: () => [],
});

/** Ways models mark the items of a list, the surest first. */
const MARKERS = [
  /^\s*(?:\(?\d{1,2}[.):]|#?\d{1,2}\s+-)\s*(.*)/,
  /^\s*(?:(?:sub-?)?(?:question|query)|q)\s*#?\d{1,2}\s*[:.)-]\s*(.*)/i,
  /^\s*\(?[a-j][.)]\s+(.*)/i,
  /^\s*[-•–>]\s*(.*)/,
  /^\s*(.*\?)\s*$/,
];

/** Reads the questions of a list, however it is marked, each once and in the order given. */
export function parseSubQueries(text: string): string[] {
  const plain = text.replace(/\*\*|__|`/g, '').replace(/^(\s*)\*\s/gm, '$1- ');
  const lines = jsonItems(plain) ?? plain.replace(/\?\s+(?=\(?\d{1,2}[.)]\s)/g, '?\n').split('\n');
  for (const marker of jsonItems(plain) ? [/(.*)/s] : MARKERS) {
    const items = lines.flatMap((line) => cleanQuery(marker.exec(line)?.[1] ?? '') ?? []);
    if (items.length > 0) return distinct(items);
  }
  return [];
}

function jsonItems(text: string): string[] | undefined {
  const array = /\[\s*"[\s\S]*"\s*\]/.exec(text);
  if (!array) return undefined;
  try {
    const items: unknown = JSON.parse(array[0]);
    return Array.isArray(items) && items.every((item) => typeof item === 'string')
      ? items
      : undefined;
  } catch {
    return undefined;
  }
}

/** Without labels, brackets, quotes, and the remarks that follow a question. */
function cleanQuery(item: string): string | undefined {
  const query = item
    .trim()
    .replace(/^\[?(?:sub-?)?(?:question|query)\s*#?\d*\s*(?:\]|:)\s*:?/i, '')
    .replace(/\?["”’'\])]*\s+[-–—(].*$/, '?')
    .trim()
    .replace(/^["“‘'[]+(.*?)["”’'\]]+[.,]?$/, '$1')
    .trim();
  return /\p{L}/u.test(query) ? query : undefined;
}

/** What two queries have in common that differ in letter case, spaces and end marks only. */
function bare(query: string): string {
  return query
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/[\s?.!]+$/, '')
    .trim();
}

function distinct(queries: string[]): string[] {
  const seen = new Map<string, string>();
  for (const query of queries) if (!seen.has(bare(query))) seen.set(bare(query), query);
  return [...seen.values()];
}
