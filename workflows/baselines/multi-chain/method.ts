import { z } from 'zod';
import { between, whole } from '../../../core/options/ranges.js';
import { passagesOf } from '../../../core/passages-read.js';
import { readingSection, section, text } from '../../../report/views/parts.js';
import { defineMethod } from '../../define-method.js';
import { followUpCards, followUpOptions, type SelfAskChain } from '../self-ask/method.js';

export interface MultiChainChain {
  /** The greedy one first. */
  chains: SelfAskChain[];
  /** What the model thought of them before its answer; null when no answer could be read. */
  reasoning: string | null;
  /** The answer of the meta-reasoning as read; null when it was not asked for or not readable. */
  reading: string | null;
}

export const multiChainMethod = defineMethod({
  name: 'multiChain',
  title:
    'Multi-chain reasoning (MCR): several self-ask chains, then reasoning over what all of them found',
  source:
    'Yoran et al., 2023, as a baseline of ALLIES (Sun et al., Findings of EMNLP 2023), section 5.3, tables 1 and 4',
  options: z.strictObject({
    ...followUpOptions,
    chains: whole(2, 10).default(5).describe('C, chains sampled (ALLIES names no number: ours)'),
    temperature: between(0, 2)
      .default(0.7)
      .describe('of the chains after the first, which is greedy (ours: 0.7)'),
  }),
  passagesRead: ({ chains }: MultiChainChain) =>
    chains.flatMap(({ followUps }) => followUps.flatMap(passagesOf)),
  searches: ({ passages }) => passages > 0,
  view: ({ chains, reasoning, reading }: MultiChainChain, context) => [
    ...section('Reasoning over the chains', text(reasoning)),
    ...readingSection(reading, context),
    ...chains.flatMap((chain, i) =>
      section(`Chain ${i + 1}`, followUpCards(chain), {
        note: chain.answer ?? 'no answer',
        closed: true,
      }),
    ),
  ],
  steps: ['followUp', 'read', 'selfAsk', 'metaReason'],
  callsFormula: 'at most C(2M + 1) + 1; C + 1 without retrieval',
  figures:
    'with retrieval, the form of ALLIES (table 4: 12 calls, 12 retrievals a question), EM/F1, GPT-3.5-turbo: NQ 27.1/35.7; with passages 0 ALLIES reports none',
});
