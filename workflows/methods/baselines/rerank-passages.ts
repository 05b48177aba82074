/** Reranking of passages (SuRe, section 4.3, table 4; LLatrieval, section 4.1). */

import { z } from 'zod';
import type { FinalReading } from '../../../core/citations.js';
import { inIdOrder } from '../../../core/passages-read.js';
import type { Conclusion } from '../../../core/result.js';
import type { Section } from '../../../core/section.js';
import type { PassageRef } from '../../../core/vocabulary.js';
import {
  baseView,
  chip,
  section,
  table,
  text,
  titleList,
} from '../../../report/views/section-parts.js';
import type { Question } from '../../algorithm.js';
import { defineMethod } from '../../define-method.js';
import { answerForm, candidateCount, candidatePassages, optionsOf, readCount } from '../options.js';
import { readBest } from '../read-best.js';
import { nameCandidates } from '../sure/candidates.js';
import {
  candidateSection,
  type SureCandidate,
  type SureChain,
  voteSection,
} from '../sure/chain.js';
import { judgeCandidates, selectCandidate } from '../sure/sure.js';
import { barNote, ranksOf } from './rank-gpt.js';
import { rankInWindows, STRIDE, WINDOW } from './sliding-window.js';

const rankedBy = z.enum([
  'retrieval',
  'embedding',
  'crossEncoder',
  'genericSummary',
  'sureSummary',
  'model',
]);

/** The criterion by which passages are ordered. */
type RankedBy = z.output<typeof rankedBy>;

const options = optionsOf(
  {
    passages: readCount,
    candidates: candidatePassages,
    by: rankedBy
      .default('embedding')
      .describe(
        'what orders the passages that are read: the search; the cosine to the question, to a generic summary or to the summary that SuRe chooses; the model; or the cross-encoder that the worker has set up (SuRe 4.3, table 4; LLatrieval 4.1 "Re-ranker")',
      ),
    compare: z
      .array(rankedBy)
      .max(rankedBy.options.length)
      .default([])
      .describe('other orders to find out and show beside it, of which nothing is read'),
    answerCandidates: candidateCount.describe(
      'K, answer candidates of SuRe, if its summary is asked for (SuRe 4.1: 2)',
    ),
    answerForm,
  },
  {
    unread: {
      answerCandidates: ({ by, compare }) =>
        ![by, ...compare].includes('sureSummary') &&
        'only the order sureSummary names answer candidates',
    },
  },
);

/** Options of `rerankPassages`, with all defaults. */
export type RerankPassagesOptions = z.output<typeof options>;

/** The passages in one order, with the criterion and the summary behind it. */
interface PassageRanking {
  by: RankedBy;
  /** The summary with which passages were compared; null if there was none, so the order stays. */
  summary?: string | null;
  /** The candidates that SuRe's summary was chosen from. */
  candidates?: SureCandidate[];
  votes?: SureChain['votes'];
  /**
   * All passages, best first. The score is the one they are ordered by; 1/rank if the model ordered
   * them.
   */
  ranked: PassageRef[];
}

interface RerankPassagesChain extends FinalReading {
  /** Passages in retrieval order. */
  passages: PassageRef[];
  /** The ranking whose first k passages were read, then those for comparison. */
  rankings: PassageRanking[];
}

