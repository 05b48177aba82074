/** ALLIES: options, what a question costs, and what led to its answer. Pure. */

import { z } from 'zod';
import type { Method } from './method.js';
import { withoutEffect } from './options/without-effect.js';
import { type Given, type PlannedCall, partOf, times } from './planned-call.js';
import type { PassageRef, QueryEvidence } from './vocabulary.js';

const shape = {
  subQueries: z
    .int()
    .min(1)
    .max(10)
    .default(2)
    .describe('K, sub-queries asked for at most to extend a state (ALLIES table 6: NQ 2)'),
  depth: z
    .int()
    .min(1)
    .max(8)
    .default(2)
    .describe('D, how often states are extended at most (ALLIES table 6: NQ 2)'),
  passages: z
    .int()
    .min(1)
    .max(200)
    .default(2)
    .describe('N, passages for a query (ALLIES table 6: NQ 2), where evidence is retrieved'),
  threshold: z
    .number()
    .min(0)
    .max(1)
    .default(0.8)
    .describe('S, the score from which on an extended state ends the search (ALLIES table 6: 0.8)'),
  beamSize: z
    .int()
    .min(1)
    .max(10)
    .default(2)
    .describe('B, states kept of each depth (ALLIES table 6: NQ 2)'),
  evidence: z
    .enum(['retrieved', 'generated', 'none'])
    .default('retrieved')
    .describe(
      'what is found for a query: passages retrieved and condensed, or a background document (ALLIES 4.3); or nothing, so that the queries stand alone (5.5, table 2)',
    ),
};

const options = z.strictObject(shape).superRefine(
  withoutEffect(shape, [
    {
      names: ['passages'],
      when: ({ evidence }) => evidence !== 'retrieved',
      because: 'passages are searched for where the evidence is retrieved only',
    },
  ]),
);

export type AlliesOptions = z.output<typeof options>;

/** "Allies: Prompting Large Language Model with Beam Search". */
export const alliesMethod: Method<AlliesOptions> = {
  name: 'allies',
  title: 'ALLIES: beam search over sub-queries',
  source: 'ALLIES (Sun et al., Findings of EMNLP 2023), section 4, algorithm 1',
  options,
  steps: [
    'answerWithEvidence',
    'scoreAnswer',
    'askSubQueries',
    'condenseEvidence',
    'generateDocument',
  ],
  callsFormula:
    '5 + W(1 + 3K) for each depth, where W is 2 at depth 1 and then the states kept, at most B: at most 33 by default, 19 when depth 1 reaches S; without evidence 4 + W(1 + 2K); searches: 1 + W·K for each depth, only when evidence is retrieved',
  calls: (chosen) => alliesCost(chosen).calls,
  plan: planAllies,
  figures:
    'EM/F1, GPT-3.5-turbo: NQ 38.0/47.8 (K=2 B=2 D=2 N=2), TriviaQA 61.4/70.8 (generated, K=2 B=3 D=1), WebQ 28.2/45.6 (generated, K=3 B=3 D=2); without evidence NQ 22.4/34.5, WebQ 19.8/36.5',
};

/**
 * Model calls and searches of a question whose search ends after a number of depths, when every
 * state brings K new sub-queries: two seeds (an answer and a score each, one evidence), then for
 * each state extended one asking, and evidence, answer and score for each of its sub-queries. No
 * call for evidence where there is none.
 */
export function alliesCost(
  { subQueries, depth, beamSize, evidence }: AlliesOptions,
  depths = depth,
): { calls: number; retrievals: number } {
  const perQuery = evidence === 'none' ? 2 : 3;
  let [calls, retrievals, width] = [2 + perQuery, 1, 2];
  for (let d = 1; d <= depths; d++) {
    calls += width * (1 + perQuery * subQueries);
    retrievals += width * subQueries;
    width = Math.min(beamSize, width * subQueries);
  }
  return { calls, retrievals: evidence === 'retrieved' ? retrievals : 0 };
}

