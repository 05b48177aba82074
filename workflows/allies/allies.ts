/** ALLIES as a workflow (Sun et al., Findings of EMNLP 2023, algorithm 1). */

import { answered, unanswered } from '../../core/result.js';
import type { AlgorithmOf } from '../define-method.js';
import {
  chooseState,
  draftState,
  extendBeam,
  findingsOf,
  historyOf,
  passagesOf,
  plantSeeds,
} from './beam-search.js';
import type { alliesMethod, Draft, Finding } from './method.js';

/**
 * Answers from what the model knows and from evidence for the question, then extends these states
 * by sub-queries, keeping the B best of each depth, until one of them reaches the threshold. The
 * answer is the best of the last depth.
 */
export const allies: AlgorithmOf<typeof alliesMethod> = async ({ question, options, step }) => {
  const { subQueries, passages: count, evidence: kind } = options;

  /** Retrieve: lines 5 and 14. */
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

  /** Answer and Score: lines 2 and 3, 6 and 7, 15 and 16. */
  async function judge(findings: Finding[]): Promise<Draft> {
    const history = historyOf(findings);
    const answer = await step.answerWithEvidence({ question, history });
    if (answer === null) return draftState(findings, null, null);
    return draftState(findings, answer, await step.scoreAnswer({ question, history, answer }));
  }

  /** Ask, and a state for each sub-query: lines 12 to 18. */
  async function extend(findings: Finding[]): Promise<Draft[]> {
    const history = historyOf(findings);
    const queries = await step.askSubQueries({ question, history, count: subQueries });
    return Promise.all(queries.map(async (query) => judge([...findings, await find(query)])));
  }

  // Extensions depend on a state's evidence alone, and the paper extends both seeds whatever their
  // scores: depth 1 does not wait for them.
  const grounds = [Promise.resolve([]), find(question).then((found) => [found])];
  const [seeds, extensions] = await Promise.all([
    Promise.all(grounds.map(async (findings) => judge(await findings))),
    Promise.all(grounds.map(async (findings) => extend(await findings))),
  ]);
  let search = extendBeam(plantSeeds(seeds), extensions, options);
  while (search.stopped === null) {
    const { states, beam } = search;
    const further = await Promise.all(beam.map((state) => extend(findingsOf(states, state))));
    search = extendBeam(search, further, options);
  }

  const chosen = chooseState(search);
  const { states, stopped } = search;
  const chain = { states, chosen: chosen?.id ?? null, stopped };
  if (!chosen) return unanswered('unreadable', [], chain);
  const evidence = passagesOf(findingsOf(states, chosen));
  return { ...answered(chosen.answer, evidence, chain), confidence: chosen.score };
};
