/** The baselines that ask follow-up questions. Pure. */

import type { Block, Section } from '../../../core/section.js';
import type { ViewContext } from '../../../core/view.js';
import {
  cards,
  chip,
  passages,
  readingSection,
  section,
  text,
} from '../../../report/views/parts.js';
import type { MultiChainChain } from '../multi-chain/options.js';
import type { SelfAskChain } from '../self-ask/options.js';

export function selfAskView(chain: SelfAskChain, context: ViewContext): Section[] {
  return [
    ...section('Follow-up questions', followUpCards(chain)),
    ...readingSection(chain.answer, context),
  ];
}

export function multiChainView(
  { chains, reasoning, reading }: MultiChainChain,
  context: ViewContext,
): Section[] {
  return [
    ...section('Reasoning over the chains', text(reasoning)),
    ...readingSection(reading, context),
    ...chains.flatMap((chain, i) =>
      section(`Chain ${i + 1}`, followUpCards(chain), {
        note: chain.answer ?? 'no answer',
        closed: true,
      }),
    ),
  ];
}

function followUpCards({ followUps }: SelfAskChain): Block[] {
  return cards(
    followUps.map((followUp) => ({
      title: followUp.question,
      chips: [followUp.answer === null ? chip('unreadable', 'warn') : chip(followUp.answer)],
      blocks: passages(followUp.passages),
    })),
  );
}
