/**
 * The search of a tune on half A, which chooses the candidates to continue, to join and to confirm.
 * Pure.
 */
import { type Candidate, jointCandidates } from '../../core/tune/candidates.js';
import type { Goal } from '../../core/tune/tune.js';
import { rungsOf } from './halves.js';

/**
 * The mean score of a pipeline over some questions, from 0 to 1, and the mean cost of one of them
 * in US dollars.
 */
export interface MeanFigures {
  /** Mean score, from 0 to 1. */
  mean: number;
  /** Mean cost of a question in US dollars, without savings by caches or forks; null if a price is unknown. */
  usd: number | null;
}

/** A candidate in a rung, with its figures. */
interface Entrant extends MeanFigures {
  /** Id of the candidate. */
  id: string;
}

/**
 * The results of a rung of the search: the figures of the start and of the candidates on the same
 * questions.
 */
interface Rung {
  goal: Goal;
  start: MeanFigures;
  candidates: readonly Entrant[];
}

/**
 * A function that takes the results of a rung and returns the ids of the candidates that continue
 * in the next one, best first.
 */
export type Policy = (rung: Rung) => string[];

/**
 * Maximum number of candidates of a tune that are confirmed on half B of the questions, after the
 * search on half A.
 */
export const MAX_FINALISTS = 3;

/**
 * Returns the number of candidates, of so many in a rung, that continue in the next rung: half of
 * them, rounded up, but at least three if there are as many.
 */
export function promotedCount(candidates: number): number {
  return Math.min(candidates, Math.max(MAX_FINALISTS, Math.ceil(candidates / 2)));
}

/**
 * Selects the better half of the candidates, at least three: successive halving. If the goal is to
 * be cheaper, candidates that have lost too much continue only if there is room for them.
 *
 * Source: Jamieson and Talwalkar, Non-stochastic best arm identification, AISTATS 2016.
 */
const halving: Policy = (rung) => {
  const hopeful = ranked(
    rung.candidates.filter((one) => isHopeful(one, rung)),
    rung.goal,
  );
  const others = rung.candidates
    .filter((one) => !isHopeful(one, rung))
    .toSorted((a, b) => b.mean - a.mean || usdOf(a) - usdOf(b));
  return [...hopeful, ...others]
    .slice(0, promotedCount(rung.candidates.length))
    .map(({ id }) => id);
};

/** Returns whether a candidate may still reach the goal. */
function isHopeful({ mean }: MeanFigures, { start, goal }: Pick<Rung, 'goal' | 'start'>): boolean {
  return goal.goal === 'better' || mean > start.mean - goal.margin;
}

/**
 * Returns whether a candidate is worth confirming: it is better, or it is cheaper and within the
 * margin.
 */
function isWorth(one: MeanFigures, { start, goal }: Pick<Rung, 'goal' | 'start'>): boolean {
  if (goal.goal === 'better') return one.mean > start.mean;
  return isHopeful(one, { start, goal }) && usdOf(one) < usdOf(start);
}

/**
 * Returns the candidates sorted by the goal, best first; ties by the other figure, then by their
 * order.
 */
function ranked(candidates: readonly Entrant[], { goal }: Goal): Entrant[] {
  return candidates.toSorted((a, b) => {
    const [byMean, byCost] = [b.mean - a.mean, usdOf(a) - usdOf(b)];
    return goal === 'better' ? byMean || byCost : byCost || byMean;
  });
}

/** Returns the cost; an unknown one counts as higher than every other. */
function usdOf({ usd }: MeanFigures): number {
  return usd ?? Number.MAX_VALUE;
}

/**
 * Functions that look up the results of a tune's search on half A so far: the mean score (0 to 1)
 * and the mean cost per question in US dollars of the start and of each candidate on the first
 * questions (undefined until a candidate has answered them), and whether a candidate cannot be
 * asked.
 */
export interface CandidateResults {
  /** Returns the figures of the start on the first `questions` questions in the drawn order. */
  start(questions: number): MeanFigures;
  /**
   * Returns the figures of a candidate on the same questions; undefined until it has answered all
   * of them.
   */
  candidate(id: string, questions: number): MeanFigures | undefined;
  /** Returns whether a candidate cannot be asked. */
  hasFailed(id: string): boolean;
}

/** A search on half A: its goal, its candidates and its rules. */
interface Search {
  goal: Goal;
  /** Number of questions in half A. */
  questions: number;
  candidates: readonly Candidate[];
  /** Chooses the candidates of the next rung. @default halving */
  policy?: Policy | undefined;
  /** Whether the search must end now, because its part of the budget is spent. */
  stopped?: boolean | undefined;
}

/**
 * The progress of the search on half A: the candidates and the number of questions to ask next or,
 * once it has ended, the finalists.
 */
export interface SearchState {
  /**
   * Joint candidates, made of the best single changes; empty until these have been asked all of
   * half A.
   */
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
 * Returns the state of a search, which is computed from the results alone: `joined` candidates,
 * those to ask `next` (null once it has ended), `finalists`, and the number of questions `asked`
 * by candidate. Single changes are asked on more and more of half A. Those that are worth
 * confirming after all of it are joined, the joint candidates are asked all of half A one after
 * the other, and the best of all become finalists. A search that was stopped ends with the results
 * so far.
 */
export function searchState(search: Search, seen: CandidateResults): SearchState {
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
  const joined = untilFailed(jointCandidates(best(before, questions)));
  const joint = entrantsOf(joined, questions, seen);
  for (const { id } of joint.known) asked.set(id, questions);
  // Each is a fork of the one before it, so that has to be answered first.
  const [following] = joint.missing;
  if (following && !stopped) {
    return { joined, next: { candidates: [following], questions }, finalists: [], asked };
  }
  return ended(joined, finalistsOf([...before, ...joined], questions));

  function entrantsOf(
    among: readonly Candidate[],
    rung: number,
    { hasFailed, candidate }: CandidateResults,
  ) {
    const asking = among.filter(({ id }) => !hasFailed(id));
    const known = asking.flatMap(({ id }): Entrant[] => {
      const figures = candidate(id, rung);
      return figures ? [{ id, ...figures }] : [];
    });
    return { known, missing: asking.filter(({ id }) => !known.some((one) => one.id === id)) };
  }

  /** Returns the joint candidates before the first that cannot be asked; the others are its forks. */
  function untilFailed(joint: readonly Candidate[]): readonly Candidate[] {
    const failed = joint.findIndex(({ id }) => seen.hasFailed(id));
    return failed < 0 ? joint : joint.slice(0, failed);
  }

  /** Returns the candidates that are worth confirming, best first. */
  function best(among: readonly Candidate[], rung: number): Candidate[] {
    const start = rung === 0 ? undefined : seen.start(rung);
    if (!start) return [];
    const worth = entrantsOf(among, rung, seen).known.filter((one) =>
      isWorth(one, { start, goal }),
    );
    return ranked(worth, goal).flatMap(({ id }) => among.find((one) => one.id === id) ?? []);
  }

  function finalistsOf(among: readonly Candidate[], rung: number): Candidate[] {
    return best(among, rung).slice(0, MAX_FINALISTS);
  }
}