/** The steps counted by `alliesCost`, each state with the longest history it can have. */
function planAllies(chosen: AlliesOptions, given: Given): PlannedCall[] {
  const { subQueries: count, depth, beamSize } = chosen;
  const { question, output } = given;
  // Any of a state's queries may be the longest of those that were asked for with it.
  const kept = output('askSubQueries', { count });
  const steps = [
    ...planAnswer([], chosen, given),
    ...planFinding(question, chosen, given),
    ...planAnswer([question], chosen, given),
  ];
  let width = 2;
  for (let d = 1; d <= depth; d++) {
    // One of the two seeds has found nothing; of the states kept all may come from the other one.
    const longest = [question, ...times(d - 1, () => kept)];
    const histories = d === 1 ? [[], longest] : times(width, () => longest);
    for (const history of histories) steps.push(...planExtension(history, chosen, given));
    width = Math.min(beamSize, width * count);
  }
  return steps;
}

/** Sub-queries of a state, and what is found, answered and scored for each of them. */
function planExtension(queries: string[], chosen: AlliesOptions, given: Given): PlannedCall[] {
  const { subQueries: count } = chosen;
  const { question, output } = given;
  const query = partOf(output('askSubQueries', { count }), count);
  const asked = { question, history: planHistory(queries, chosen, given), count };
  return [
    { step: 'askSubQueries', input: asked },
    ...times(count, () => [
      ...planFinding(query, chosen, given),
      ...planAnswer([...queries, query], chosen, given),
    ]).flat(),
  ];
}

function planAnswer(queries: string[], chosen: AlliesOptions, given: Given): PlannedCall[] {
  const { question, output } = given;
  const shown = { question, history: planHistory(queries, chosen, given) };
  return [
    { step: 'answerWithEvidence', input: shown },
    { step: 'scoreAnswer', input: { ...shown, answer: output('answerWithEvidence') } },
  ];
}

function planHistory(
  queries: string[],
  { evidence }: AlliesOptions,
  { output }: Given,
): QueryEvidence[] {
  const writer = evidence === 'generated' ? 'generateDocument' : 'condenseEvidence';
  return queries.map((query) => ({ query, evidence: evidence === 'none' ? null : output(writer) }));
}

function planFinding(
  query: string,
  { evidence, passages: count }: AlliesOptions,
  { question, passages }: Given,
): PlannedCall[] {
  if (evidence === 'none') return [];
  if (evidence === 'generated')
    return [{ step: 'generateDocument', input: { query, short: true } }];
  return [
    { step: 'retrieve', input: { query } },
    { step: 'condenseEvidence', input: { question, query, passages: passages(count) } },
  ];
}

/** A query with what was found for it, and the passages that was condensed from. */
export interface Finding extends QueryEvidence {
  /** None unless the evidence was retrieved. */
  passages: PassageRef[];
}

/** What a reader of a state should know. */
export type StateFlag =
  | 'noEvidence' // nothing was found for its sub-query, or what was found could not be read
  | 'unreadableAnswer' // it takes no place in a beam
  | 'unreadableScore'; // it counts as 0

/** A new state before it has its place in the search. */
export interface Draft {
  /** What it was extended by; null for the first seed, the question itself for the second. */
  subQuery: string | null;
  passages: PassageRef[];
  /** Null for the first seed, and for all of them in a search without evidence. */
  evidence: string | null;
  answer: string | null;
  /** From 0 to 1. */
  score: number;
  flags: StateFlag[];
}

/** One state: what it adds to its parent, and the answer and score all of it together led to. */
export interface AlliesState extends Draft {
  /** Its position among the states. */
  id: number;
  /** 0 for a seed. */
  depth: number;
  /** The id of the state it extends; null for a seed. */
  parent: number | null;
  /** Whether it was in the beam of its depth. */
  kept: boolean;
}

/**
 * Why the search ended: a state kept of the last depth reached S; the greatest depth was reached;
 * or a depth brought no state with an answer, so that the beam before it stands.
 */
export type Stopped = 'threshold' | 'depth' | 'noExtension';

export interface AlliesChain {
  /** By depth, then in the order of their parents in the beam, then of the sub-queries. */
  states: AlliesState[];
  /** The id of the state whose answer was taken; null when none has an answer. */
  chosen: number | null;
  stopped: Stopped;
}
