/** The baselines that search or order passages in other ways. Pure. */

import type { PassageName, Section } from '../../../core/section.js';
import type { ViewContext } from '../../../core/view.js';
import {
  baseView,
  cards,
  chip,
  count,
  inOrder,
  note,
  passages,
  section,
  table,
  text,
  titles,
  titlesOf,
} from '../../../report/views/parts.js';
import { candidateSection, voteSection } from '../../sure/view.js';
import type { HydeChain } from '../hyde/options.js';
import type { LamerChain } from '../lamer/options.js';
import type { RankGptChain } from '../rank-gpt/options.js';
import type { PassageRanking, RerankPassagesChain } from '../rerank-passages/options.js';

export function hydeView(chain: HydeChain, context: ViewContext): Section[] {
  return [...section('Hypothetical passage', text(chain.hypothesis)), ...baseView(chain, context)];
}

export function lamerView(chain: LamerChain, context: ViewContext): Section[] {
  const { searches, context: before } = chain;
  const titleOf = titlesOf([...before, ...chain.passages]);
  const items = searches.map(({ query, found }, i) => ({
    title: `Search ${i + 1}`,
    chips: [chip(`${found.length} found`)],
    blocks: [...text(query, 'Query'), ...titles(found.map((id) => ({ id, title: titleOf(id) })))],
  }));
  return [
    ...section('Searches', cards(items), { note: `${searches.length}`, closed: true }),
    ...baseView(chain, context),
    ...section('What the question itself found', passages(before), { closed: true, detail: true }),
  ];
}

export function rankGptView(chain: RankGptChain, context: ViewContext): Section[] {
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
      order.length === 0 ? [] : [...moved, ...readNote(order, context)],
    ),
    ...baseView({ ...chain, passages: inOrder(retrieved, order) }, context),
    ...section('Windows', table(['Positions', 'Order after it'], rows), {
      closed: true,
      detail: true,
    }),
  ];
}

/** The first order is the one that was read; the others are there to compare it with. */
export function rerankPassagesView(chain: RerankPassagesChain, context: ViewContext): Section[] {
  const { passages: retrieved, rankings } = chain;
  const [first, ...others] = rankings;
  const rows = rankings.map(({ by, ranked }, i) => {
    const ids = ranked.map(({ id }) => id);
    return [by, ranksOf(ids, retrieved, i === 0 ? context.evidence.length : 0)];
  });
  const ids = first?.ranked.map(({ id }) => id) ?? [];
  return [
    ...section('Orders', [...table(['By', 'Retrieval ranks'], rows), ...readNote(ids, context)]),
    ...(first ? groundsOf(first) : []),
    ...baseView({ ...chain, passages: first?.ranked ?? retrieved }, context),
    ...others.flatMap((ranking) => [
      ...section(`Order by ${ranking.by}`, titles(ranking.ranked), { closed: true, detail: true }),
      ...groundsOf(ranking),
    ]),
  ];
}

/** Of an order by a summary: the summary, and what it was chosen among. */
function groundsOf({ by, summary, candidates, votes = [] }: PassageRanking): Section[] {
  if (!candidates) return section(`Summary the passages are ordered by (${by})`, text(summary));
  return [
    ...candidateSection(candidates, votes, (one) => ({
      chips: one.summary === summary && summary ? [chip('orders the passages', 'good')] : [],
    })),
    ...voteSection(candidates, votes),
  ];
}

/** "3 1 | 2 5 4": the places that retrieval gave the passages, those read before the bar. */
function ranksOf(ids: readonly string[], retrieved: readonly PassageName[], read: number): string {
  const ranks = new Map(retrieved.map(({ id }, i) => [id, String(i + 1)]));
  const all = ids.map((id) => ranks.get(id) ?? '?');
  const bar = read > 0 && read < all.length ? ['|'] : [];
  return [...all.slice(0, read), ...bar, ...all.slice(read)].join(' ');
}

function readNote(ids: readonly string[], { evidence }: ViewContext) {
  const bar = evidence.length > 0 && evidence.length < ids.length;
  return note(bar && 'those before the bar were read');
}
