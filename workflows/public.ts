/**
 * What a package of workflows imports: `import { questionWorkflow } from 'durable-rag/workflows'`.
 * A worker with a bundle of its own re-exports it all, to have our workflows beside its own.
 */

export type { MethodInput } from '../core/options/input.js';
export { answered, type Conclusion, type MethodResult, unanswered } from '../core/result.js';
export { saysUnknown } from '../core/unknown.js';
export type { Demonstration, Passage, PassageRef } from '../core/vocabulary.js';
export type { ModelStep, StepRef } from '../steps/define.js';
export type { Algorithm, Ask, Question, Steps } from './algorithm.js';
export * from './index.js';
export { type QuestionWorkflow, questionWorkflow } from './question/question-workflow.js';
