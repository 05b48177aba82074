/**
 * Declarations for custom methods, steps and metrics, and the shipped methods for methods that run
 * them: `import { defineMethod } from 'durable-rag/methods'`. Pure: workflow code may import all of
 * it.
 */

export type { BoundedCount, CandidateAnswer, ChainFacts } from '../core/method.js';
export {
  type ChainMetric,
  type CitationMetric,
  type ClaimMetric,
  defineMetric,
  type EndedQuestion,
  type OwnMetric,
  type Range,
  type RecordedCall,
  type Rubric,
  type RubricScale,
  type ScoredAnswer,
  type ScoredQuestion,
  type Scorer,
} from '../core/metric.js';
export { answered, type Conclusion, concluded, unanswered } from '../core/result.js';
export type {
  Block,
  Card,
  Chip,
  PassageItem,
  PassageName,
  Section,
  Tone,
  TreeNode,
} from '../core/section.js';
export type { LostQuestion, ProposeInput } from '../core/tune/proposals.js';
export { UNKNOWN } from '../core/unknown.js';
export type { View, ViewContext } from '../core/view.js';
export type { Demonstration, Passage, PassageRef } from '../core/vocabulary.js';
export { type Action, type ActionContext, defineAction } from '../steps/actions.js';
export {
  defineStep,
  type Gold,
  type InlinePrompt,
  type ModelStep,
  type StepRef,
} from '../steps/define.js';
export { answerPositions, isAccepted, shownAnswer } from '../steps/oracles.js';
export { type ChoiceValue, choice, verdict } from '../steps/outputs/choice.js';
export { labelledLine, type Reasoned, reasoned } from '../steps/outputs/labelled.js';
export { list } from '../steps/outputs/list.js';
export { note, notes } from '../steps/outputs/notes.js';
export { numberIn } from '../steps/outputs/number.js';
export { numbersOf } from '../steps/outputs/number-list.js';
export {
  type JsonSchema,
  type ModelOutput,
  mapped,
  type Output,
  objectSchema,
} from '../steps/outputs/output.js';
export { jsonOf, plainText } from '../steps/outputs/plain.js';
export { shortAnswer } from '../steps/outputs/short-answer.js';
export { text } from '../steps/outputs/text.js';
export type { Steps } from '../steps/table.js';
export {
  inLines,
  inMarks,
  inResults,
  type Lookup,
  type Marks,
  type Protocol,
  type TranscriptAddition,
  type Turn,
  type TurnAction,
  type TurnForm,
  type TurnInput,
  type TurnPlace,
  turnStep,
} from '../steps/turns.js';
export type { Algorithm, Ask, Question, Runnable } from './algorithm.js';
export {
  type Acted,
  type ByTurns,
  type ByTurnsOptions,
  byTurns,
  type TakenTurn,
  type TurnsEnd,
} from './by-turns.js';
export { type DefinedMethod, defineMethod, type OwnMethod } from './define-method.js';
export { optionsOf, passageCount } from './methods/options.js';
export * from './shipped.js';
