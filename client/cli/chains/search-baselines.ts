/** The chains of the baselines that search in several steps, for a terminal. Pure. */
import pc from 'picocolors';
import type { HydeChain } from '../../../methods/baselines/hyde.js';
import type { LamerChain } from '../../../methods/baselines/lamer.js';
import type { MultiChainChain } from '../../../methods/baselines/multi-chain.js';
import type { RankGptChain } from '../../../methods/baselines/rank-gpt.js';
import type {
  PassageRanking,
  RerankPassagesChain,
} from '../../../methods/baselines/rerank-passages.js';
import type { SelfAskChain } from '../../../methods/baselines/self-ask.js';
import type { PassageRef } from '../../../methods/vocabulary.js';
import { clip, count, numbered, passageList, section, textSection } from './layout.js';
import { citedSection } from './reading-baselines.js';
import { candidateSection } from './sure.js';

export function hydeChain(chain: HydeChain): string[] {
  return [
    ...textSection('Searched with', chain.hypothesis),
    ...citedSection(chain, chain.passages),
    ...passageList('Passages', chain.passages),
  ];
}

export function lamerChain(chain: LamerChain): string[] {
  return [
    ...section(
      'Searches',
      chain.searches.flatMap(({ query, found }, i) => [
        ...numbered(i, query, 2),
        `     ${found.length} found`,
      ]),
    ),
    ...citedSection(chain, chain.passages),
    ...passageList('Passages', chain.passages),
  ];
}

export function selfAskChain({ followUps }: SelfAskChain): string[] {
  return section('Follow-up questions', followUpLines(followUps));
}

function followUpLines(followUps: SelfAskChain['followUps']): string[] {
  return followUps.map(({ question, answer }) =>
    clip(`  ${question}  ${answer ?? '(unreadable)'}`),
  );
}

export function multiChainChain({ chains, reasoning }: MultiChainChain): string[] {
  return [
    ...chains.flatMap(({ followUps, answer }, i) =>
      section(clip(`Chain ${i + 1}: ${answer ?? 'no answer'}`), followUpLines(followUps)),
    ),
    ...textSection('Reasoning over all of them', reasoning),
  ];
}

export function rankGptChain(chain: RankGptChain, _: string | null, read: string[]): string[] {
  const { passages, windows, order } = chain;
  return [
    ...section(`Order after ${count(windows.length, 'window')}, by retrieval rank`, [
      placesLine('', order, passages, read.length),
    ]),
    ...citedSection(chain, passages),
    ...passageList('Passages', passages),
  ];
}

/** Each order by the places that retrieval gave the passages: the same numbers as in the list. */
export function rerankPassagesChain(
  chain: RerankPassagesChain,
  _: string | null,
  read: string[],
): string[] {
  const { passages, rankings } = chain;
  const width = Math.max(0, ...rankings.map(({ by }) => by.length));
  return [
    ...section(
      'Orders, by retrieval rank',
      rankings.map(({ by, ranked }, i) => {
        const ids = ranked.map(({ id }) => id);
        return placesLine(`${by.padEnd(width)}  `, ids, passages, i === 0 ? read.length : 0);
      }),
    ),
    ...rankings.flatMap(summaryLines),
    ...citedSection(chain, passages),
    ...passageList('Passages', passages),
  ];
}

function summaryLines({ by, summary, candidates, votes = [] }: PassageRanking): string[] {
  if (!candidates) return textSection(`Summary (${by})`, summary);
  const chosen = candidates.find((candidate) => candidate.summary === summary);
  return candidateSection(candidates, votes, chosen?.text ?? null);
}

/** The first ones, which were read, stand out. */
function placesLine(
  label: string,
  ids: readonly string[],
  passages: readonly PassageRef[],
  read: number,
): string {
  const places = new Map(passages.map(({ id }, i) => [id, String(i + 1)]));
  const line = clip(`  ${label}${ids.map((id) => places.get(id)).join(' ')}`);
  const best = ids.slice(0, read).map((id) => places.get(id));
  const start = `  ${label}${best.join(' ')}`;
  return read > 0 && line.startsWith(start)
    ? `  ${label}${pc.green(best.join(' '))}${line.slice(start.length)}`
    : line;
}
