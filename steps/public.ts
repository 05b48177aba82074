/**
 * What steps and methods of one's own are made with: `import { defineStep } from 'durable-rag/steps'`.
 * Pure: workflow code may import all of it.
 */

export type { Algorithm, Ask, Question, Steps } from '../methods/algorithm.js';
export { defineMethod, type MethodDefinition, type OwnMethod } from '../methods/method.js';
export {
  defineMetric,
  defineRubric,
  type OwnMetric,
  type Rubric,
  type RubricScale,
  type ScoredAnswer,
  type ScoredQuestion,
  type Scorer,
} from '../methods/own-metric.js';
export { answered, type Conclusion, unanswered } from '../methods/result.js';
export { saysUnknown } from '../methods/unknown.js';
export type { Demonstration, Passage, PassageRef } from '../methods/vocabulary.js';
export type { ModelOutput, StepRef } from './define.js';
export { defineOwnStep as defineStep, type OwnStep } from './own-steps.js';
export { parseReading as readShortAnswer } from './read/implementation.js';
export { closedText, wholeLines, wholeSentences } from './reading/cut.js';
export { afterFinalLabel } from './reading/label.js';
export { type ReadList, readList } from './reading/list.js';
export { bareText, plainText } from './reading/plain.js';
export { type Preference, readPreference } from './reading/preference.js';
export { isRefusal, saysNothing } from './reading/refusal.js';
export { readScore } from './reading/score.js';
export { concludingAnswer } from './reading/stated-answer.js';
export { takenApart } from './reading/text.js';
export { readVerdict } from './reading/verdict.js';
