/** The stories of the baselines that search or order passages in other ways. Pure. */
import type { HydeChain } from '../../../methods/baselines/hyde.js';
import type { LamerChain } from '../../../methods/baselines/lamer.js';
import type { RankGptChain } from '../../../methods/baselines/rank-gpt.js';
import type {
  PassageRanking,
  RerankPassagesChain,
} from '../../../methods/baselines/rerank-passages.js';
import type { Card, Section } from '../page-data.js';
import { cards, passageList, said, section, type Teller, table, titleList } from './parts.js';
import { baseStory } from './reading.js';
import { candidateCards, voteSection } from './sure.js';

export function hydeStory(chain: HydeChain, teller: Teller): Section[] {
  return [
    ...section('Hypothetical passage', said('', chain.hypothesis)),
    ...baseStory(chain, teller),
  ];
}

export function lamerStory(chain: LamerChain, teller: Teller): Section[] {
  const { searches, context, passages } = chain;
  const titles = new Map([...context, ...passages].map((passage) => [passage.id, passage]));
  const items = searches.map(
    ({ query, found }, i): Card => ({
      title: `Search ${i + 1}`,
      chips: [],
      blocks: [
        ...said('Query', query),
        ...titleList(
          found.map((id) => titles.get(id) ?? { id, title: '', score: 0 }),
          teller,
        ),
      ],
    }),
  );
  return [
    ...baseStory(chain, teller),
    ...section('Searches', cards(items), { closed: true }),
    ...section('What the question itself found', passageList(context, teller), { closed: true }),
  ];
}

export function rankGptStory(
  { order, windows, ...chain }: RankGptChain,
  teller: Teller,
): Section[] {
  const byId = new Map(chain.passages.map((passage) => [passage.id, passage]));
  const passages = order.flatMap((id) => byId.get(id) ?? []);
  const rows = windows.map(({ start, end, order: ids }) => [
    `${start + 1} to ${end}`,
    ids.map((id) => byId.get(id)?.title || id).join('; '),
  ]);
  return [
    ...baseStory({ ...chain, passages }, teller),
    ...section('Windows', table(['Positions', 'Order after it'], rows), {
      closed: true,
    }),
  ];
}

export function rerankPassagesStory(
  { rankings, ...chain }: RerankPassagesChain,
  teller: Teller,
): Section[] {
  const [first, ...others] = rankings;
  const passages = first?.ranked ?? chain.passages;
  return [
    ...(first ? reasonsOf(first, teller) : []),
    ...baseStory({ ...chain, passages }, teller),
    ...others.flatMap((ranking) => [
      ...section(`Order by ${ranking.by}`, titleList(ranking.ranked, teller), { closed: true }),
      ...reasonsOf(ranking, teller),
    ]),
  ];
}

function reasonsOf({ by, summary, candidates, votes }: PassageRanking, teller: Teller): Section[] {
  return [
    ...section(`Summary the passages are ordered by (${by})`, said('', summary)),
    ...section('Candidates', candidates ? candidateCards(candidates, teller) : [], {
      closed: true,
    }),
    ...voteSection(candidates ?? [], votes ?? []),
  ];
}
