/** The stories of the baselines that vote, verify, or ask several times. Pure. */
import type { EnsembleChain } from '../../../methods/baselines/ensemble.js';
import type { MultiChainChain } from '../../../methods/baselines/multi-chain.js';
import type { SelectionInferenceChain } from '../../../methods/baselines/selection-inference.js';
import type { SelfAskChain } from '../../../methods/baselines/self-ask.js';
import type { SelfVerificationChain } from '../../../methods/baselines/self-verification.js';
import type { Block, Card, Section } from '../page-data.js';
import {
  cards,
  chip,
  passageList,
  passageSection,
  readingSection,
  said,
  section,
  type Teller,
  table,
} from './parts.js';

/** Of Rerank and RePlug: what each passage answers, and the votes. */
export function ensembleStory(
  { passages, readings, answers }: EnsembleChain,
  teller: Teller,
): Section[] {
  const titles = new Map(passages.map(({ id, title }) => [id, title || id]));
  const titleOf = (id: string | null) => (id === null ? 'no passage' : (titles.get(id) ?? id));
  return [
    ...section(
      'Votes',
      table(
        ['Answer', 'Weight', 'Passages'],
        answers.map(({ answer, weight, ballots }) => [
          answer,
          weight.toFixed(2),
          ballots.map((i) => titleOf(readings[i]?.passage ?? null)).join('; '),
        ]),
      ),
    ),
    ...section(
      'Readings',
      table(
        ['Passage', 'Answer', 'Weight'],
        readings.map(({ passage, answer, weight }) => [
          titleOf(passage),
          answer ?? 'unreadable',
          weight.toFixed(2),
        ]),
      ),
    ),
    ...passageSection(passages, teller),
  ];
}

export function selectionInferenceStory(
  { passages, order, readings }: SelectionInferenceChain,
  teller: Teller,
): Section[] {
  const rows = readings.map((reading, i) => [
    i === 0 ? 'the first passage' : `the first ${i + 1} passages`,
    reading ?? 'did not suffice',
  ]);
  const byId = new Map(passages.map((passage) => [passage.id, passage]));
  const ordered = order.flatMap((id) => byId.get(id) ?? []);
  return [
    ...section('Readings', table(['From', 'Answer'], rows)),
    ...passageSection(ordered, teller),
  ];
}

export function selfVerificationStory(
  { passages, samples, conditions, candidates }: SelfVerificationChain,
  teller: Teller,
): Section[] {
  const named = candidates.map(
    ({ text, samples: times, recovered, verified }): Card => ({
      title: text,
      chosen: text === teller.answer,
      chips: [
        chip(`sampled ${times} times`),
        ...(verified === undefined ? [] : [chip(`verified ${verified} of ${conditions.length}`)]),
      ],
      blocks: table(
        ['Masked part', 'Recovered as'],
        (recovered ?? []).map((part, i) => [conditions[i] ?? '', part ?? 'unreadable']),
      ),
    }),
  );
  const sampled = samples.map(
    (sample, i): Card => ({
      title: sample?.answer ?? 'unreadable',
      chips: [chip(`sample ${i + 1}`)],
      blocks: said('', sample?.reasoning),
    }),
  );
  return [
    ...section('Candidates', cards(named)),
    ...section('Samples', cards(sampled), { note: `${samples.length}` }),
    ...passageSection(passages, teller),
  ];
}

export function selfAskStory(chain: SelfAskChain, teller: Teller): Section[] {
  return [
    ...section('Follow-up questions', followUpCards(chain, teller)),
    ...readingSection(chain.answer, teller),
  ];
}

export function multiChainStory(
  { chains, reasoning, reading }: MultiChainChain,
  teller: Teller,
): Section[] {
  return [
    ...section('Reasoning over the chains', said('', reasoning)),
    ...readingSection(reading, teller),
    ...chains.flatMap((chain, i) =>
      section(`Chain ${i + 1}`, followUpCards(chain, teller), {
        note: chain.answer ?? 'no answer',
        closed: true,
      }),
    ),
  ];
}

function followUpCards({ followUps }: SelfAskChain, teller: Teller): Block[] {
  return cards(
    followUps.map(
      ({ question, passages, answer }): Card => ({
        title: question,
        chips: [answer === null ? chip('unreadable', 'warn') : chip(answer)],
        blocks: passageList(passages, teller),
      }),
    ),
  );
}
