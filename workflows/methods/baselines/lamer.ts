/** LAMER (LLatrieval, section 4.1; Shen et al., 2023). */

import { z } from 'zod';
import type { FinalReading } from '../../../core/citations.js';
import { between, whole } from '../../../core/options/ranges.js';
import { chainPassages } from '../../../core/passages-read.js';
import type { Conclusion } from '../../../core/result.js';
import type { PassageRef } from '../../../core/vocabulary.js';
import {
  baseView,
  passageList,
  type Search,
  searchSection,
  section,
} from '../../../report/views/section-parts.js';
import { fuseByRank } from '../../../retrieval/fuse.js';
import { greedyThenSampled } from '../../../steps/samples.js';
import type { Question } from '../../algorithm.js';
import { defineMethod } from '../../define-method.js';
import { answerForm, candidatePassages, optionsOf, readCount } from '../options.js';
import { readBest } from '../read-best.js';

const NO_PSEUDO_PASSAGES = 'it is of pseudo passages, and sub-questions are asked for';

const options = optionsOf(
  {
    passages: readCount,
    queries: whole(1, 10)
      .default(5)
      .describe(
        'Q, queries written for the question, at most (ours: 5); 1 is the form of LLatrieval (4.1: the pseudo passage)',
      ),
    queryStyle: z
      .enum(['passage', 'question'])
      .default('passage')
      .describe(
        'pseudo passages, written from the passages that the question finds (LLatrieval 4.1), or sub-questions',
      ),
    context: whole(1, 50)
      .default(10)
      .describe('passages the pseudo passages are written from (ours: 10)'),
    temperature: between(0, 2)
      .default(0.7)
      .describe('of the pseudo passages after the first, which is greedy (ours: 0.7)'),
    candidates: candidatePassages,
    answerForm,
  },
  {
    unread: {
      context: ({ queryStyle }) => queryStyle === 'question' && NO_PSEUDO_PASSAGES,
      temperature: ({ queryStyle, queries }) =>
        queryStyle === 'question'
          ? NO_PSEUDO_PASSAGES
          : queries === 1 && 'the first pseudo passage is greedy, and there is no other',
    },
  },
);

type LamerOptions = z.output<typeof options>;

interface LamerChain extends FinalReading {
  /** Passages found by the question itself; empty with sub-questions. */
  context: PassageRef[];
  /** One search for each distinct readable query; the question's own if none could be read. */
  searches: Search[];
  /** The best of all searches together, by reciprocal rank fusion. */
  passages: PassageRef[];
}

export const lamer = defineMethod({
  module: import.meta.url,
  name: 'lamer',
  title: 'LAMER: search with passages written from what the question finds, merge, then read',
  source:
    'Shen et al., 2023, as described in LLatrieval (Li et al., NAACL 2024), section 4.1 "Query Rewriting"',
  options,
  passagesRead: chainPassages,
  cites: ({ answerForm }) => (answerForm === 'short' ? undefined : answerForm),
  view(chain: LamerChain, context) {
    const { searches, context: before } = chain;
    return [
      ...searchSection(searches, [...before, ...chain.passages]),
      ...baseView(chain, context),
      ...section('What the question itself found', passageList(before), {
        closed: true,
        detail: true,
      }),
    ];
  },
  figures:
    'with queries 1, the form of LLatrieval (4.1), correctness/citation F1, gpt-3.5-turbo-0301, cited answers, BGE-large, k=5: ASQA 55.3/59.6, QAMPARI 19.0/26.4, ELI5 14.4/66.5',

  /**
   * Writes passages from those that the question finds, or sub-questions to it. Searches with each
   * of them and reads the best of all results. If none could be read, it searches with the
   * question.
   */
  async algorithm(asked): Promise<Conclusion<LamerChain>> {
    const { question, options, step } = asked;
    const { context, queries } = await writeQueries(asked);
    const distinct = queries.length === 0 ? [question] : [...new Set(queries)];

    const found = await Promise.all(
      distinct.map((query) => step.retrieve({ query, count: options.candidates })),
    );
    const passages = fuseByRank(found).slice(0, options.passages);
    const searches = distinct.map((query, i) => ({ query, found: idsOf(found[i] ?? []) }));
    return readBest(asked, idsOf(passages), { context, searches, passages });
  },
});

async function writeQueries({
  question,
  options: { queries: count, queryStyle, context: shown, temperature },
  step,
}: Question<LamerOptions>): Promise<{ context: PassageRef[]; queries: string[] }> {
  if (queryStyle === 'question') {
    return { context: [], queries: await step.askSubQueries({ question, history: [], count }) };
  }
  const context = await step.retrieve({ query: question, count: shown });
  const passages = idsOf(context);
  const written = await Promise.all(
    greedyThenSampled(count, temperature).map((sample) =>
      step.hypotheticalPassage({ question, passages, sample }),
    ),
  );
  return { context, queries: written.filter((passage) => passage !== null) };
}

function idsOf(passages: readonly PassageRef[]): string[] {
  return passages.map(({ id }) => id);
}
