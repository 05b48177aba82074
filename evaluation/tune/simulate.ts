/**
 * Simulates tunes on random answers, by the same search and test, to estimate their chances. Pure.
 */
import { seededRandom } from '../../core/sampler.js';
import { type Candidate, candidateOf } from '../../core/tune/candidates.js';
import type { Goal } from '../../core/tune/tune.js';
import { confirmFinalists, type FinalistResult } from './confirm.js';
import { type Policy, searchState } from './search.js';

/** The parameters of a simulated tune, in which the true gain of each candidate is known. */
export interface SimulatedTune {
  goal: Goal;
  /** Number of questions in each half. */
  questions: number;
  /** True gain of each candidate over the start, as a fraction. */
  gains: readonly number[];
  /** Fraction of the questions whose score a candidate changes, gain included. */
  changing: number;
  /** Chooses the candidates of the next rung. @default halving */
  policy?: Policy;
}

/** The result of a simulated tune. */
interface SimulationResult {
  /**
   * Position of each finalist among the candidates, with its result on half B; best on half A
   * first.
   */
  finalists: (FinalistResult & { candidate: number; gainOnA: number })[];
  /** Number of answers of candidates on half A. */
  asked: number;
}

/** Fraction of the questions that the start answers right. */
const START = 0.5;

/**
 * Simulates a tune on random answers. Returns its `finalists`, each with its position among the
 * candidates from 0 (`candidate`), its gain on half A as a fraction (`gainOnA`) and its result on
 * half B, and the number of candidates' answers on half A (`asked`). The start answers each
 * question right with a chance of one half, the candidates differ from it by the true gains of
 * `world`; each costs less than the start, all of them the same.
 *
 * @param random Returns random numbers from 0 to below 1.
 */
export function simulateTune(world: SimulatedTune, random: () => number): SimulationResult {
  const { goal, questions, gains, changing, policy } = world;
  const halves = [questions, questions].map((n) =>
    Array.from({ length: n }, () => random() < START),
  );
  const [onA = [], onB = []] = halves;
  const drawn = gains.map(() => [0]);
  const candidates = gains.map((_, i): Candidate => {
    // All change the same step, so that they cannot be joined.
    return candidateOf([{ of: 'models', at: 'step', to: `model ${i}` }]);
  });
  const rightOfStart = sumsOf(onA);

  /** Draws whether a candidate answers a question right. */
  const isRight = (candidate: number, wasRight: boolean) => {
    const gain = gains[candidate] ?? 0;
    return wasRight ? random() >= changing - gain : random() < changing + gain;
  };
  /** Returns the number of right answers of a candidate among its first `upTo` on half A, drawn when needed. */
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
  const tested = confirmFinalists(
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

/** Number of simulations for a chance, whose standard error is then at most 3.5 points. */
const DRAWS = 200;

/**
 * Returns the chance, from 0 to 1, that the one candidate with a gain is found and confirmed among
 * others that are no better than the start. It is estimated from 200 simulations with a fixed seed.
 *
 * @param gain Its gain, as a fraction.
 * @param among Number of candidates, number of questions in each half, and fraction of the
 * questions whose score changes.
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
    const { finalists } = simulateTune(world, random);
    if (finalists.some(({ candidate, isShown }) => candidate === 0 && isShown)) found++;
  }
  return found / DRAWS;
}

/** Returns the running counts of right answers, beginning with 0. */
function sumsOf(answers: readonly boolean[]): number[] {
  const sums = [0];
  for (const isRight of answers) sums.push((sums.at(-1) ?? 0) + Number(isRight));
  return sums;
}

function scoresOf(answers: readonly boolean[]): Map<string, number> {
  return new Map(answers.map((isRight, i) => [String(i), Number(isRight)]));
}
