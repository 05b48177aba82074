/** The search of a tune on half A: which candidates are asked further, joined, and confirmed. Pure. */
import { type Candidate, jointCandidates } from '../../core/tune/candidates.js';
import type { Goal } from '../../core/tune/tune.js';
import { rungsOf } from './halves.js';

/** The mean score and mean cost of a pipeline on some questions. */
export interface Figures {
  /** The mean score, from 0 to 1. */
  mean: number;
  /** US dollars a question of a whole run; null if a price is not known. */
  usd: number | null;
}

/** A candidate with its figures, to be ranked among others. */
interface Entrant extends Figures {
  /** Id of the candidate. */
  id: string;
}

/** What a rung of the search has shown, all of the same questions. */
interface Rung {
  goal: Goal;
  start: Figures;
  candidates: readonly Entrant[];
}

/** Names the candidates that are asked the questions of the next rung, best first. */
export type Policy = (rung: Rung) => string[];

/** The most candidates that half B confirms. */
export const MOST_FINALISTS = 3;

/** Returns how many of so many candidates go on to the next rung. */
export function goingOn(candidates: number): number {
  return Math.min(candidates, Math.max(MOST_FINALISTS, Math.ceil(candidates / 2)));
}

/**
 * Lets the better half go on, three at least: successive halving. Of candidates that have to be
 * cheaper, those that have lost too much go on only if there is room for them.
 *
 * Source: Jamieson and Talwalkar, Non-stochastic best arm identification, AISTATS 2016.
 */
export const halving: Policy = (rung) => {
  const hopeful = ranked(
    rung.candidates.filter((one) => isHopeful(one, rung)),
    rung.goal,
  );
  const others = rung.candidates
    .filter((one) => !isHopeful(one, rung))
    .toSorted((a, b) => b.mean - a.mean || usdOf(a) - usdOf(b));
  return [...hopeful, ...others].slice(0, goingOn(rung.candidates.length)).map(({ id }) => id);
};

/** Tells whether a candidate may still be shown to be what it has to be. */
function isHopeful({ mean }: Figures, { start, goal }: Pick<Rung, 'goal' | 'start'>): boolean {
  return goal.goal === 'better' || mean > start.mean - goal.margin;
}

/** Tells whether a candidate is worth confirming: better, or cheaper within the margin. */
function isWorth(one: Figures, { start, goal }: Pick<Rung, 'goal' | 'start'>): boolean {
  if (goal.goal === 'better') return one.mean > start.mean;
  return isHopeful(one, { start, goal }) && usdOf(one) < usdOf(start);
}

/** Sorts by the goal, best first; of equals the other figure decides, then their order. */
function ranked(candidates: readonly Entrant[], { goal }: Goal): Entrant[] {
  return candidates.toSorted((a, b) => {
    const [byMean, byCost] = [b.mean - a.mean, usdOf(a) - usdOf(b)];
    return goal === 'better' ? byMean || byCost : byCost || byMean;
  });
}

/** An unknown cost counts as one above every other. */
function usdOf({ usd }: Figures): number {
  return usd ?? Number.MAX_VALUE;
}

/** Access to what the answers to half A have shown so far. */
export interface SearchSeen {
  /** Figures of the start on the first so many questions. */
  start(questions: number): Figures;
  /** Figures of a candidate; undefined until it has been asked all of them. */
  candidate(id: string, questions: number): Figures | undefined;
  /** Tells whether a candidate cannot be asked. */
  hasFailed(id: string): boolean;
}

/** The rules of a search on half A, and its candidates. */
export interface Search {
  goal: Goal;
  /** Questions of half A. */
  questions: number;
  candidates: readonly Candidate[];
  /** @default halving */
  policy?: Policy | undefined;
  /** The search may ask nothing more: its part of the budget is spent. */
  stopped?: boolean | undefined;
}

/** How far a search has come, and what it asks next. */
export interface SearchState {
  /** The joint candidates that were made of the best ones. */
  joined: readonly Candidate[];
  /**
   * Candidates to ask next, and the total number of questions for each; null once the search has
   * ended.
   */
  next: { candidates: readonly Candidate[]; questions: number } | null;
  /** Candidates to confirm, best first; empty until the search has ended. */
  finalists: readonly Candidate[];
  /** Number of questions that each candidate was asked so far, by the candidate's id. */
  asked: ReadonlyMap<string, number>;
}

/**
 * Tells where a search stands, from what was answered alone. Single changes are asked rung by rung.
 * Those that are worth it after all of half A are joined, the joint candidates are asked all of half
 * A, and the best of all go on to half B. A search that was stopped ends with what it has asked.
 */
export function searchState(search: Search, seen: SearchSeen): SearchState {
  const { goal, questions, candidates, policy = halving, stopped = false } = search;
  const asked = new Map<string, number>();
  const ended = (joined: readonly Candidate[], finalists: readonly Candidate[]): SearchState => {
    return { joined, next: null, finalists, asked };
  };
  let left = candidates;
  let last = 0;
  let before = left;
  for (const rung of rungsOf(questions)) {
    const entrants = entrantsOf(left, rung, seen);
    for (const { id } of entrants.known) asked.set(id, rung);
    if (entrants.missing.length > 0) {
      if (stopped) return ended([], finalistsOf(before, last));
      return { joined: [], next: { candidates: left, questions: rung }, finalists: [], asked };
    }
    before = left.filter(({ id }) => !seen.hasFailed(id));
    last = rung;
    if (rung === questions) break;
    const on = policy({ goal, start: seen.start(rung), candidates: entrants.known });
    left = on.flatMap((id) => before.find((one) => one.id === id) ?? []);
  }
  const joined = jointCandidates(best(before, questions));
  const joint = entrantsOf(joined, questions, seen);
  for (const { id } of joint.known) asked.set(id, questions);
  if (joint.missing.length > 0 && !stopped) {
    return { joined, next: { candidates: joined, questions }, finalists: [], asked };
  }
  return ended(joined, finalistsOf([...before, ...joined], questions));

  function entrantsOf(
    among: readonly Candidate[],
    rung: number,
    { hasFailed, candidate }: SearchSeen,
  ) {
    const asking = among.filter(({ id }) => !hasFailed(id));
    const known = asking.flatMap(({ id }): Entrant[] => {
      const figures = candidate(id, rung);
      return figures ? [{ id, ...figures }] : [];
    });
    return { known, missing: asking.filter(({ id }) => !known.some((one) => one.id === id)) };
  }

  /** Those of some candidates that are worth confirming, best first. */
  function best(among: readonly Candidate[], rung: number): Candidate[] {
    const start = rung === 0 ? undefined : seen.start(rung);
    if (!start) return [];
    const worth = entrantsOf(among, rung, seen).known.filter((one) =>
      isWorth(one, { start, goal }),
    );
    return ranked(worth, goal).flatMap(({ id }) => among.find((one) => one.id === id) ?? []);
  }

  function finalistsOf(among: readonly Candidate[], rung: number): Candidate[] {
    return best(among, rung).slice(0, MOST_FINALISTS);
  }
}
