/** Several outputs for one prompt. Pure. */

/** Which of several samples of one prompt a call draws, and at which temperature. */
export interface Sample {
  /** Position among the samples of the question. */
  k: number;
  temperature: number;
}

/** Returns the samples asked for: the first is greedy, the others are drawn. */
export function greedyThenSampled(count: number, temperature: number): Sample[] {
  return Array.from({ length: count }, (_, k) => ({ k, temperature: k === 0 ? 0 : temperature }));
}

/** Input of a step that can be asked for one of several samples. */
export interface Sampled {
  /** The sample; a single greedy one if left out. */
  sample?: Sample;
}

/** The part of such a step's declaration about sampling. */
export const drawn = {
  sampling: ({ sample }: Sampled) => ({ temperature: sample?.temperature ?? 0 }),
  sample: ({ sample }: Sampled) => sample?.k ?? 0,
};
