/** The MCQ prompt (SuRe, section 4.3 and appendix A.7). */

import { z } from 'zod';
import { chainPassages } from '../../../core/passages-read.js';
import { answered, type Conclusion, unanswered } from '../../../core/result.js';
import type { PassageRef } from '../../../core/vocabulary.js';
import { baseView, cards, section } from '../../../report/views/section-parts.js';
import { defineMethod } from '../../define-method.js';
import { candidateCount, demonstrations, passageCount } from '../options.js';
import { findCandidates, withoutChoice } from '../sure/candidates.js';

const options = z.strictObject({
  passages: passageCount,
  candidates: candidateCount,
  demonstrations,
});

interface McqChain {
  passages: PassageRef[];
  /** Candidates in the order named. */
  candidates: { text: string }[];
  /** Position of the chosen candidate; null if the answer is none of them. */
  choice: number | null;
  /** The answer as read; null if it was not asked for or could not be read. */
  reading: string | null;
}

export const mcq = defineMethod({
  module: import.meta.url,
  name: 'mcq',
  title: 'MCQ prompt: choose among candidates directly',
  source: 'SuRe (Kim et al., ICLR 2024), section 4.3 "MCQ prompt", appendix A.7',
  options,
  passagesRead: chainPassages,
  facts: { candidates: ({ candidates }: McqChain) => candidates },
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
  figures:
    'EM/F1, ChatGPT + BM25, N=10, 500 questions each: NQ 35.2/45.3, WebQ 22.4/35.1, 2Wiki 30.4/36.1, HotpotQA 31.0/41.5',

  /** Finds SuRe's candidates, then asks one direct question with them as choices. */
  async algorithm(asked): Promise<Conclusion<McqChain>> {
    const { question, step } = asked;
    const { retrieved, passages, candidates } = await findCandidates(asked);
    const chain = {
      passages: retrieved,
      candidates: candidates.map((text) => ({ text })),
      choice: null,
      reading: null,
    };
    const ended = withoutChoice(candidates, passages, chain);
    if (ended) return ended;

    const taken = await step.choose({ question, passages, choices: candidates });
    return taken === null
      ? unanswered('unreadable', passages, chain)
      : answered(taken.answer, passages, { ...chain, choice: taken.choice, reading: taken.answer });
  },
});
