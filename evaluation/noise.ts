/** Replaces passages of a question by noise, to measure the robustness of a method. Pure. */
import { inHashOrder } from './dataset/hash-order-sample.js';

/**
 * The numbers of passages to select for a question and of those that are noise, and the kind of
 * noise.
 */
interface NoiseOptions<P> {
  /** Share of noise, from 0 to 1; count * ratio must be a whole number. */
  ratio: number;
  /** Number of passages to select (k). */
  count: number;
  /**
   * Source of the noise:
   *
   * - top: the highest-ranked retrieved passages without an answer;
   * - random: passages drawn from `pool`, except those of the question.
   */
  kind: 'top' | 'random';
  /** Seed of the draw, and of the places of random noise. */
  seed: string | number;
  /** Passages from which random noise is drawn; those with an answer are not used. */
  pool?: readonly P[];
}

/**
 * The passages selected for a question, some of which are noise, and whether there were enough of
 * both kinds.
 */
export interface NoisyPassages<P> {
  /** Passages in the order of their rank; random noise is at random positions. */
  passages: P[];
  /**
   * Whether there are `count` passages in the requested ratio; false if there were too few of one
   * kind.
   */
  complete: boolean;
}

/**
 * Selects passages for a question: k(1-r) retrieved ones with an answer, the first ones, and k·r
 * without, for k = `count` and r = `ratio`. The latter are the first retrieved ones or, as random
 * noise, drawn from the pool. Returns undefined if no retrieved passage has an answer, since such
 * a question is not evaluated. If there are too few of one kind, there are fewer passages and
 * `complete` is false; the paper does not cover this case.
 *
 * Source: Chain-of-Note (Yu et al., 2023), section 4.1 (evaluation) and 4.3 (top-ranked, random).
 *
 * @param retrieved Passages best first, marked by `hasAnswer`.
 * @throws RangeError if the ratio is not from 0 to 1, if count * ratio is not a whole number, or if
 * random noise has no pool.
 */
export function selectNoisyPassages<P extends Marked>(
  retrieved: readonly P[],
  { ratio, count, kind, seed, pool = [] }: NoiseOptions<P>,
): NoisyPassages<P> | undefined {
  const wanted = Math.round(count * ratio);
  if (!(ratio >= 0 && ratio <= 1) || Math.abs(wanted - count * ratio) > 1e-9) {
    throw new RangeError(`${ratio} of ${count} passages is not a whole number from 0 to ${count}.`);
  }
  if (!retrieved.some(({ hasAnswer }) => hasAnswer)) return undefined;

  const relevant = retrieved.filter(({ hasAnswer }) => hasAnswer).slice(0, count - wanted);
  const noise =
    kind === 'top'
      ? retrieved.filter(({ hasAnswer }) => !hasAnswer).slice(0, wanted)
      : draw(pool, new Set(retrieved.map(({ id }) => id)), wanted, seed);
  return {
    passages:
      kind === 'top' ? inRankOrder(retrieved, relevant, noise) : scatter(relevant, noise, seed),
    complete: relevant.length + noise.length === count,
  };
}

type Marked = { id: string; hasAnswer: boolean };

function draw<P extends Marked>(
  pool: readonly P[],
  own: ReadonlySet<string>,
  wanted: number,
  seed: string | number,
): P[] {
  if (wanted > 0 && pool.length === 0) throw new RangeError('Random noise needs a pool.');
  const others = pool.filter(({ id, hasAnswer }) => !hasAnswer && !own.has(id));
  return inHashOrder(others, `noise/${seed}`).slice(0, wanted);
}

function inRankOrder<P>(retrieved: readonly P[], ...chosen: P[][]): P[] {
  const taken = new Set(chosen.flat());
  return retrieved.filter((passage) => taken.has(passage));
}

/** Mixes passages in a random order, in which the relevant ones keep their order. */
function scatter<P extends Marked>(
  relevant: readonly P[],
  noise: readonly P[],
  seed: string | number,
): P[] {
  const left = [...relevant];
  const mixed = inHashOrder([...relevant, ...noise], `places/${seed}`);
  return mixed.flatMap((one) => (one.hasAnswer ? left.splice(0, 1) : one));
}
