/** LLatrieval: options, what a question costs, and what led to its answer. Pure. */

import { z } from 'zod';
import type { Citation } from './citations.js';
import type { Method } from './method.js';
import { withoutEffect } from './options/without-effect.js';
import { type Given, type PlannedCall, times } from './planned-call.js';
import type { PassageRef } from './vocabulary.js';

const demonstration = z.strictObject({
  question: z.string().min(1),
  passages: z
    .array(z.strictObject({ title: z.string().default(''), text: z.string().min(1) }))
    .max(20)
    .default([])
    .describe('what the numbers in the answer cite'),
  answer: z.string().min(1),
});

/** An example of a cited answer, with the passages it cites. */
export type CitedDemonstration = z.output<typeof demonstration>;

const shape = {
  supporting: z
    .int()
    .min(1)
    .max(20)
    .default(5)
    .describe('k, supporting documents (LLatrieval 4.1: 5)'),
  passages: z
    .int()
    .min(1)
    .max(200)
    .default(50)
    .describe('N, candidates retrieved for a query (LLatrieval 4.1: 50)'),
  window: z
    .int()
    .min(2)
    .max(100)
    .default(20)
    .describe(
      'w, documents shown at a selection, the supporting ones included (LLatrieval 4.1: 20)',
    ),
  iterations: z
    .int()
    .min(1)
    .max(10)
    .default(4)
    .describe('T, iterations at most (LLatrieval 4.1: 4)'),
  verification: z
    .enum(['classification', 'score'])
    .default('classification')
    .describe('yes or no, or a score held against the threshold (LLatrieval 3.1, 4.2)'),
  threshold: z
    .number()
    .min(0)
    .max(10)
    .default(7)
    .describe('tau, the score from which on the documents pass (LLatrieval 3.1 names none: ours)'),
  queryStyle: z
    .enum(['passage', 'question'])
    .default('passage')
    .describe('what asks for missing information (LLatrieval 3.2; table 1: passage is the better)'),
  firstQuery: z
    .enum(['question', 'hypothetical-passage'])
    .default('question')
    .describe('what the first search is made with (LLatrieval A.1: a HyDE passage for ELI5)'),
  summaries: z
    .boolean()
    .default(true)
    .describe('selects by short summaries, else by full texts (LLatrieval A.1: summaries)'),
  answerForm: z
    .enum(['prose', 'list'])
    .default('prose')
    .describe('sentences, or a list of answers (ALCE: prose for ASQA and ELI5, list for QAMPARI)'),
  demonstrations: z
    .array(demonstration)
    .max(5)
    .default([])
    .describe('examples of a cited answer; classification sees the first (ALCE: 2)'),
};

const options = z
  .strictObject(shape)
  .refine(({ window, supporting }) => window > supporting, {
    path: ['window'],
    error: 'must be larger than supporting, or no new document would ever be shown',
  })
  .superRefine(
    withoutEffect(shape, [
      {
        names: ['threshold'],
        when: ({ verification }) => verification !== 'score',
        because: 'only the verification by score has a threshold',
      },
      {
        names: ['queryStyle'],
        when: ({ iterations }) => iterations === 1,
        because: 'a single iteration asks for nothing that is missing',
      },
      {
        names: ['window', 'summaries'],
        when: ({ iterations, passages, supporting }) => iterations === 1 && passages <= supporting,
        because: 'all of the passages are taken, and none is selected',
      },
    ]),
  );

export type LlatrievalOptions = z.output<typeof options>;

/** "LLatrieval: LLM-Verified Retrieval for Verifiable Generation". */
export const llatrievalMethod: Method<LlatrievalOptions> = {
  name: 'llatrieval',
  title: 'LLatrieval: retrieval until the documents are verified, then a cited answer',
  source: 'LLatrieval (Li et al., NAACL 2024), section 3, algorithm 1, appendix A',
  options,
  steps: [
    'hypotheticalPassage',
    'summarizeDocument',
    'selectDocuments',
    'verifyClassify',
    'verifyScore',
    'missingInfoQuery',
    'answerWithCitations',
  ],
  callsFormula:
    'for I iterations, 1 to T: I·N summaries + windows + I verifications + (I - 1) queries + 1 answer; windows: 1 + ceil((N - w)/(w - k)) in the first, then ceil(N/(w - k)); at most 223 by default, 55 when the first iteration passes; 23 and 5 without summaries; 1 more with a hypothetical passage',
  calls: (chosen) => llatrievalCost(chosen).calls,
  plan: planLlatrieval,
  figures:
    'correctness/citation F1, gpt-3.5-turbo-0301, k=5 N=50 w=20 T=4: ASQA 57.7/61.1, QAMPARI 24.3/34.4, ELI5 16.5/71.3 (BGE-large alone: 55.9/57.5, 17.3/24.0)',
};

/**
 * Model calls and searches of a question that takes a number of iterations, when every search
 * brings N passages that were not seen before; fewer calls when it does not.
 */
