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
import { genreadMethod } from './genread.js';
import { llatrievalMethod } from './llatrieval.js';
import type { Method } from './method.js';
import { sureMethod } from './sure.js';

export const methods = {
  sure: sureMethod,
  base: baseMethod,
  allies: alliesMethod,
  chainOfNote: chainOfNoteMethod,
  llatrieval: llatrievalMethod,
  genread: genreadMethod,
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

/** Whether there is a method of this name. */
export function isMethod(name: string): name is MethodName {
  return Object.hasOwn(methods, name);
}
