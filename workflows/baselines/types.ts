/** The types of the baselines, as a program that asks them needs them. */

export type { FinalReading } from '../../core/citations.js';
export type { AnswerForm } from '../options.js';
export type { ChainOfThoughtChain, ChainOfThoughtOptions } from './chain-of-thought/options.js';
export type {
  ConditionalSummariesChain,
  ConditionalSummariesOptions,
} from './conditional-summaries/options.js';
export type { HydeChain, HydeOptions } from './hyde/options.js';
export type { LamerChain, LamerOptions, Search } from './lamer/options.js';
export type { McqChain, McqOptions } from './mcq/options.js';
export type { MultiChainChain, MultiChainOptions } from './multi-chain/options.js';
export type { NoRetrievalChain, NoRetrievalOptions } from './no-retrieval/options.js';
export type { RankGptChain, RankGptOptions } from './rank-gpt/options.js';
export type { RankedWindow } from './rank-gpt/sliding-window.js';
export type { ReplugOptions } from './replug/options.js';
export type { RerankOptions } from './rerank/options.js';
export type {
  PassageRanking,
  RankedBy,
  RerankPassagesChain,
  RerankPassagesOptions,
} from './rerank-passages/options.js';
export type {
  SelectionInferenceChain,
  SelectionInferenceOptions,
} from './selection-inference/options.js';
export type { FollowUp, SelfAskChain, SelfAskOptions } from './self-ask/options.js';
export type {
  SelfVerificationChain,
  SelfVerificationOptions,
  VerifiedCandidate,
} from './self-verification/options.js';
export type {
  SummarizeThenPredictChain,
  SummarizeThenPredictOptions,
} from './summarize-then-predict/options.js';
export type { EnsembleChain, PassageReading } from './voting/ensemble.js';
export type { Tally } from './voting/vote.js';
