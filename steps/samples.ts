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

/** Returns the sampling parameters of a step; greedy where no sample is named. */
export function greedyOr({ sample }: { sample?: Sample }): { temperature: number } {
  return { temperature: sample?.temperature ?? 0 };
}

/** Returns which sample it is; the first where none is named. */
export function sampleOf({ sample }: { sample?: Sample }): number {
  return sample?.k ?? 0;
}
