import { z } from 'zod';
import type { PassageRef } from '../../../core/vocabulary.js';
import { baseView, cards, section } from '../../../report/views/parts.js';
import { defineMethod } from '../../define-method.js';
import { candidateCount, demonstrations, passageCount } from '../../options.js';

export interface McqChain {
  passages: PassageRef[];
  /** In the order named. */
  candidates: { text: string }[];
  /** Position of the candidate chosen; null when the answer is none of them. */
  choice: number | null;
  /** The answer as read; null when it was not asked for or could not be read. */
  reading: string | null;
}

export const mcqMethod = defineMethod({
  name: 'mcq',
  title: 'MCQ prompt: choose among candidates directly',
  source: 'SuRe (Kim et al., ICLR 2024), section 4.3 "MCQ prompt", appendix A.7',
  options: z.strictObject({
    passages: passageCount,
    candidates: candidateCount,
    demonstrations,
  }),
  view(chain: McqChain, context) {
    const { candidates, choice } = chain;
    const choices = candidates.map((candidate, i) => ({
      title: candidate.text,
      chips: [],
      chosen: i === choice,
      blocks: [],
    }));
    return [...section('Choices', cards(choices)), ...baseView(chain, context)];
  },
  steps: ['generateCandidates', 'choose'],
  callsFormula: '2; 1 when a single candidate comes back',
  figures:
    'EM/F1, ChatGPT + BM25, N=10, 500 questions each: NQ 35.2/45.3, WebQ 22.4/35.1, 2Wiki 30.4/36.1, HotpotQA 31.0/41.5',
});
