/** RankGPT (LLatrieval, section 4.1; Sun et al., EMNLP 2023). */

import type { FinalReading } from '../../../core/citations.js';
import { whole } from '../../../core/options/ranges.js';
import { inIdOrder } from '../../../core/passages-read.js';
import type { Conclusion } from '../../../core/result.js';
import type { PassageName, Section } from '../../../core/section.js';
import type { ViewContext } from '../../../core/view.js';
import type { PassageRef } from '../../../core/vocabulary.js';
import {
  baseView,
  count,
  note,
  section,
  table,
  text,
  titlesOf,
} from '../../../report/views/section-parts.js';
import { defineMethod } from '../../define-method.js';
import { answerForm, candidatePassages, optionsOf, readCount } from '../options.js';
import { readBest } from '../read-best.js';
import { type RankedWindow, rankInWindows, STRIDE, WINDOW } from './sliding-window.js';

const options = optionsOf(
  {
    passages: readCount,
    candidates: candidatePassages,
    window: whole(2, 100)
      .default(WINDOW)
      .describe('w, passages put in order by one call (LLatrieval 4.1, its own window: 20)'),
    stride: whole(1, 99)
      .default(STRIDE)
      .describe('s, how far the window moves on, less than w (Sun et al.: 10)'),
    answerForm,
  },
  {
    refused: {
      stride: ({ candidates, window, stride }) =>
        stride >= window &&
        candidates > window &&
        'must be less than window, or no passage could move from one window to the next',
    },
    unread: {
      stride: ({ candidates, window }) => candidates <= window && 'one window holds all candidates',
    },
  },
);

interface RankGptChain extends FinalReading {
  /** Passages in retrieval order. */
  passages: PassageRef[];
  /** Windows from the back to the front. */
  windows: RankedWindow[];
  /** All ids, best first; the first k were read. */
  order: string[];
}

export const rankGpt = defineMethod({
  module: import.meta.url,
  name: 'rankGpt',
  title: 'RankGPT: rerank by permutations of sliding windows, then read',
  source:
    'Sun et al., EMNLP 2023, as described in LLatrieval (Li et al., NAACL 2024), section 4.1 "LLM-reranking"',
  options,
  passagesRead: ({ passages, order }: RankGptChain) => inIdOrder(passages, order),
  cites: ({ answerForm }) => (answerForm === 'short' ? undefined : answerForm),
  view: rankGptView,
  figures:
    'correctness/citation F1, gpt-3.5-turbo-0301, cited answers, k=5, N=50: ASQA 56.4/58.7, QAMPARI 20.7/29.6, ELI5 13.5/61.6 (N=100: 57.0/59.2, 22.0/30.5, 13.5/60.4)',

  /** Lets the model rank the candidates window by window, then reads the first k. */
  async algorithm(asked): Promise<Conclusion<RankGptChain>> {
    const { question, options, step } = asked;
    const passages = await step.retrieve({ query: question, count: options.candidates });

    const ids = passages.map(({ id }) => id);
    const { windows, order } = await rankInWindows(asked, ids, options);
    return readBest(asked, order.slice(0, options.passages), { passages, windows, order });
  },
});

function rankGptView(chain: RankGptChain, context: ViewContext): Section[] {
  const { passages: retrieved, order, windows } = chain;
  const titleOf = titlesOf(retrieved);
  const rows = windows.map(({ start, end, order: ids }) => [
    `${start + 1} to ${end}`,
    ids.map(titleOf).join('; '),
  ]);
  const moved = text(ranksOf(order, retrieved, context.evidence.length));
  return [
    ...section(
      `Order after ${count(windows.length, 'window')}, by retrieval rank`,
      order.length === 0 ? [] : [...moved, ...barNote(order, context)],
    ),
    ...baseView({ ...chain, passages: inIdOrder(retrieved, order) }, context),
    ...section('Windows', table(['Positions', 'Order after it'], rows), {
      closed: true,
      detail: true,
    }),
  ];
}

/**
 * Returns a text with the retrieval ranks, from 1, of passages in their new order, and a bar after
 * those that were read: "3 1 | 2 5 4". There is no bar if all or none were read, and "?" for a
 * passage that was not retrieved.
 *
 * @param read Number of passages that were read.
 */
export function ranksOf(
  ids: readonly string[],
  retrieved: readonly PassageName[],
  read: number,
): string {
  const ranks = new Map(retrieved.map(({ id }, i) => [id, String(i + 1)]));
  const all = ids.map((id) => ranks.get(id) ?? '?');
  const bar = read > 0 && read < all.length ? ['|'] : [];
  return [...all.slice(0, read), ...bar, ...all.slice(read)].join(' ');
}

/**
 * Returns a report's note that explains the bar of `ranksOf`, as a list of one block; an empty
 * list if there is no bar.
 */
export function barNote(ids: readonly string[], { evidence }: ViewContext) {
  const bar = evidence.length > 0 && evidence.length < ids.length;
  return note(bar && 'those before the bar were read');
}
