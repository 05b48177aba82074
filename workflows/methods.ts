/** The registry of the methods that ship. */

import { z } from 'zod';
import { Failure } from '../core/failure.js';
import { passagesOf } from '../core/passages-read.js';
import { parseRun, type RunSpec } from '../core/run/input.js';
import type { PassageRef } from '../core/vocabulary.js';
import type { Algorithm } from './algorithm.js';
import * as algorithms from './algorithms.js';
import { alliesMethod } from './allies/method.js';
import { baseMethod } from './base/method.js';
import { chainOfThoughtMethod } from './baselines/chain-of-thought/method.js';
import { conditionalSummariesMethod } from './baselines/conditional-summaries/method.js';
import { hydeMethod } from './baselines/hyde/method.js';
import { lamerMethod } from './baselines/lamer/method.js';
import { mcqMethod } from './baselines/mcq/method.js';
import { multiChainMethod } from './baselines/multi-chain/method.js';
import { noRetrievalMethod } from './baselines/no-retrieval/method.js';
import { rankGptMethod } from './baselines/rank-gpt/method.js';
import { replugMethod } from './baselines/replug/method.js';
import { rerankMethod } from './baselines/rerank/method.js';
import { rerankPassagesMethod } from './baselines/rerank-passages/method.js';
import { selectionInferenceMethod } from './baselines/selection-inference/method.js';
import { selfAskMethod } from './baselines/self-ask/method.js';
import { selfVerificationMethod } from './baselines/self-verification/method.js';
import { summarizeThenPredictMethod } from './baselines/summarize-then-predict/method.js';
import { chainOfNoteMethod } from './chain-of-note/method.js';
import { defineMethod, type OwnMethod, type OwnMethods } from './define-method.js';
import { genreadMethod } from './genread/method.js';
import { ircotMethod } from './ircot/method.js';
import { iterRetgenMethod } from './iter-retgen/method.js';
import { llatrievalMethod } from './llatrieval/method.js';
import { sureMethod } from './sure/method.js';

/**
 * Joins what is declared of a method and what workers run, whose bundle is without the former. What
 * it has read are the passages of its chain, unless it says otherwise.
 */
function complete<O>(method: ReturnType<typeof defineMethod<O>>, algorithm: Algorithm<O, unknown>) {
  return { passagesRead: passagesOf<readonly PassageRef[]>, ...method, algorithm };
}

export const methods = {
  sure: complete(sureMethod, algorithms.sure),
  base: complete(baseMethod, algorithms.base),
  allies: complete(alliesMethod, algorithms.allies),
  chainOfNote: complete(chainOfNoteMethod, algorithms.chainOfNote),
  llatrieval: complete(llatrievalMethod, algorithms.llatrieval),
  genread: complete(genreadMethod, algorithms.genread),
  ircot: complete(ircotMethod, algorithms.ircot),
  iterRetgen: complete(iterRetgenMethod, algorithms.iterRetgen),
  noRetrieval: complete(noRetrievalMethod, algorithms.noRetrieval),
  chainOfThought: complete(chainOfThoughtMethod, algorithms.chainOfThought),
  mcq: complete(mcqMethod, algorithms.mcq),
  summarizeThenPredict: complete(summarizeThenPredictMethod, algorithms.summarizeThenPredict),
  conditionalSummaries: complete(conditionalSummariesMethod, algorithms.conditionalSummaries),
  rerank: complete(rerankMethod, algorithms.rerank),
  replug: complete(replugMethod, algorithms.replug),
  selectionInference: complete(selectionInferenceMethod, algorithms.selectionInference),
  selfVerification: complete(selfVerificationMethod, algorithms.selfVerification),
  selfAsk: complete(selfAskMethod, algorithms.selfAsk),
  multiChain: complete(multiChainMethod, algorithms.multiChain),
  hyde: complete(hydeMethod, algorithms.hyde),
  lamer: complete(lamerMethod, algorithms.lamer),
  rankGpt: complete(rankGptMethod, algorithms.rankGpt),
  rerankPassages: complete(rerankPassagesMethod, algorithms.rerankPassages),
};

export type MethodName = keyof typeof methods;

/** The options of a method by its name. */
export type OptionsOf<M extends MethodName> =
  (typeof methods)[M] extends OwnMethod<infer O> ? O : never;

/** Tells whether a method of this name ships. */
export function isMethod(name: string): name is MethodName {
  return Object.hasOwn(methods, name);
}

const ours: OwnMethods = new Map<string, OwnMethod<unknown>>(Object.entries(methods));

/** The workflows that are not methods. A custom method cannot have one of these names. */
export const JOBS = [
  'collectBatches',
  'evaluateRun',
  'evaluateRunShard',
  'evaluateStudy',
  'genreadClusters',
  'identifyRun',
  'judgeAnswer',
  'queueLimits',
  'queueStores',
];

/**
 * Returns the methods that ship, with custom methods added.
 *
 * @throws Failure BadInput if two methods or workflows have the same name.
 */
export function methodRegistry(own: readonly (OwnMethod<unknown> | string)[] = []): OwnMethods {
  if (own.length === 0) return ours;
  const all = new Map(ours);
  for (const given of own) {
    const method = typeof given === 'string' ? methodByName(given) : given;
    if (all.has(method.name) || JOBS.includes(method.name)) {
      throw new Failure('BadInput', `There are two methods named "${method.name}"; rename one.`);
    }
    all.set(method.name, method);
  }
  return all;
}

/** Returns a method of which only the name is known here: the workers check its input. */
function methodByName(name: string): OwnMethod<unknown> {
  return { ...defineMethod({ name, title: name, options: z.looseObject({}) }), steps: undefined };
}

/**
 * Returns the input of a run, checked, with every default filled in.
 *
 * @throws Failure BadInput naming every field that is wrong.
 */
export function parseRunInput(input: unknown, registry: OwnMethods = ours): RunSpec {
  return parseRun(input, registry);
}
