/** Several outputs for one prompt. Pure. */

/** Which of several samples, and how it is drawn. */
export interface Sample {
  /** Its position among the samples of the question. */
  k: number;
  temperature: number;
}

/** Returns as many samples as asked for: the first is greedy, the others are drawn. */
export function greedyThenSampled(count: number, temperature: number): Sample[] {
  return Array.from({ length: count }, (_, k) => ({ k, temperature: k === 0 ? 0 : temperature }));
}

/** The input of a step that can be asked for one of several samples. */
export interface Sampled {
  /** The only one when left out, which is greedy. */
  sample?: Sample;
}

/** How such a step is sampled: a part of its declaration. */
export const drawn = {
  sampling: ({ sample }: Sampled) => ({ temperature: sample?.temperature ?? 0 }),
  sample: ({ sample }: Sampled) => sample?.k ?? 0,
};
