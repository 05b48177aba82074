/** ALLIES: options, what a question costs, and the beam search over sub-queries. Pure. */
import { z } from 'zod';
import type { Method } from './method.js';
import type { PassageRef, QueryEvidence } from './vocabulary.js';

const options = z.strictObject({
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
    .describe('N, passages retrieved for a query (ALLIES table 6: NQ 2); unused when generated'),
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
    .enum(['retrieved', 'generated'])
    .default('retrieved')
    .describe('passages retrieved and condensed, or a background document (ALLIES 4.3, table 2)'),
});

export type AlliesOptions = z.output<typeof options>;

/** "Allies: Prompting Large Language Model with Beam Search". */
export const alliesMethod: Method<AlliesOptions> = {
  name: 'allies',
  title: 'ALLIES: beam search over sub-queries',
  source: 'ALLIES (Sun et al., Findings of EMNLP 2023), section 4, algorithm 1',
  options,
  callsFormula:
    '5 + W(1 + 3K) for each depth, where W is 2 at depth 1 and then the states kept, at most B: at most 33 by default, 19 when depth 1 reaches S; searches: 1 + W·K for each depth, none when generated',
  calls: (chosen) => alliesCost(chosen).calls,
  figures:
    'EM/F1, GPT-3.5-turbo: NQ 38.0/47.8 (K=2 B=2 D=2 N=2), TriviaQA 61.4/70.8 (generated, K=2 B=3 D=1), WebQ 28.2/45.6 (generated, K=3 B=3 D=2)',
};

/**
 * Model calls and searches of a question whose search ends after a number of depths, when every
 * state brings K new sub-queries: two seeds (an answer and a score each, one evidence), then for
 * each state extended one asking, and evidence, answer and score for each of its sub-queries.
 */
export function alliesCost(
  { subQueries, depth, beamSize, evidence }: AlliesOptions,
  depths = depth,
): { calls: number; retrievals: number } {
  let [calls, retrievals, width] = [5, 1, 2];
  for (let d = 1; d <= depths; d++) {
    calls += width * (1 + 3 * subQueries);
    retrievals += width * subQueries;
    width = Math.min(beamSize, width * subQueries);
  }
  return { calls, retrievals: evidence === 'retrieved' ? retrievals : 0 };
}

/** A query with what was found for it, and the passages that was condensed from. */
export interface Finding extends QueryEvidence {
  /** None when the evidence was generated. */
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

/** A search under way. */
export interface BeamSearch {
  states: AlliesState[];
  /** The states that are to be extended, in order. */
  beam: AlliesState[];
  stopped: Stopped | null;
}

/** A state from the findings it rests on, and what could be read of its answer and score. */
export function draftState(
  findings: readonly Finding[],
  answer: string | null,
  score: number | null,
): Draft {
  const { query = null, passages = [], evidence = null } = findings.at(-1) ?? {};
  const flags: StateFlag[] = [];
  if (evidence === '') flags.push('noEvidence');
  if (answer === null) flags.push('unreadableAnswer');
  else if (score === null) flags.push('unreadableScore');
  return { subQuery: query, passages, evidence, answer, score: score ?? 0, flags };
}

/** The initial beam: both seeds, whatever their scores (algorithm 1, lines 1 to 8). */
export function plantSeeds(seeds: readonly Draft[]): BeamSearch {
  const states = seeds.map((seed, id) => ({ ...seed, id, depth: 0, parent: null, kept: true }));
  return { states, beam: states, stopped: null };
}

/**
 * The search one depth further (algorithm 1, lines 10 to 24). Only states of the new depth can be
 * kept, and only they can end the search: neither a seed that reaches S nor a better state of an
 * earlier depth counts.
 *
 * @param extensions what each state of the beam was extended to, in the beam's order.
 */
export function extendBeam(
  search: BeamSearch,
  extensions: readonly (readonly Draft[])[],
  { depth: maxDepth, threshold, beamSize }: AlliesOptions,
): BeamSearch {
  const depth = 1 + Math.max(...search.states.map((state) => state.depth));
  const extended = search.beam
    .flatMap(({ id }, i) => (extensions[i] ?? []).map((draft) => ({ ...draft, parent: id })))
    .map((draft, i) => ({ ...draft, id: search.states.length + i, depth, kept: false }));
  const beam = best(extended, beamSize).map((state) => ({ ...state, kept: true }));
  const states = [
    ...search.states,
    ...extended.map((state) => beam.find(({ id }) => id === state.id) ?? state),
  ];
  if (beam.length === 0) return { states, beam: search.beam, stopped: 'noExtension' };
  if (beam.some(({ score }) => score >= threshold)) return { states, beam, stopped: 'threshold' };
  return { states, beam, stopped: depth >= maxDepth ? 'depth' : null };
}

/** The state of the last beam with the highest score (algorithm 1, line 26), if one has an answer. */
export function chooseState({ beam }: BeamSearch): (AlliesState & { answer: string }) | undefined {
  return best(beam, 1)[0];
}

/**
 * The highest scores, highest first. Of equals the one with the earlier parent in the beam, then
 * the earlier sub-query, which is the order the states stand in.
 */
function best(states: readonly AlliesState[], count: number) {
  return states
    .filter((state): state is AlliesState & { answer: string } => state.answer !== null)
    .sort((a, b) => b.score - a.score)
    .slice(0, count);
}

/** Everything a state rests on, from its seed on: Q and E of the paper. */
export function findingsOf(states: readonly AlliesState[], state: AlliesState): Finding[] {
  const parent = states.find(({ id }) => id === state.parent);
  const before = parent ? findingsOf(states, parent) : [];
  const { subQuery, passages, evidence } = state;
  return subQuery === null
    ? before
    : [...before, { query: subQuery, passages, evidence: evidence ?? '' }];
}

/** What of findings the model is shown. */
export function historyOf(findings: readonly Finding[]): QueryEvidence[] {
  return findings.map(({ query, evidence }) => ({ query, evidence }));
}

/** The ids of all passages that findings were condensed from, each once. */
export function passagesOf(findings: readonly Finding[]): string[] {
  return [...new Set(findings.flatMap(({ passages }) => passages.map(({ id }) => id)))];
}
