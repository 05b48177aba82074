/** What led to an answer, for a terminal: each method's chain in a view of its own. Pure. */
import { isMethod, type MethodName } from '../../methods/registry.js';
import type { MethodResult } from '../../methods/result.js';
import type { ChainOf } from '../create-client.js';
import { alliesChain } from './chains/allies.js';
import { chainOfNoteChain } from './chains/chain-of-note.js';
import { genreadChain } from './chains/genread.js';
import { llatrievalChain } from './chains/llatrieval.js';
import {
  chainOfThoughtChain,
  conditionalSummariesChain,
  ensembleChain,
  mcqChain,
  readingChain,
  selectionInferenceChain,
  selfVerificationChain,
  summarizeThenPredictChain,
} from './chains/reading-baselines.js';
import {
  hydeChain,
  lamerChain,
  multiChainChain,
  rankGptChain,
  rerankPassagesChain,
  selfAskChain,
} from './chains/search-baselines.js';
import { sureChain } from './chains/sure.js';

/** Gives lines of at most 80 columns; each part ends with a blank one. */
type View<C> = (chain: C, answer: string | null, evidence: string[]) => string[];

/** A method without a view is shown by its passages. */
const views: { [M in MethodName]?: View<ChainOf<M>> } = {
  sure: sureChain,
  allies: alliesChain,
  chainOfNote: chainOfNoteChain,
  llatrieval: llatrievalChain,
  genread: genreadChain,
  chainOfThought: chainOfThoughtChain,
  mcq: mcqChain,
  summarizeThenPredict: summarizeThenPredictChain,
  conditionalSummaries: conditionalSummariesChain,
  rerank: ensembleChain,
  replug: ensembleChain,
  selectionInference: selectionInferenceChain,
  selfVerification: selfVerificationChain,
  selfAsk: selfAskChain,
  multiChain: multiChainChain,
  hyde: hydeChain,
  lamer: lamerChain,
  rankGpt: rankGptChain,
  rerankPassages: rerankPassagesChain,
};

/** The chain of a result; nothing where it has none. */
export function renderChain({ method, chain, answer, evidence }: MethodResult): string[] {
  if (chain === null) return [];
  const view = (isMethod(method) ? views[method] : undefined) ?? readingChain;
  return (view as View<unknown>)(chain, answer, evidence);
}
