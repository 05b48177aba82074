/** Entry point of the client: `import { createClient } from 'durable-rag'`. */

export type { FinalReading } from '../core/citations.js';
export type {
  Cluster,
  DemonstrationSet,
  QuestionDocument,
  SetOrigin,
} from '../core/demonstration-sets.js';
export { Failure, type FailureType } from '../core/failure.js';
export type { MethodInput } from '../core/options/input.js';
export type { Flag, MethodResult, Outcome, QuestionFailure, StepUsage } from '../core/result.js';
export type { ForkInput } from '../core/run/fork-input.js';
export type { RunInput } from '../core/run/input.js';
export type {
  Pause,
  RunProgress,
  RunSettings,
  ScoreSum,
} from '../core/run/run.js';
export type { StudyProgress } from '../core/study/cell.js';
export type { StudyInput } from '../core/study/study.js';
export type { Task } from '../core/task.js';
export type { Usage } from '../core/usage.js';
export type { CitedDemonstration, Demonstration, PassageRef } from '../core/vocabulary.js';
export { type ChainOf, type MethodName, methods, type OptionsOf } from '../interpreters/methods.js';
export type { Note } from '../steps/chain-of-note.js';
export type { NoteType } from '../steps/outputs/notes.js';
export type { ThoughtDemonstration } from '../steps/thoughts.js';
export { type EncryptionCodec, payloadCodecs } from '../stores/encryption/payload-codec.js';
export type { ClusterInput, ClusterProgress, ClusterSummary } from '../workflows/cluster-job.js';
export type { AdaptiveRagChain } from '../workflows/methods/adaptive-rag.js';
export type { AlliesOptions } from '../workflows/methods/allies/allies.js';
export type { AlliesChain, AlliesState } from '../workflows/methods/allies/chain.js';
export type { BaseChain } from '../workflows/methods/base.js';
export type { ChainOfNoteChain } from '../workflows/methods/chain-of-note.js';
export type {
  CoragChain,
  CoragOptions,
  CoragPath,
  SubQuery,
} from '../workflows/methods/corag.js';
export type {
  DecomposeChain,
  DecomposeOptions,
  SubQuestion,
} from '../workflows/methods/decompose.js';
export type {
  GeneratedDocument,
  GenreadChain,
  GenreadOptions,
} from '../workflows/methods/genread.js';
export type {
  IrcotChain,
  IrcotOptions,
  ThinkingEnd,
  Thought,
} from '../workflows/methods/ircot.js';
export type {
  IterRetgenChain,
  RetgenIteration,
} from '../workflows/methods/iter-retgen.js';
export type {
  Iteration,
  LlatrievalChain,
  Selection,
  SupportingDocument,
  Verification,
} from '../workflows/methods/llatrieval/chain.js';
export type { RewriteRetrieveReadChain } from '../workflows/methods/rewrite-retrieve-read.js';
export type { PairVote, SureCandidate, SureChain } from '../workflows/methods/sure/chain.js';
export type { SureOptions } from '../workflows/methods/sure/sure.js';
export type { Progress, StepProgress } from '../workflows/question/progress.js';
export type { Rate, Rates } from '../workflows/queue/limits.js';
export type { ClusterHandle } from './cluster-job.js';
export { type ClientOptions, createClient, type DurableRagClient } from './create-client.js';
export type { Deployment, Pollers, VersionState, WorkerVersion } from './deployments.js';
export type { JobHandle } from './job.js';
export type { PoolProgress } from './list-pools.js';
export type { RunSummary } from './list-runs.js';
export type { QuestionHandle, StartOptions } from './questions.js';
export type { QueueLimit } from './queue-limits.js';
export type { RunHandle } from './run.js';
export type { EvaluationSchedule, ScheduledInput, ScheduleTimes } from './schedules.js';
export type { StuckWorkflow } from './stuck-workflows.js';
export type { GatedCell, StudyHandle } from './study.js';
export { type TrainingRun, trainingRun } from './training-run.js';
