/** Sampling of several outputs for one prompt. Pure. */

/** One of several samples of the same prompt: its number and its temperature. */
export interface Sample {
  /** Number of the sample, from 0. */
  k: number;
  temperature: number;
}

/**
 * Returns `count` samples numbered from 0: the first has temperature 0, the others have the given
 * one.
 */
export function greedyThenSampled(count: number, temperature: number): Sample[] {
  return Array.from({ length: count }, (_, k) => ({ k, temperature: k === 0 ? 0 : temperature }));
}

/**
 * The part of a step's input that selects one of several samples of the same prompt; without it,
 * the step takes a single sample at temperature 0.
 */
export interface SampledInput {
  /** The sample; left out, number 0 at temperature 0. */
  sample?: Sample;
}

/**
 * The fields of a step's declaration that take the temperature (`sampling`) and the number of the
 * sample (`sample`) from the step's input (`SampledInput`).
 */
export const sampledStepFields = {
  sampling: ({ sample }: SampledInput) => ({ temperature: sample?.temperature ?? 0 }),
  sample: ({ sample }: SampledInput) => sample?.k ?? 0,
};
