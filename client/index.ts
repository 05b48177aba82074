/** What a program imports: `import { createClient } from 'durable-rag'`. */
export type { AlliesChain, AlliesOptions, AlliesState } from '../methods/allies.js';
export type { BaseChain, BaseOptions } from '../methods/base.js';
export type * from '../methods/baselines/types.js';
export type {
  BatchProgress,
  BatchSettings,
  Pause,
  ScoreSum,
} from '../methods/batch/batch.js';
export type { BatchInput } from '../methods/batch/input.js';
export type { Progress, StepProgress } from '../methods/batch/progress.js';
export { type TrainingRun, trainingRun } from '../methods/batch/training-run.js';
export type {
  ChainOfNoteChain,
  ChainOfNoteOptions,
  Note,
  NoteType,
} from '../methods/chain-of-note.js';
export type { ClusterInput, ClusterProgress, ClusterSummary } from '../methods/cluster-job.js';
export type {
  Cluster,
  DemonstrationSet,
  QuestionDocument,
  SetOrigin,
} from '../methods/demonstration-sets.js';
export { Failure, type FailureType } from '../methods/failure.js';
export { type FidExample, type FidSource, fidExample, fidLine } from '../methods/fid.js';
export type {
  GeneratedDocument,
  GenreadChain,
  GenreadOptions,
  Task,
} from '../methods/genread.js';
export type {
  IrcotChain,
  IrcotOptions,
  ThinkingEnd,
  Thought,
  ThoughtDemonstration,
} from '../methods/ircot.js';
export type {
  IterRetgenChain,
  IterRetgenOptions,
  RetgenIteration,
} from '../methods/iter-retgen.js';
export type {
  CitedDemonstration,
  Iteration,
  LlatrievalChain,
  LlatrievalOptions,
  Selection,
  SupportingDocument,
  Verification,
} from '../methods/llatrieval.js';
export type { MethodInput } from '../methods/options/input.js';
export { type MethodName, methods, type OptionsOf } from '../methods/registry.js';
export type { Flag, MethodResult, Outcome, QuestionFailure, StepUsage } from '../methods/result.js';
export type { PairVote, SureCandidate, SureChain, SureOptions } from '../methods/sure.js';
export type { Usage } from '../methods/usage.js';
export type { Demonstration, PassageRef } from '../methods/vocabulary.js';
export type { BatchHandle } from './batch.js';
export type { ClusterHandle } from './cluster-job.js';
export {
  type ChainOf,
  type ClientOptions,
  createClient,
  type DurableRagClient,
  type StartOptions,
} from './create-client.js';
export type { JobHandle } from './job.js';
export type { BatchSummary } from './list-batches.js';
export type { QuestionHandle } from './question-handle.js';
export type { EvaluationSchedule, ScheduledInput, ScheduleTimes } from './schedules.js';
export type { StuckWorkflow } from './stuck-workflows.js';
