/**
 * Workflows for a worker with a bundle of its own, which re-exports them beside its own: `export *
 * from 'durable-rag/workflows'`. The build adds the workflows of the shipped methods.
 */

import type { DefinedMethod } from './define-method.js';
import type { QuestionWorkflow } from './question/question-workflow.js';
import type * as shipped from './shipped.js';

export type { MethodInput } from '../core/options/input.js';
export type { MethodResult } from '../core/result.js';
export type { Passage, PassageRef } from '../core/vocabulary.js';
export * from './jobs.js';
export { type QuestionWorkflow, questionWorkflow } from './question/question-workflow.js';

type WorkflowOf<M> = M extends DefinedMethod<infer O, infer C> ? QuestionWorkflow<O, C> : never;

/**
 * The types of the shipped methods' workflows, by name, to start them as child workflows.
 *
 * @example
 * const asked = executeChild<MethodWorkflows['base']>('base', { args: [{ question }] });
 */
export type MethodWorkflows = { [M in keyof typeof shipped]: WorkflowOf<(typeof shipped)[M]> };