export function llatrievalCost(
  chosen: LlatrievalOptions,
  iterations = chosen.iterations,
): { calls: number; retrievals: number } {
  const { supporting: k, passages: n, window, firstQuery, summaries } = chosen;
  let [selections, current] = [0, 0];
  for (let i = 0; i < iterations; i++) {
    for (let waiting = n; waiting > 0; ) {
      const shown = Math.min(waiting, window - current);
      // With no more than k to choose from, all are taken and nothing is asked.
      if (current + shown > k) selections += 1;
      waiting -= shown;
      current = Math.min(k, current + shown);
    }
  }
  const first = firstQuery === 'question' ? 0 : 1;
  const summarized = summaries && selections > 0 ? n * iterations : 0;
  const calls = first + summarized + selections + iterations + (iterations - 1) + 1;
  return { calls, retrievals: iterations };
}

/** The steps counted by `llatrievalCost`, as far as there are passages that were not seen. */
function planLlatrieval(chosen: LlatrievalOptions, given: Given): PlannedCall[] {
  const { supporting: k, passages: n, iterations, answerForm, demonstrations } = chosen;
  const { question, output } = given;
  const supporting = { question, passages: given.passages(k) };
  const [demonstration = null] = demonstrations;
  const steps: PlannedCall[] = [];
  let query = question;
  if (chosen.firstQuery !== 'question') {
    steps.push({ step: 'hypotheticalPassage', input: { question } });
    query = output('hypotheticalPassage');
  }
  let [unseen, current, asked] = [given.available, 0, false];
  for (let i = 0; i < iterations; i++) {
    if (i > 0) {
      steps.push({ step: 'missingInfoQuery', input: { ...supporting, style: chosen.queryStyle } });
      query = output('missingInfoQuery');
    }
    steps.push({ step: 'retrieve', input: { query } });
    const candidates = Math.min(given.passages(n).length, unseen);
    unseen -= candidates;
    // What was taken without asking is summarized for the first selection that shows it.
    const unsummarized = candidates + (asked ? 0 : current);
    const selections = planSelections({ candidates, current, unsummarized }, chosen, given);
    asked ||= selections.length > 0;
    steps.push(...selections);
    current = Math.min(k, current + candidates);
    steps.push(
      chosen.verification === 'score'
        ? { step: 'verifyScore', input: supporting }
        : { step: 'verifyClassify', input: { ...supporting, demonstration } },
    );
  }
  const answer = { ...supporting, form: answerForm, demonstrations };
  return [...steps, { step: 'answerWithCitations', input: answer }];
}

/** A summary of each candidate, and the windows that slide over all of them. */
function planSelections(
  {
    candidates,
    current: supporting,
    unsummarized,
  }: Record<'candidates' | 'current' | 'unsummarized', number>,
  { supporting: k, window, summaries }: LlatrievalOptions,
  { question, passages, output }: Given,
): PlannedCall[] {
  // With no more than k to choose from, all are taken and nothing is asked.
  if (supporting + candidates <= k) return [];
  const text = output('summarizeDocument');
  const [longest] = passages(1);
  const found = passages(candidates);
  const steps: PlannedCall[] = times(summaries ? unsummarized : 0, (i) => ({
    step: 'summarizeDocument',
    input: { question, passage: found[i] ?? longest },
  }));
  let current = supporting;
  for (let waiting = candidates; waiting > 0; ) {
    const next = Math.min(waiting, window - current);
    // Documents of earlier iterations are shown beside those of this one.
    const longestOnes = passages(current + next);
    const documents = times(current + next, (i) => ({
      ...(longestOnes[i] ?? longest),
      ...(summaries ? { text } : {}),
    }));
    if (documents.length > k) {
      const which = { iteration: 1, selection: 1 };
      steps.push({ step: 'selectDocuments', input: { question, count: k, documents, ...which } });
    }
    waiting -= next;
    current = Math.min(k, current + next);
  }
  return steps;
}

/** One selection (LLatrieval figure 4): k of the documents there were and a few new ones. */
export interface Selection {
  /** Ids of the new candidates, in retriever order. */
  candidates: string[];
  /**
   * What the model named, as it named it: 1 is the first document of D before, the candidates come
   * after them. Null when there were no more than k, and all were taken without asking.
   */
  named: number[] | null;
  /** D after it, as ids in order. */
  supporting: string[];
}

/** Whether D can support an answer (LLatrieval 3.1). */
export interface Verification {
  passed: boolean;
  /** From 0 to 10, where one was asked for; null when it could not be read. */
  score?: number | null;
}

/** One round of the loop (LLatrieval algorithm 1, lines 3 to 15). */
export interface Iteration {
  query: string;
  /** What the search found, best first, those seen before included. */
  found: PassageRef[];
  /** None when the search brought nothing new. */
  selections: Selection[];
  /** Null when D was empty. */
  verification: Verification | null;
}

/** A document of the last D. */
export interface SupportingDocument {
  id: string;
  title: string;
  /** The short form it was selected by; absent where it was shown in full. */
  summary?: string;
}

export interface LlatrievalChain {
  /** D: the passages numbered [1], [2], ... in the answer. */
  supporting: SupportingDocument[];
  iterations: Iteration[];
  /** Whether the last D was verified. */
  passed: boolean;
  /** Different passages that were offered for selection. */
  documentsRead: number;
  /** Passages that the searches found, repeats included: what tables 4 to 6 of the paper count. */
  documentCandidates: number;
  /** The answer as read; null when it could not be read or there was nothing to read it from. */
  reading: string | null;
  /** What the answer cites, in the order of first citation. */
  citations: Citation[];
}
