/**
 * What a package of workflows imports: `import { questionWorkflow } from 'durable-rag/workflows'`.
 * A worker with a bundle of its own re-exports it all, to have our workflows beside its own.
 */

export type { Algorithm, Ask, Question, Steps } from '../methods/algorithm.js';
export type { MethodInput } from '../methods/options/input.js';
export { answered, type Conclusion, type MethodResult, unanswered } from '../methods/result.js';
export { saysUnknown } from '../methods/unknown.js';
export type { Demonstration, Passage, PassageRef } from '../methods/vocabulary.js';
export type { ModelStep, StepRef } from '../steps/define.js';
export * from './index.js';
export { type QuestionWorkflow, questionWorkflow } from './question-workflow.js';
