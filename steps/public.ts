/**
 * What steps and methods of one's own are made with: `import { defineStep } from 'durable-rag/steps'`.
 * Pure: workflow code may import all of it.
 */

export type { Algorithm, Ask, Question, Steps } from '../methods/algorithm.js';
export { defineMethod, type MethodDefinition, type OwnMethod } from '../methods/method.js';
export {
  type CitationMetric,
  type ClaimMetric,
  defineMetric,
  type OwnMetric,
  type Rubric,
  type RubricScale,
  type ScoredAnswer,
  type ScoredQuestion,
  type Scorer,
} from '../methods/metric.js';
export { answered, type Conclusion, unanswered } from '../methods/result.js';
export { saysUnknown } from '../methods/unknown.js';
export type { Demonstration, Passage, PassageRef } from '../methods/vocabulary.js';
export { defineStep, type Gold, type ModelStep, type PromptText, type StepRef } from './define.js';
export { choice, type Said, verdict } from './outputs/choice.js';
export { labelledLine, labelledLines, type Reasoned, reasoned } from './outputs/labelled.js';
export { list } from './outputs/list.js';
export { note, notes } from './outputs/notes.js';
export { numberIn } from './outputs/number.js';
export { numbersOf } from './outputs/numbers.js';
export {
  type JsonSchema,
  type ModelOutput,
  mapped,
  type Output,
  objectSchema,
} from './outputs/output.js';
export { jsonOf, membersOf, plainText } from './outputs/plain.js';
export { shortAnswer } from './outputs/short-answer.js';
export { text } from './outputs/text.js';
export { takenApart } from './rendering/quoted.js';
