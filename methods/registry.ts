/** All methods in one place. */
import { alliesMethod } from './allies.js';
import { baseMethod } from './base.js';
import { chainOfThoughtMethod } from './baselines/chain-of-thought.js';
import { conditionalSummariesMethod } from './baselines/conditional-summaries.js';
import { hydeMethod } from './baselines/hyde.js';
import { lamerMethod } from './baselines/lamer.js';
import { mcqMethod } from './baselines/mcq.js';
import { multiChainMethod } from './baselines/multi-chain.js';
import { noRetrievalMethod } from './baselines/no-retrieval.js';
import { rankGptMethod } from './baselines/rank-gpt.js';
import { replugMethod } from './baselines/replug.js';
import { rerankMethod } from './baselines/rerank.js';
import { rerankPassagesMethod } from './baselines/rerank-passages.js';
import { selectionInferenceMethod } from './baselines/selection-inference.js';
import { selfAskMethod } from './baselines/self-ask.js';
import { selfVerificationMethod } from './baselines/self-verification.js';
import { summarizeThenPredictMethod } from './baselines/summarize-then-predict.js';
import { chainOfNoteMethod } from './chain-of-note.js';
import { Failure } from './failure.js';
import { genreadMethod } from './genread.js';
import { ircotMethod } from './ircot.js';
import { iterRetgenMethod } from './iter-retgen.js';
import { llatrievalMethod } from './llatrieval.js';
import type { Method, OwnMethod } from './method.js';
import { suggestion } from './options/nearest.js';
import { sureMethod } from './sure.js';

export const methods = {
  sure: sureMethod,
  base: baseMethod,
  allies: alliesMethod,
  chainOfNote: chainOfNoteMethod,
  llatrieval: llatrievalMethod,
  genread: genreadMethod,
  ircot: ircotMethod,
  iterRetgen: iterRetgenMethod,
  noRetrieval: noRetrievalMethod,
  chainOfThought: chainOfThoughtMethod,
  mcq: mcqMethod,
  summarizeThenPredict: summarizeThenPredictMethod,
  conditionalSummaries: conditionalSummariesMethod,
  rerank: rerankMethod,
  replug: replugMethod,
  selectionInference: selectionInferenceMethod,
  selfVerification: selfVerificationMethod,
  selfAsk: selfAskMethod,
  multiChain: multiChainMethod,
  hyde: hydeMethod,
  lamer: lamerMethod,
  rankGpt: rankGptMethod,
  rerankPassages: rerankPassagesMethod,
};

export type MethodName = keyof typeof methods;

/** The options of a method by its name. */
export type OptionsOf<M extends MethodName> =
  (typeof methods)[M] extends Method<infer O> ? O : never;

/** Whether it is a method of ours. */
export function isMethod(name: string): name is MethodName {
  return Object.hasOwn(methods, name);
}

/** Ours and those that somebody has added, by name. */
export type MethodRegistry = ReadonlyMap<string, OwnMethod<unknown>>;

const ours: MethodRegistry = new Map<string, OwnMethod<unknown>>(Object.entries(methods));

/** Workflows that are no methods: a method of that name would be another one. */
export const JOBS = [
  'collectBatches',
  'evaluateBatch',
  'evaluateBatchShard',
  'genreadClusters',
  'identifyRun',
  'judgeAnswer',
  'queueLimits',
  'queueStores',
];

/**
 * Ours, with methods of somebody's own.
 *
 * @throws Failure BadInput where two have one name.
 */
export function methodRegistry(own: readonly OwnMethod<unknown>[] = []): MethodRegistry {
  if (own.length === 0) return ours;
  const all = new Map(ours);
  for (const method of own) {
    if (all.has(method.name) || JOBS.includes(method.name)) {
      throw new Failure('BadInput', `There are two methods named "${method.name}"; rename one.`);
    }
    all.set(method.name, method);
  }
  return all;
}

/**
 * @param field where the name stands, if it stands in a field or a flag.
 * @throws Failure BadInput naming the one that was meant, or all there are.
 */
export function methodNamed(
  name: string,
  registry: MethodRegistry = ours,
  field?: string,
): OwnMethod<unknown> {
  const method = registry.get(name);
  if (method) return method;
  throw new Failure(
    'BadInput',
    `${field === undefined ? 'There' : `${field}: there`} is no method "${name}"${suggestion(name, [...registry.keys()])}`,
  );
}
