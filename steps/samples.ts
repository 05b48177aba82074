/** Sampling of several outputs for one prompt. Pure. */

/** One of several samples of a prompt: its number, and its temperature. */
export interface Sample {
  /** Number of the sample, from 0. */
  k: number;
  temperature: number;
}

/** Returns `count` samples, of which the first has temperature 0, and the others the given one. */
export function greedyThenSampled(count: number, temperature: number): Sample[] {
  return Array.from({ length: count }, (_, k) => ({ k, temperature: k === 0 ? 0 : temperature }));
}

/** The part of a step's input that selects one of several samples. */
export interface SampledInput {
  /** The sample; a single greedy one if left out. */
  sample?: Sample;
}

/**
 * The fields of a step's declaration by which it takes temperature and sample number from its
 * input.
 */
export const sampledStepFields = {
  sampling: ({ sample }: SampledInput) => ({ temperature: sample?.temperature ?? 0 }),
  sample: ({ sample }: SampledInput) => sample?.k ?? 0,
};
