/** ALLIES by script: passages for each query, and lines for the states of its search. */

import type { Passage } from '../../core/vocabulary.js';
import type { Line } from '../../testing/scripted-model.js';
import { corporaThatFind } from './searches.js';

export const question = 'Who got the first patent for the telephone?';
export const when = 'When was the patent granted?';
export const caveat = 'Who filed a caveat?';
export const contested = 'Was the patent contested?';
export const number = 'Who held patent 174,465?';

/** Two passages for each of the queries, p1 and p2 for the first, and so on. */
const corpus: Passage[] = [question, when, caveat, contested, number].flatMap((query, i) =>
  [1, 2].map((n) => ({ id: `p${2 * i + n}`, title: query, text: `Passage ${2 * i + n} on it.` })),
);
export const byQuery = corporaThatFind(
  (query) => corpus.filter(({ title }) => title === query).map(({ id }) => id),
  corpus,
);

/** Matches the prompts that show evidence for exactly these queries. */
export function restingOn(...queries: string[]): RegExp {
  const pairs = queries.map((query, i) => `number="${i + 1}">\\nQuery: ${literal(query)}\\n[^]*`);
  return new RegExp(
    queries.length === 0 ? '^Task:' : `${pairs.join('')}(?<!number="${queries.length + 1}"[^]*)$`,
  );
}

export function literal(text: string): string {
  return text.replace(/[?.]/g, '\\$&');
}

/** The answer and the score of the state that rests on these queries. */
export function judged(queries: string[], answer: string, ...scores: string[]): Line[] {
  return [
    { step: 'answerWithEvidence', when: restingOn(...queries), say: answer },
    ...scores.map((say): Line => ({ step: 'scoreAnswer', when: restingOn(...queries), say })),
  ];
}

export function condensed(query: string, say: string): Line {
  return { step: 'condenseEvidence', when: new RegExp(`Title: ${literal(query)}`), say };
}

export function asks(queries: string[], ...says: string[]): Line[] {
  return says.map((say) => ({ step: 'askSubQueries', when: restingOn(...queries), say }));
}

/** Seeds that score low, with nothing asked of them yet. */
export const seeds: Line[] = [
  ...judged([], 'Gray', '0.2'),
  condensed(question, 'Bell got it.'),
  ...judged([question], 'Bell', '0.5'),
];
