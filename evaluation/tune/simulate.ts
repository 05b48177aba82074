/** A tune of made-up questions, to say what it would find: the same search and the same test. Pure. */
import { seededRandom } from '../../core/sampler.js';
import { type Candidate, candidateOf } from '../../core/tune/candidates.js';
import type { Goal } from '../../core/tune/tune.js';
import { type Confirmed, confirmed } from './confirm.js';
import { type Policy, searchState } from './search.js';

/** A made-up tune, whose true gains are known. */
export interface World {
  goal: Goal;
  /** Questions of each half. */
  questions: number;
  /** What each candidate scores more than the start, as a share. */
  gains: readonly number[];
  /** Share of the questions whose score a candidate changes, its gain included. */
  changing: number;
  /** @default halving */
  policy?: Policy;
}

/** What a simulated tune found, and what it asked. */
interface Simulated {
  /** The position of each finalist among the candidates, and what half B says of it, best on A first. */
  finalists: (Confirmed & { candidate: number; gainOnA: number })[];
  /** Answers of candidates on half A. */
  asked: number;
}

/** Share of the questions that the start has right. */
const START = 0.5;

/**
 * Draws a world and tunes in it. The start has half of the questions right; every candidate costs less
 * than the start, all of them the same.
 */
export function simulate(world: World, random: () => number): Simulated {
  const { goal, questions, gains, changing, policy } = world;
  const halves = [questions, questions].map((n) =>
    Array.from({ length: n }, () => random() < START),
  );
  const [onA = [], onB = []] = halves;
  const drawn = gains.map(() => [0]);
  const candidates = gains.map((_, i): Candidate => {
    // Of one step, so that they cannot be joined.
    return candidateOf([{ of: 'models', at: 'step', to: `model ${i}` }]);
  });
  const rightOfStart = sumsOf(onA);

  /** Draws whether a candidate has a question right that the start has right, or wrong. */
  const isRight = (candidate: number, wasRight: boolean) => {
    const gain = gains[candidate] ?? 0;
    return wasRight ? random() >= changing - gain : random() < changing + gain;
  };
  /** Answers of a candidate that are right among its first so many on half A, drawn when needed. */
  const rightOf = (candidate: number, upTo: number) => {
    const sums = drawn[candidate] ?? [0];
    while (sums.length <= upTo) {
      const right = isRight(candidate, onA[sums.length - 1] === true);
      sums.push((sums.at(-1) ?? 0) + Number(right));
    }
    return sums[upTo] ?? 0;
  };
  const { finalists } = searchState(
    { goal, questions, candidates, policy },
    {
      start: (upTo) => ({ mean: (rightOfStart[upTo] ?? 0) / upTo, usd: 2 }),
      candidate: (id, upTo) => {
        return {
          mean:
            rightOf(
              candidates.findIndex((one) => one.id === id),
              upTo,
            ) / upTo,
          usd: 1,
        };
      },
      hasFailed: () => false,
    },
  );
  const places = finalists.map(({ id }) => candidates.findIndex((one) => one.id === id));
  const tested = confirmed(
    places.map((candidate) => ({
      id: String(candidate),
      scores: scoresOf(onB.map((wasRight) => isRight(candidate, wasRight))),
    })),
    scoresOf(onB),
    goal,
  );
  return {
    finalists: tested.map((one, i) => {
      const candidate = places[i] ?? 0;
      const more = rightOf(candidate, questions) - (rightOfStart[questions] ?? 0);
      return { ...one, candidate, gainOnA: more / questions };
    }),
    asked: drawn.reduce((total, sums) => total + sums.length - 1, 0),
  };
}

/** Draws that a chance is told from: its standard error is at most 3.5 points. */
const DRAWS = 200;

/**
 * Returns the chance that the one candidate that is better by so much is found among so many others
 * that are no better than the start, and shown.
 *
 * @param questions Of each half.
 */
export function chanceToFind(
  gain: number,
  among: { candidates: number; questions: number; changing: number },
): number {
  const gains = Array.from({ length: among.candidates }, (_, i) => (i === 0 ? gain : 0));
  const world = { ...among, gains, goal: { goal: 'better', margin: 0 } } as const;
  const random = seededRandom('chance to find');
  let found = 0;
  for (let i = 0; i < DRAWS; i++) {
    const { finalists } = simulate(world, random);
    if (finalists.some(({ candidate, isShown }) => candidate === 0 && isShown)) found++;
  }
  return found / DRAWS;
}

/** Returns how many are true among the first so many, from none to all. */
function sumsOf(answers: readonly boolean[]): number[] {
  const sums = [0];
  for (const isRight of answers) sums.push((sums.at(-1) ?? 0) + Number(isRight));
  return sums;
}

function scoresOf(answers: readonly boolean[]): Map<string, number> {
  return new Map(answers.map((isRight, i) => [String(i), Number(isRight)]));
}
