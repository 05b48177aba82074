/** ALLIES' beam search over sub-queries. Pure. */

import type { QueryEvidence } from '../../../core/vocabulary.js';
import type { AlliesState, Draft, Finding, StateFlag, StopReason } from './chain.js';

/** The options of the search. */
interface BeamOptions {
  /** D: greatest depth. */
  depth: number;
  /** S: score that ends the search. */
  threshold: number;
  /** B: states kept at each depth. */
  beamSize: number;
}

/** The state of a beam search: all states so far, and those to extend next. */
interface BeamSearch {
  states: AlliesState[];
  /** States to extend next, in order. */
  beam: AlliesState[];
  stopped: StopReason | null;
}

/**
 * Returns a new state of the search from its findings, with flags: for evidence that is missing or
 * could not be read, and for an answer or, if it has an answer, a score that could not be read.
 *
 * @param findings Findings of the state's ancestors, then its own; empty for the first seed.
 * @param answer Null if it could not be read.
 * @param score From 0 to 1; null if it could not be read, which counts as 0.
 */
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

/**
 * Returns the initial state of the search: the seeds as `states` and as `beam`, the states to
 * extend next, and `stopped` as null (algorithm 1, lines 1 to 8).
 */
export function startBeam(seeds: readonly Draft[]): BeamSearch {
  const states = seeds.map((seed, id) => ({ ...seed, id, depth: 0, parent: null, kept: true }));
  return { states, beam: states, stopped: null };
}

/**
 * Returns the state of the search after one more depth (algorithm 1, lines 10 to 24). Only states
 * of the new depth that have an answer can be kept or end the search; seeds and better states of
 * earlier depths cannot. If none has an answer, the search ends with the beam before.
 *
 * @param extensions New states for each state of the beam, in the beam's order.
 */
export function extendBeam(
  search: BeamSearch,
  extensions: readonly (readonly Draft[])[],
  { depth: maxDepth, threshold, beamSize }: BeamOptions,
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

/**
 * Returns the state with the highest score in the last beam (algorithm 1, line 26); undefined if
 * none has an answer.
 */
export function chooseState({ beam }: BeamSearch): (AlliesState & { answer: string }) | undefined {
  return best(beam, 1)[0];
}

/**
 * Returns the states with the highest scores, highest first. Of equal ones, the earlier parent in
 * the beam wins, then the earlier sub-query, which is their order.
 */
function best(states: readonly AlliesState[], count: number) {
  return states
    .filter((state): state is AlliesState & { answer: string } => state.answer !== null)
    .sort((a, b) => b.score - a.score)
    .slice(0, count);
}

/**
 * Returns the findings of a state and its ancestors, the seed's first: objects with `query`,
 * `passages` and `evidence` (Q and E of the paper). A state without a sub-query has none.
 */
export function findingsOf(states: readonly AlliesState[], state: AlliesState): Finding[] {
  const parent = states.find(({ id }) => id === state.parent);
  const before = parent ? findingsOf(states, parent) : [];
  const { subQuery, passages, evidence } = state;
  return subQuery === null ? before : [...before, { query: subQuery, passages, evidence }];
}

/**
 * Returns the query and evidence of each finding, without passages, in the form that steps take as
 * input.
 */
export function historyOf(findings: readonly Finding[]): QueryEvidence[] {
  return findings.map(({ query, evidence }) => ({ query, evidence }));
}

/** Returns the distinct ids of the passages from which the evidence of findings was condensed. */
export function evidenceOf(findings: readonly Finding[]): string[] {
  return [...new Set(findings.flatMap(({ passages }) => passages.map(({ id }) => id)))];
}
