/** MCQ prompt: options. Pure. */

import { z } from 'zod';
import type { Method } from '../method.js';
import { candidateCount, demonstrations, passageCount } from '../options/options.js';
import { planCandidates, plannedCandidates } from '../sure.js';
import type { PassageRef } from '../vocabulary.js';

const options = z.strictObject({
  passages: passageCount,
  candidates: candidateCount,
  demonstrations,
});

export type McqOptions = z.output<typeof options>;

/** SuRe's candidates as the choices of a question that is then answered directly. */
export const mcqMethod: Method<McqOptions> = {
  name: 'mcq',
  title: 'MCQ prompt: choose among candidates directly',
  source: 'SuRe (Kim et al., ICLR 2024), section 4.3 "MCQ prompt", appendix A.7',
  options,
  steps: ['generateCandidates', 'choose'],
  callsFormula: '2; 1 when a single candidate comes back',
  calls: () => 2,
  plan: (chosen, given) => {
    const { question, passages } = given;
    const shown = { question, passages: passages(chosen.passages) };
    return [
      { step: 'retrieve', input: { query: question } },
      planCandidates(chosen, given),
      { step: 'choose', input: { ...shown, choices: plannedCandidates(chosen, given) } },
    ];
  },
  figures:
    'EM/F1, ChatGPT + BM25, N=10, 500 questions each: NQ 35.2/45.3, WebQ 22.4/35.1, 2Wiki 30.4/36.1, HotpotQA 31.0/41.5',
};

export interface McqChain {
  passages: PassageRef[];
  /** In the order named. */
  candidates: { text: string }[];
  /** Position of the candidate chosen; null when the answer is none of them. */
  choice: number | null;
  /** The answer as read; null when it was not asked for or could not be read. */
  reading: string | null;
}
