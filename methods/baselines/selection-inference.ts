/** Selection-inference: options. Pure. */

import { z } from 'zod';
import type { Method } from '../method.js';
import { passageCount } from '../options/options.js';
import { times } from '../planned-call.js';
import type { PassageRef } from '../vocabulary.js';

const options = z.strictObject({ passages: passageCount });

export type SelectionInferenceOptions = z.output<typeof options>;

/** The passages ranked, then read from the highest down, one more each time, until they suffice. */
export const selectionInferenceMethod: Method<SelectionInferenceOptions> = {
  name: 'selectionInference',
  title: 'Selection-inference: rank the passages, add one after the other until they suffice',
  source:
    'Creswell et al., ICLR 2023, as described in SuRe (Kim et al., ICLR 2024), section 4.1 "Selection-inference"',
  options,
  steps: ['rankPassages', 'infer', 'read'],
  callsFormula: '1 + the passages that were needed, 1 to N',
  calls: ({ passages: n }) => (n > 1 ? 1 + n : 1),
  plan: ({ passages: count }, { question, passages }) => {
    const found = passages(count);
    const several = found.length > 1;
    return [
      { step: 'retrieve', input: { query: question } },
      ...(several ? [{ step: 'rankPassages' as const, input: { question, passages: found } }] : []),
      ...times(several ? found.length - 1 : 0, (k) => ({
        step: 'infer' as const,
        input: { question, passages: passages(k + 1) },
      })),
      { step: 'read', input: { question, passages: found, demonstrations: [] } },
    ];
  },
  figures:
    'EM/F1, ChatGPT + BM25, N=10: NQ 24.3/32.8, WebQ 17.3/28.6, 2Wiki 22.6/29.5, HotpotQA 30.8/39.6',
};

export interface SelectionInferenceChain {
  /** In retrieval order. */
  passages: PassageRef[];
  /** Their ids, most helpful first. */
  order: string[];
  /** What was read from the first, the first two, ... passages; null when they did not suffice. */
  readings: (string | null)[];
}
