import { inHashOrder } from './dataset/hash-order-sample.js';

/** How passages of a question are replaced by noise. */
interface NoiseOptions<P> {
  /** Share of noise, 0 to 1; count * ratio must be whole. */
  ratio: number;
  /** k, passages to feed. */
  count: number;
  /**
   * - top: the retrieved passages without an answer that rank highest;
   * - random: passages drawn from `pool`, those of the question left out.
   */
  kind: 'top' | 'random';
  /** Decides the draw and the places of random noise. */
  seed: string | number;
  /** Passages for random noise, without an answer to the question. */
  pool?: readonly P[];
}

/** The passages of a question after noise was put in. */
export interface NoisyPassages<P> {
  /** Retrieved passages in the order of their rank; random noise is at random places. */
  passages: P[];
  /** False when there were too few of one kind: then the ratio is not the one asked for. */
  complete: boolean;
}

/**
 * Takes the first k(1-r) passages with an answer and adds k·r without. Returns undefined for a
 * question without a passage that has an answer; it takes no part. If there are too few of a kind,
 * there are fewer passages and `complete` is false; the paper leaves this case open.
 *
 * Source: Chain-of-Note (Yu et al., 2023), section 4.1 (evaluation) and 4.3 (top-ranked, random).
 *
 * @param retrieved Passages best first, marked by `hasAnswer`.
 * @throws RangeError if count * ratio is not a whole number, or if random noise has no pool.
 */
export function selectNoisyPassages<P extends Marked>(
  retrieved: readonly P[],
  { ratio, count, kind, seed, pool = [] }: NoiseOptions<P>,
): NoisyPassages<P> | undefined {
  const wanted = Math.round(count * ratio);
  if (!(ratio >= 0 && ratio <= 1) || Math.abs(wanted - count * ratio) > 1e-9) {
    throw new RangeError(`${count} passages cannot be noise to the share of ${ratio}.`);
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

/** Mixes them; the relevant keep their order among each other. */
function scatter<P extends Marked>(
  relevant: readonly P[],
  noise: readonly P[],
  seed: string | number,
): P[] {
  const left = [...relevant];
  const mixed = inHashOrder([...relevant, ...noise], `places/${seed}`);
  return mixed.flatMap((one) => (one.hasAnswer ? left.splice(0, 1) : one));
}
