/** ALLIES (Sun et al., Findings of EMNLP 2023, algorithm 1). */

import { z } from 'zod';
import { between, whole } from '../../../core/options/ranges.js';
import { passagesOf } from '../../../core/passages-read.js';
import { answered, type Conclusion, unanswered } from '../../../core/result.js';
import { defineMethod } from '../../define-method.js';
import { optionsOf } from '../options.js';
import {
  chooseState,
  draftState,
  evidenceOf,
  extendBeam,
  findingsOf,
  historyOf,
  startBeam,
} from './beam-search.js';
import { type AlliesChain, alliesView, type Draft, type Finding } from './chain.js';

const options = optionsOf(
  {
    subQueries: whole(1, 10)
      .default(2)
      .describe('K, sub-queries asked for at most to extend a state (ALLIES table 6: NQ 2)'),
    depth: whole(1, 8)
      .default(2)
      .describe('D, how often states are extended at most (ALLIES table 6: NQ 2)'),
    passages: whole(1, 200)
      .default(2)
      .describe('N, passages for a query (ALLIES table 6: NQ 2), if evidence is retrieved'),
    threshold: between(0, 1)
      .default(0.8)
      .describe(
        'S, the score from which on an extended state ends the search (ALLIES table 6: 0.8)',
      ),
    beamSize: whole(1, 10)
      .default(2)
      .describe('B, states kept of each depth (ALLIES table 6: NQ 2)'),
    evidence: z
      .enum(['retrieved', 'generated', 'none'])
      .default('retrieved')
      .describe(
        'what is found for a query: passages retrieved and condensed, or a background document (ALLIES 4.3); or nothing, so that the queries stand alone (5.5, table 2)',
      ),
  },
  {
    unread: {
      passages: ({ evidence }) =>
        evidence !== 'retrieved' && 'passages are searched for only if the evidence is retrieved',
    },
  },
);

/** Options of `allies` (ALLIES, beam search over sub-queries), with all defaults. */
export type AlliesOptions = z.output<typeof options>;

/** The method `allies`: beam search over sub-queries (ALLIES, algorithm 1). */
export const allies = defineMethod({
  module: import.meta.url,
  name: 'allies',
  title: 'ALLIES: beam search over sub-queries',
  source: 'ALLIES (Sun et al., Findings of EMNLP 2023), section 4, algorithm 1',
  options,
  // Every sub-query of a history may be the longest output of its request.
  bound: (chosen) => chosen,
  passagesRead: ({ states }: AlliesChain) => states.flatMap(passagesOf),
  searches: ({ evidence }) => evidence === 'retrieved',
  facts: {
    iterations: {
      of: ({ states }: AlliesChain) => Math.max(0, ...states.map(({ depth }) => depth)),
      most: ({ depth }) => depth,
    },
    // The question itself, then the sub-queries of both seeds, and of each later beam.
    mostSearches: ({ subQueries, depth, beamSize }) =>
      1 + 2 * subQueries + (depth - 1) * beamSize * subQueries,
    candidates: ({ states }: AlliesChain) =>
      states.flatMap(({ answer }) => (answer === null ? [] : [{ text: answer }])),
    texts: {
      evidence: ({ states }: AlliesChain) => states.flatMap(({ evidence }) => evidence ?? []),
    },
  },
  view: alliesView,
  figures:
    'EM/F1, GPT-3.5-turbo: NQ 38.0/47.8 (K=2 B=2 D=2 N=2), TriviaQA 61.4/70.8 (generated, K=2 B=3 D=1), WebQ 28.2/45.6 (generated, K=3 B=3 D=2); without evidence NQ 22.4/34.5, WebQ 19.8/36.5',

  /**
   * Starts from two states: the model's own knowledge, and evidence for the question. Extends
   * states by sub-queries, keeping the B best of each depth, until one reaches the threshold. The
   * answer is the best of the last depth.
   */
  async algorithm({ question, options, step }): Promise<Conclusion<AlliesChain>> {
    const { subQueries, passages: count, evidence: kind } = options;

    /** Retrieves evidence: lines 5 and 14. */
    async function find(query: string): Promise<Finding> {
      if (kind === 'none') return { query, passages: [], evidence: null };
      if (kind === 'generated') {
        const evidence = await step.generateDocument({ query, short: true });
        return { query, passages: [], evidence };
      }
      const retrieved = await step.retrieve({ query, count });
      if (retrieved.length === 0) return { query, passages: [], evidence: '' };
      const passages = retrieved.map(({ id }) => id);
      const evidence = await step.condenseEvidence({ question, query, passages });
      return { query, passages: retrieved, evidence };
    }

    /** Answers and scores: lines 2 and 3, 6 and 7, 15 and 16. */
    async function judge(findings: Finding[]): Promise<Draft> {
      const history = historyOf(findings);
      const answer = await step.answerWithEvidence({ question, history });
      if (answer === null) return draftState(findings, null, null);
      return draftState(findings, answer, await step.scoreAnswer({ question, history, answer }));
    }

    /** Asks sub-queries and makes a state for each: lines 12 to 18. */
    async function extend(findings: Finding[]): Promise<Draft[]> {
      const history = historyOf(findings);
      const queries = await step.askSubQueries({ question, history, count: subQueries });
      return Promise.all(queries.map(async (query) => judge([...findings, await find(query)])));
    }

    // The extensions of a state depend on its evidence alone, and the paper extends both seeds
    // whatever their scores, so depth 1 does not wait for the scores.
    const grounds = [Promise.resolve([]), find(question).then((found) => [found])];
    const [seeds, extensions] = await Promise.all([
      Promise.all(grounds.map(async (findings) => judge(await findings))),
      Promise.all(grounds.map(async (findings) => extend(await findings))),
    ]);
    let search = extendBeam(startBeam(seeds), extensions, options);
    while (search.stopped === null) {
      const { states, beam } = search;
      const further = await Promise.all(beam.map((state) => extend(findingsOf(states, state))));
      search = extendBeam(search, further, options);
    }

    const chosen = chooseState(search);
    const { states, stopped } = search;
    const chain = { states, chosen: chosen?.id ?? null, stopped };
    if (!chosen) return unanswered('unreadable', [], chain);
    const evidence = evidenceOf(findingsOf(states, chosen));
    return { ...answered(chosen.answer, evidence, chain), confidence: chosen.score };
  },
});
