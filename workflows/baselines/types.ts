/** The types of the baselines, as a program that asks them needs them. */

export type { FinalReading } from '../../core/citations.js';
export type { AnswerForm } from '../options.js';
export type { ChainOfThoughtChain, ChainOfThoughtOptions } from './chain-of-thought/method.js';
export type {
  ConditionalSummariesChain,
  ConditionalSummariesOptions,
} from './conditional-summaries/method.js';
export type { HydeChain, HydeOptions } from './hyde/method.js';
export type { LamerChain, LamerOptions, Search } from './lamer/method.js';
export type { McqChain, McqOptions } from './mcq/method.js';
export type { MultiChainChain, MultiChainOptions } from './multi-chain/method.js';
export type { NoRetrievalChain, NoRetrievalOptions } from './no-retrieval/method.js';
export type { RankGptChain, RankGptOptions } from './rank-gpt/method.js';
export type { RankedWindow } from './rank-gpt/sliding-window.js';
export type { ReplugOptions } from './replug/method.js';
export type { RerankOptions } from './rerank/method.js';
export type {
  PassageRanking,
  RankedBy,
  RerankPassagesChain,
  RerankPassagesOptions,
} from './rerank-passages/method.js';
export type {
  SelectionInferenceChain,
  SelectionInferenceOptions,
} from './selection-inference/method.js';
export type { FollowUp, SelfAskChain, SelfAskOptions } from './self-ask/method.js';
export type {
  SelfVerificationChain,
  SelfVerificationOptions,
  VerifiedCandidate,
} from './self-verification/method.js';
export type {
  SummarizeThenPredictChain,
  SummarizeThenPredictOptions,
} from './summarize-then-predict/method.js';
export type { EnsembleChain, PassageReading } from './voting/ensemble.js';
export type { Tally } from './voting/vote.js';
