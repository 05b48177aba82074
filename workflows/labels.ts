/** The line a person reads beside a step in the Temporal UI: which candidate, which pair. */

import type { ModelActivities } from '../activities/index.js';
import type { Background } from '../activities/steps/background.js';
import type { EmbedTextsInput } from '../activities/steps/embed-texts.js';
import type { FindSetInput } from '../activities/steps/find-demonstration-set.js';
import type { RankBySimilarityInput } from '../activities/steps/rank-by-similarity.js';
import type { RetrieveInput } from '../activities/steps/retrieve.js';
import type { ScoreByTfIdfInput } from '../activities/steps/score-by-tf-idf.js';
import type { Sample } from '../methods/baselines/samples.js';
import type { DocumentPlan } from '../methods/genread.js';
import type { QueryEvidence } from '../methods/vocabulary.js';

/** Of the steps that ask no language model. */
export const labels = {
  retrieve: ({ query, count }: RetrieveInput) => `${count} for "${shortened(query)}"`,
  embedTexts: ({ texts }: EmbedTextsInput) =>
    texts.length === 1 ? `"${shortened(texts[0] ?? '')}"` : `${texts.length} texts`,
  rankBySimilarity: ({ text, passages }: RankBySimilarityInput) =>
    `${passages.length} passages by "${shortened(text)}"`,
  rankByCrossEncoder: ({ text, passages }: RankBySimilarityInput) =>
    `${passages.length} passages for "${shortened(text)}"`,
  scoreByTfIdf: ({ passages }: ScoreByTfIdfInput) => `${passages.length} passages`,
  demonstrationSet: ({ name }: FindSetInput) => name,
};

type ModelLabels = {
  [S in keyof ModelActivities]: (input: Parameters<ModelActivities[S]>[0]) => string;
};

/** Of those that do. */
export const modelLabels: ModelLabels = {
  generateCandidates: ({ count }) => `${count} candidates`,
  summarize: ({ candidates, k }) => `candidate ${k + 1}: ${candidates[k]}`,
  validate: ({ candidate }) => `candidate: ${candidate}`,
  rankPair: ({ first, second }) => `summary ${first.k + 1} against ${second.k + 1}`,
  read: ({ passages }) => `${passages.length} passages`,
  choose: ({ choices }) => `among ${choices.length} choices`,
  summarizeGeneric: ({ passages }) => `${passages.length} passages`,
  readSummaries: ({ passages, summaries }) =>
    `${summaries.length} summaries, ${passages.length} passages`,
  readPassage: ({ k }) => `passage ${k + 1}`,
  reason: ({ passages, sample }) =>
    `${sample ? `sample ${sample.k + 1}, ` : ''}${passages.length} passages`,
  rankPassages: ({ passages }) => `${passages.length} passages`,
  infer: ({ passages }) => `the first ${passages.length} passages`,
  nameConditions: ({ count }) => `at most ${count} parts of the question`,
  recoverCondition: ({ candidate, condition }) => `part ${condition + 1} from: ${candidate}`,
  followUp: ({ history, last, sample }) =>
    `${inChain(sample)}${last ? 'the final answer' : `follow-up ${history.length + 1}`}`,
  selfAsk: ({ sample }) => `${inChain(sample)}follow-ups and answer`,
  metaReason: ({ chains }) => `over ${chains.length} chains`,
  takeNotes: ({ passages }) => `on ${passages.length} passages`,
  takeNote: ({ k }) => `on passage ${k + 1}`,
  answerFromNotes: ({ notes }) => `from ${notes.filter((note) => note !== null).length} notes`,
  answerWithEvidence: ({ history }) => `with ${lastQuery(history)}`,
  scoreAnswer: ({ answer, history }) => `${answer}, with ${lastQuery(history)}`,
  askSubQueries: ({ count, history }) => `${count} after ${lastQuery(history)}`,
  condenseEvidence: ({ passages, query }) => `${passages.length} passages for "${query}"`,
  generateDocument: (input) => `${documentForm(input)}for "${input.query}"`,
  readBackground: backgroundRead,
  checkClaim: backgroundRead,
  reply: backgroundRead,
  summarizeDocument: ({ passage }) => `passage ${passage}`,
  selectDocuments: ({ count, documents, iteration, selection }) =>
    `iteration ${iteration}, selection ${selection}: ${count} of ${documents.length}`,
  verifyClassify: ({ passages }) => `${passages.length} documents`,
  verifyScore: ({ passages }) => `${passages.length} documents`,
  missingInfoQuery: ({ passages, style }) =>
    `a ${style} for what ${passages.length} documents lack`,
  hypotheticalPassage: ({ passages = [], sample }) =>
    `${sample ? `sample ${sample.k + 1}, ` : ''}a passage to search with${passages.length > 0 ? `, from ${passages.length}` : ''}`,
  answerWithCitations: ({ passages }) => `from ${passages.length} documents`,
  judgeClaim: ({ claim, premise }) =>
    `"${shortened(claim)}" by ${Array.isArray(premise) ? `${premise.length} passages` : 'the answer'}`,
};

/** A query as one can read it at a glance: pseudo passages are long. */
function shortened(query: string): string {
  return query.length > 120 ? `${query.slice(0, 120).trimEnd()}...` : query;
}

/** Which of several chains. */
function inChain(sample: Sample | undefined): string {
  return sample ? `chain ${sample.k + 1}, ` : '';
}

/** What the newest of the evidence was found for. */
function lastQuery(history: readonly QueryEvidence[]): string {
  const last = history.at(-1);
  return last ? `evidence for "${last.query}"` : 'no evidence';
}

/** Which of several documents. */
function documentForm({ sample, humanPrompt, demonstrations }: DocumentPlan): string {
  if (sample !== undefined) return `sample ${sample} `;
  if (humanPrompt !== undefined) return `prompt ${humanPrompt} `;
  return demonstrations ? `cluster ${demonstrations.cluster + 1} ` : '';
}

function backgroundRead({ documents, passages }: Background): string {
  return `${documents.length} documents, ${passages.length} passages`;
}
