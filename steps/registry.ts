/** Every step that asks a model, under the name of its activity. A new step has its line here. */

export { answerWithEvidence, askSubQueries, condenseEvidence, scoreAnswer } from './allies.js';
export { answerFromNotes, takeNote, takeNotes } from './chain-of-note.js';
export { followUp, metaReason, selfAsk } from './follow-ups.js';
export { checkClaim, generateDocument, readBackground, reply } from './genread.js';
export { judgeClaim } from './judge-claim.js';
export {
  answerWithCitations,
  hypotheticalPassage,
  missingInfoQuery,
  selectDocuments,
  summarizeDocument,
  verifyClassify,
  verifyScore,
} from './llatrieval.js';
export { choose, infer, rankPassages, read, readPassage, readSummaries } from './readers.js';
export { nameConditions, recoverCondition } from './self-verification.js';
export { generateCandidates, rankPair, summarize, summarizeGeneric, validate } from './sure.js';
export { nextThought, reason, thinkAndAnswer } from './thoughts.js';