export const rerankPassages = defineMethod({
  module: import.meta.url,
  name: 'rerankPassages',
  title: 'Rerank passages by an embedding, a cross-encoder, a summary or the model, then read',
  source:
    'SuRe (Kim et al., ICLR 2024), section 4.3, table 4; LLatrieval (Li et al., NAACL 2024), section 4.1 "Re-ranker"',
  options,
  passagesRead: ({ passages, rankings: [first] }: RerankPassagesChain) =>
    inIdOrder(
      passages,
      (first?.ranked ?? passages).map(({ id }) => id),
    ),
  cites: ({ answerForm }) => (answerForm === 'short' ? undefined : answerForm),
  // The first ranking was read; the others are for comparison.
  view(chain: RerankPassagesChain, context) {
    const { passages: retrieved, rankings } = chain;
    const [first, ...others] = rankings;
    const rows = rankings.map(({ by, ranked }, i) => {
      const ids = ranked.map(({ id }) => id);
      return [by, ranksOf(ids, retrieved, i === 0 ? context.evidence.length : 0)];
    });
    const ids = first?.ranked.map(({ id }) => id) ?? [];
    return [
      ...section('Orders', [...table(['By', 'Retrieval ranks'], rows), ...barNote(ids, context)]),
      ...(first ? groundsOf(first) : []),
      ...baseView({ ...chain, passages: first?.ranked ?? retrieved }, context),
      ...others.flatMap((ranking) => [
        ...section(`Order by ${ranking.by}`, titleList(ranking.ranked), {
          closed: true,
          detail: true,
        }),
        ...groundsOf(ranking),
      ]),
    ];
  },
  figures:
    'EM/F1, ChatGPT + BM25, k=1, N=10: retrieval NQ 12.6/18.8, WebQ 9.0/17.6, 2Wiki 14.8/18.1, HotpotQA 21.8/28.3; embedding 18.2/26.4, 11.4/21.1, 14.8/18.1, 20.2/27.2; model 20.0/28.4, 14.2/24.4, 18.2/21.3, 26.0/34.4; genericSummary 21.2/31.7, 13.6/25.3, 17.8/21.1, 27.0/34.3; sureSummary 23.2/32.5, 15.4/28.0, 18.0/21.5, 28.8/36.7; correctness/citation F1, gpt-3.5-turbo-0301, cited answers, k=5, N=50: BGE-R-large ASQA 55.3/58.1, QAMPARI 20.7/28.5, ELI5 13.9/63.6; monoT5-3B 54.0/56.6, 20.3/30.0, 13.9/61.7',

  /** Ranks the passages in each order asked for, and reads the k best of the first. */
  async algorithm(asked): Promise<Conclusion<RerankPassagesChain>> {
    const { question, options, step } = asked;
    const passages = await step.retrieve({ query: question, count: options.candidates });

    const orders = [...new Set([options.by, ...options.compare])];
    const rankings = await Promise.all(orders.map((by) => rankBy(by, asked, passages)));
    const ranked = rankings[0]?.ranked ?? [];
    const best = ranked.slice(0, options.passages).map(({ id }) => id);
    return readBest(asked, best, { passages, rankings });
  },
});

/** Returns sections with the summary of a ranking and the candidates from which it was chosen. */
function groundsOf({ by, summary, candidates, votes = [] }: PassageRanking): Section[] {
  if (!candidates) return section(`Summary the passages are ordered by (${by})`, text(summary));
  return [
    ...candidateSection(candidates, votes, (one) => ({
      chips: one.summary === summary && summary ? [chip('orders the passages', 'good')] : [],
    })),
    ...voteSection(candidates, votes),
  ];
}

type Asked = Question<RerankPassagesOptions>;
type Order = (asked: Asked, passages: PassageRef[]) => Promise<Omit<PassageRanking, 'by'>>;

/** Returns the passages ordered by a criterion. Makes no call if there are none. */
async function rankBy(by: RankedBy, asked: Asked, passages: PassageRef[]): Promise<PassageRanking> {
  return { by, ...(passages.length === 0 ? { ranked: [] } : await orders[by](asked, passages)) };
}

const orders: Record<RankedBy, Order> = {
  retrieval: async (_, passages) => ({ ranked: passages }),

  embedding: async ({ question, step }, passages) => ({
    ranked: await step.rankBySimilarity({ text: question, ...all(passages) }),
  }),

  crossEncoder: async ({ question, step }, passages) => ({
    ranked: await step.rankByCrossEncoder({ text: question, ...all(passages) }),
  }),

  async genericSummary(asked, passages) {
    const { passages: ids } = all(passages);
    const summary = await asked.step.summarizeGeneric({ question: asked.question, passages: ids });
    return nearest(asked, passages, summary);
  },

  async sureSummary(asked, passages) {
    const { passages: ids } = all(passages);
    const count = asked.options.answerCandidates;
    const named = await nameCandidates(asked, ids, { candidates: count, demonstrations: [] });
    // The summary of a single candidate needs no verdict to be chosen.
    const selection = named.length > 1 ? 'validityAndRanking' : 'ranking';
    const { candidates, votes } = await judgeCandidates(asked, selection, ids, named);
    const summary = candidates.length === 0 ? '' : selectCandidate(candidates).summary;
    return { candidates, votes, ...(await nearest(asked, passages, summary ?? '')) };
  },

  async model(asked, passages) {
    const { order } = await rankInWindows(asked, all(passages).passages, {
      window: WINDOW,
      stride: STRIDE,
    });
    const byId = new Map(passages.map((passage) => [passage.id, passage]));
    const inOrder = order.flatMap((id) => byId.get(id) ?? []);
    return { ranked: inOrder.map((passage, i) => ({ ...passage, score: 1 / (i + 1) })) };
  },
};

/** Returns passages by similarity to a summary; in their present order if the summary is empty. */
async function nearest(
  { step }: Asked,
  passages: PassageRef[],
  text: string,
): Promise<{ summary: string | null; ranked: PassageRef[] }> {
  return text === ''
    ? { summary: null, ranked: passages }
    : { summary: text, ranked: await step.rankBySimilarity({ text, ...all(passages) }) };
}

/** Returns the input of a step that ranks all passages. */
function all(passages: readonly PassageRef[]): { passages: string[]; count: number } {
  return { passages: passages.map(({ id }) => id), count: passages.length };
}
