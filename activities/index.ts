/** All activities, by the name a person reads in the history. */
import type { StepName } from '../methods/step-names.js';
import { batchActivities } from './batch/index.js';
import {
  clusterActivities,
  type PaidClusterActivities,
  paidClusterActivities,
} from './jobs/index.js';
import type { Ports } from './runtime/ports.js';
import { prepareActivity } from './runtime/prepare.js';
import { rateActivities } from './runtime/rates.js';
import { type ModelActivity, modelActivity } from './runtime/run-model-step.js';
import { answerFromNotes } from './steps/answer-from-notes.js';
import { answerWithCitations } from './steps/answer-with-citations.js';
import { answerWithEvidence } from './steps/answer-with-evidence.js';
import { askSubQueries } from './steps/ask-sub-queries.js';
import { checkClaim } from './steps/check-claim.js';
import { choose } from './steps/choose.js';
import { condenseEvidence } from './steps/condense-evidence.js';
import { type EmbedTextsActivity, embedTextsActivity } from './steps/embed-texts.js';
import { findDemonstrationSetActivity } from './steps/find-demonstration-set.js';
import { followUp } from './steps/follow-up.js';
import { generateCandidates } from './steps/generate-candidates.js';
import { generateDocument } from './steps/generate-document.js';
import { hypotheticalPassage } from './steps/hypothetical-passage.js';
import { infer } from './steps/infer.js';
import { judgeClaim } from './steps/judge-claim.js';
import { metaReason } from './steps/meta-reason.js';
import { missingInfoQuery } from './steps/missing-info-query.js';
import { nameConditions } from './steps/name-conditions.js';
import { rankByCrossEncoderActivity } from './steps/rank-by-cross-encoder.js';
import {
  type RankBySimilarityActivity,
  rankBySimilarityActivity,
} from './steps/rank-by-similarity.js';
import { rankPair } from './steps/rank-pair.js';
import { rankPassages } from './steps/rank-passages.js';
import { read } from './steps/read.js';
import { readBackground } from './steps/read-background.js';
import { readPassage } from './steps/read-passage.js';
import { readSummaries } from './steps/read-summaries.js';
import { reason } from './steps/reason.js';
import { recoverCondition } from './steps/recover-condition.js';
import { reply } from './steps/reply.js';
import { retrieveActivity } from './steps/retrieve.js';
import { scoreAnswer } from './steps/score-answer.js';
import { scoreByTfIdfActivity } from './steps/score-by-tf-idf.js';
import { selectDocuments } from './steps/select-documents.js';
import { selfAsk } from './steps/self-ask.js';
import type { ModelStep } from './steps/step.js';
import { summarize } from './steps/summarize.js';
import { summarizeDocument } from './steps/summarize-document.js';
import { summarizeGeneric } from './steps/summarize-generic.js';
import { takeNote } from './steps/take-note.js';
import { takeNotes } from './steps/take-notes.js';
import { validate } from './steps/validate.js';
import { verifyClassify, verifyScore } from './steps/verify-documents.js';

/** Every step that asks a model. A new step is a file of its own and a name here. */
export const modelSteps = {
  generateCandidates,
  summarize,
  validate,
  rankPair,
  read,
  choose,
  summarizeGeneric,
  readSummaries,
  readPassage,
  reason,
  rankPassages,
  infer,
  nameConditions,
  recoverCondition,
  followUp,
  selfAsk,
  metaReason,
  takeNotes,
  takeNote,
  answerFromNotes,
  answerWithEvidence,
  scoreAnswer,
  askSubQueries,
  condenseEvidence,
  generateDocument,
  readBackground,
  checkClaim,
  reply,
  summarizeDocument,
  selectDocuments,
  verifyClassify,
  verifyScore,
  missingInfoQuery,
  hypotheticalPassage,
  answerWithCitations,
  judgeClaim,
} satisfies Record<StepName, ModelStep<never, unknown>>;

type ModelSteps = typeof modelSteps;

export type ModelActivities = {
  [S in keyof ModelSteps]: ModelSteps[S] extends ModelStep<infer I, infer O>
    ? ModelActivity<I, O>
    : never;
};

/** The activities that embed or score texts, which an endpoint may charge for as well. */
export interface EmbeddingActivities {
  embedTexts: EmbedTextsActivity;
  rankBySimilarity: RankBySimilarityActivity;
  rankByCrossEncoder: RankBySimilarityActivity;
}

/** The activities that ask a model; on a task queue of their own, whose rate the server limits. */
export function createModelActivities(
  ports: Ports,
): ModelActivities & EmbeddingActivities & PaidClusterActivities {
  const steps = Object.fromEntries(
    Object.entries({ ...modelSteps, ...ports.steps }).map(([name, step]) => [
      name,
      modelActivity(step as ModelStep<unknown, unknown>, ports),
    ]),
  ) as ModelActivities;
  return {
    ...steps,
    ...paidClusterActivities(ports),
    embedTexts: embedTextsActivity(ports),
    rankBySimilarity: rankBySimilarityActivity(ports),
    rankByCrossEncoder: rankByCrossEncoderActivity(ports),
  };
}

/** The activities that cost nothing; they run beside the workflows. */
export function createQuestionActivities(ports: Ports) {
  return {
    prepare: prepareActivity(ports),
    ...rateActivities(ports),
    retrieve: retrieveActivity(ports),
    ...batchActivities(ports),
    ...clusterActivities(ports),
    scoreByTfIdf: scoreByTfIdfActivity(ports),
    findDemonstrationSet: findDemonstrationSetActivity(ports),
  };
}

export type QuestionActivities = ReturnType<typeof createQuestionActivities>;
