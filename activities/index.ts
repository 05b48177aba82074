/** All activities, by the name a person reads in the history. */
import type { StepName } from '../methods/step-names.js';
import { answerFromNotes } from './answer-from-notes.js';
import { answerWithCitations } from './answer-with-citations.js';
import { answerWithEvidence } from './answer-with-evidence.js';
import { askSubQueries } from './ask-sub-queries.js';
import { batchActivities } from './batch/index.js';
import { checkClaim } from './check-claim.js';
import { choose } from './choose.js';
import {
  clusterActivities,
  type PaidClusterActivities,
  paidClusterActivities,
} from './clusters/index.js';
import { condenseEvidence } from './condense-evidence.js';
import { type EmbedTextsActivity, embedTextsActivity } from './embed-texts.js';
import { findDemonstrationSetActivity } from './find-demonstration-set.js';
import { followUp } from './follow-up.js';
import { generateCandidates } from './generate-candidates.js';
import { generateDocument } from './generate-document.js';
import { hypotheticalPassage } from './hypothetical-passage.js';
import { infer } from './infer.js';
import { judgeClaim } from './judge-claim.js';
import { metaReason } from './meta-reason.js';
import { missingInfoQuery } from './missing-info-query.js';
import { nameConditions } from './name-conditions.js';
import type { Ports } from './ports.js';
import { prepareActivity } from './prepare.js';
import { rankByCrossEncoderActivity } from './rank-by-cross-encoder.js';
import { type RankBySimilarityActivity, rankBySimilarityActivity } from './rank-by-similarity.js';
import { rankPair } from './rank-pair.js';
import { rankPassages } from './rank-passages.js';
import { rateActivities } from './rates.js';
import { read } from './read.js';
import { readBackground } from './read-background.js';
import { readPassage } from './read-passage.js';
import { readSummaries } from './read-summaries.js';
import { reason } from './reason.js';
import { recoverCondition } from './recover-condition.js';
import { reply } from './reply.js';
import { retrieveActivity } from './retrieve.js';
import { type ModelActivity, modelActivity } from './run-model-step.js';
import { scoreAnswer } from './score-answer.js';
import { scoreByTfIdfActivity } from './score-by-tf-idf.js';
import { selectDocuments } from './select-documents.js';
import { selfAsk } from './self-ask.js';
import type { ModelStep } from './step.js';
import { summarize } from './summarize.js';
import { summarizeDocument } from './summarize-document.js';
import { summarizeGeneric } from './summarize-generic.js';
import { takeNote } from './take-note.js';
import { takeNotes } from './take-notes.js';
import { validate } from './validate.js';
import { verifyClassify, verifyScore } from './verify-documents.js';

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
