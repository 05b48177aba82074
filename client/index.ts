/** What a program imports: `import { createClient } from 'durable-rag'`. */
export type { BaseChain, BaseOptions } from '../methods/base.js';
export { Failure, type FailureType } from '../methods/failure.js';
export type { MethodInput } from '../methods/input.js';
export type { Progress, StepProgress } from '../methods/progress.js';
export { type MethodName, methods, type OptionsOf } from '../methods/registry.js';
export type { Flag, MethodResult, Outcome, QuestionFailure, StepUsage } from '../methods/result.js';
export type { PairVote, SureCandidate, SureChain, SureOptions } from '../methods/sure.js';
export type { Usage } from '../methods/usage.js';
export type { Demonstration, PassageRef } from '../methods/vocabulary.js';
export {
  type ChainOf,
  type ClientOptions,
  createClient,
  type DurableRagClient,
  type StartOptions,
} from './create-client.js';
export type { QuestionHandle } from './question-handle.js';
