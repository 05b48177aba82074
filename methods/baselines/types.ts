/** The types of the baselines, as a program that asks them needs them. */
export type { ChainOfThoughtChain, ChainOfThoughtOptions } from './chain-of-thought.js';
export type {
  ConditionalSummariesChain,
  ConditionalSummariesOptions,
} from './conditional-summaries.js';
export type { EnsembleChain, PassageReading } from './ensemble.js';
export type { AnswerForm, FinalReading } from './final-reading.js';
export type { HydeChain, HydeOptions } from './hyde.js';
export type { LamerChain, LamerOptions, Search } from './lamer.js';
export type { McqChain, McqOptions } from './mcq.js';
export type { MultiChainChain, MultiChainOptions } from './multi-chain.js';
export type { NoRetrievalChain, NoRetrievalOptions } from './no-retrieval.js';
export type { RankedWindow, RankGptChain, RankGptOptions } from './rank-gpt.js';
export type { ReplugOptions } from './replug.js';
export type { RerankOptions } from './rerank.js';
export type {
  PassageRanking,
  RankedBy,
  RerankPassagesChain,
  RerankPassagesOptions,
} from './rerank-passages.js';
export type { SelectionInferenceChain, SelectionInferenceOptions } from './selection-inference.js';
export type { FollowUp, SelfAskChain, SelfAskOptions } from './self-ask.js';
export type {
  SelfVerificationChain,
  SelfVerificationOptions,
  VerifiedCandidate,
} from './self-verification.js';
export type {
  SummarizeThenPredictChain,
  SummarizeThenPredictOptions,
} from './summarize-then-predict.js';
export type { Tally } from './vote.js';
