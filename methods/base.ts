/** The base reader: options. Pure. */
import { z } from 'zod';
import type { Method } from './method.js';
import { demonstrations } from './options.js';
import type { PassageRef } from './vocabulary.js';

const options = z.strictObject({
  passages: z
    .int()
    .min(0)
    .max(200)
    .default(10)
    .describe('N, passages retrieved (SuRe 4.1: 10); 0 answers without retrieval'),
  demonstrations,
});

export type BaseOptions = z.output<typeof options>;

/** Retrieve, then read: the baseline of SuRe's table 1. */
export const baseMethod: Method<BaseOptions> = {
  name: 'base',
  title: 'Base: retrieve, then read',
  source: 'SuRe (Kim et al., ICLR 2024), section 4.1 "Base", appendix A.5',
  options,
  callsFormula: '1',
  calls: () => 1,
  figures:
    'EM/F1, ChatGPT + BM25, N=10: NQ 28.4/38.8, WebQ 19.6/32.5, 2Wiki 27.4/32.8, HotpotQA 30.8/40.3',
};

export interface BaseChain {
  passages: PassageRef[];
  /** The model's answer as read; null when it could not be read. */
  reading: string | null;
}
