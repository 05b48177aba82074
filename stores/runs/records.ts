/**
 * Schemas of a run's records: manifest, questions, answers, marks. Records from other machines are
 * checked against them; unknown fields of later versions are allowed.
 */
import { z } from 'zod';
import {
  ANSWER_KINDS,
  type DatasetRecord,
  dataSource,
  type GoldPassage,
  type Snapshot,
} from '../../core/dataset-record.js';
import { ANSWER_FORMS } from '../../core/method.js';
import type {
  ClaimVerdict,
  GoldScores,
  PassageScores,
  Range,
  RatioPart,
  StatementVerdict,
} from '../../core/metric.js';
import type { ModelPrice } from '../../core/model-price.js';
import { NAME_PATTERN } from '../../core/name.js';
import type { Flag, MethodResult, QuestionFailure, StepUsage } from '../../core/result.js';
import type { StoredRunSpec } from '../../core/run/input.js';
import type { ChainMetricInfo, RunMetric, UnscoredAnswers } from '../../core/run/run.js';
import type { StepModels } from '../../core/step-models.js';
import type { Usage } from '../../core/usage.js';
import type { PassageRef } from '../../core/vocabulary.js';

const text = z.string();
const texts = z.array(text);
const count = z.int().min(0);
const amount = z.number().min(0);
const time = z.iso.datetime();
const byName = <T extends z.ZodType>(value: T) => z.record(text, value);

const tokens = {
  promptTokens: amount,
  completionTokens: amount,
  costUsd: amount.nullable(),
};
const usage = z.object({
  calls: count,
  cachedCalls: count,
  cachedPromptTokens: amount,
  ...tokens,
  standardUsd: amount.nullable().exactOptional(),
  savedUsd: amount.nullable().exactOptional(),
  knownUsd: amount.exactOptional(),
  statedUsd: amount.exactOptional(),
  writtenPromptTokens: amount.exactOptional(),
  uncounted: count.exactOptional(),
  answersWithoutUsage: count.exactOptional(),
  estimated: z.object({ attempts: count, repeated: count, ...tokens }).exactOptional(),
}) satisfies z.ZodType<Usage>;
const steps = byName(
  usage.extend({
    models: texts,
    prompts: texts,
    fingerprints: texts.exactOptional(),
    hosts: texts.exactOptional(),
    unsupported: texts.exactOptional(),
    tiers: byName(count).exactOptional(),
  }),
) satisfies z.ZodType<Record<string, StepUsage>>;
/** Flags of a result; a later version may have other kinds. */
const flags = z.array(
  z.object({ kind: text as unknown as z.ZodType<Flag['kind']>, step: text, detail: text }),
) satisfies z.ZodType<Flag[]>;
const failure = z.object({
  type: text,
  message: text,
  step: text.nullable(),
}) satisfies z.ZodType<QuestionFailure>;

const outcome = z.enum(['answered', 'unknown', 'unreadable', 'failed']);
const result: z.ZodType<MethodResult> = z.object({
  workflowId: text,
  method: text,
  question: text,
  outcome,
  answer: text.nullable(),
  confidence: z.number().exactOptional(),
  evidence: texts,
  // The content is known to the method only.
  chain: z.unknown(),
  usage,
  retrievals: count,
  steps,
  flags,
  failure: failure.exactOptional(),
  build: text.exactOptional(),
  workingSeconds: amount.exactOptional(),
});

const rubricVerdict = z.object({
  metric: text,
  /** Score from 0 to 1; null if no verdict could be read, however often the judge was asked. */
  score: z.number().nullable(),
  /** The judge's words, shortened. */
  reply: text,
});
/**
 * A judge's score of an answer by one rubric, with the judge's reply, shortened. The score is from
 * 0 to 1, or null if it could not be read.
 */
export type RubricVerdict = z.infer<typeof rubricVerdict>;

const statement: z.ZodType<StatementVerdict> = z.object({
  claim: text,
  cited: z.array(count),
  missing: z.array(z.number()).exactOptional(),
  supported: z.boolean(),
  needed: z.array(z.boolean()),
});
const claim: z.ZodType<ClaimVerdict> = z.object({ claim: text, entailed: z.boolean() });

const verdicts = z.object({
  /** Verdicts on its statements; null if the answer did not have to cite. */
  statements: z.array(statement).nullable(),
  /** Verdicts on the reference claims; null if the question has none. */
  claims: z.array(claim).nullable(),
  /** Verdicts of rubrics; absent if none applies. */
  rubrics: z.array(rubricVerdict).exactOptional(),
  flags,
  steps,
});
/**
 * A judge's verdicts on an answer: on its statements (`statements`, null if it did not have to
 * cite), on reference claims (`claims`, null if the question has none), and by rubrics (`rubrics`,
 * absent if none applies).
 */
export type JudgeVerdicts = z.infer<typeof verdicts>;

const judgement = z.object({
  /** Hash of the judge and of what it was asked; absent if there was no answer to judge. */
  of: text.optional(),
  /** Scores from 0 to 1, of the metrics that apply. */
  scores: byName(z.number()),
  /** Usage of the judge; not part of the method's usage. */
  usage,
  /** Usage of earlier judgements that this one replaced. */
  earlier: usage.exactOptional(),
  /** The judge's verdicts; null if there was no answer to judge. */
  verdicts: verdicts.nullable(),
});
/**
 * The stored judgement of one answer: the scores from 0 to 1 by metric, the verdicts (null if
 * there was no answer to judge), and the usage of the judge (its calls, tokens and US dollars).
 */
export type Judgement = z.infer<typeof judgement>;

const retrieval: z.ZodType<PassageScores> = z.object({
  hits: z.array(z.boolean()),
  recall: byName(z.number()),
  coverage: z.object({ found: count, answers: count }),
});

const part: z.ZodType<RatioPart> = z.object({ part: amount, whole: amount });

const gold: z.ZodType<GoldScores> = z.object({
  grades: z.array(amount),
  all: z.array(amount),
  documents: part.exactOptional(),
});

/** Schema of the stored answer to one question of a run. */
export const answerRecord = z.object({
  id: text,
  /** The result; null if there is none, for example of a terminated workflow: see `failure`. */
  result: result.nullable(),
  failure: failure.exactOptional(),
  /**
   * Scores of the prediction, by metric, custom ones included. A question without a prediction has
   * 0 in each metric that applies; see `scoreEnded`.
   */
  scores: byName(z.number()),
  /** Value of each chain metric, in its own unit; absent if there is none. */
  chainScores: byName(z.union([z.number(), part])).exactOptional(),
  /** Reason why a metric has no score, by metric. */
  unscored: byName(text).exactOptional(),
  /** The accepted answers in the passages; absent if the method retrieved none. */
  retrieval: retrieval.exactOptional(),
  /** Grades of gold passages; absent if the data set marks none or the method read no passages. */
  gold: gold.exactOptional(),
  judgement: judgement.exactOptional(),
  /** Usage of earlier attempts whose answers this one replaced. */
  earlier: usage.exactOptional(),
  /** Its calls, packed by `packCalls`; absent if its workflow reported none. */
  calls: text.exactOptional(),
  /** Times that it was asked again as another sample because it was unreadable; absent if never. */
  resample: count.exactOptional(),
  startedAt: time,
  endedAt: time,
  /** Time of the last `Rescoring` that its scores belong to; absent if there is none. */
  scoredAt: time.exactOptional(),
});
/**
 * The stored answer to one question of a run: its result or failure, its scores and its judgement.
 */
export type RunAnswer = z.infer<typeof answerRecord>;

/** A stored question of a run, with references to its passages. */
export interface RunQuestion extends Omit<DatasetRecord, 'passages'> {
  /** The passages that its data set marks as gold; left out if it marks none. */
  gold?: GoldPassage[];
  /** Passages that it is asked with instead of a search, best first. */
  stored?: PassageRef[];
  /** Calls of the question in the parent run of a fork, packed by `packCalls`. */
  taken?: string;
  /**
   * ISO time at which a change of the data set changed the question. An answer begun earlier is to
   * the old one.
   */
  changedAt?: string;
}

/**
 * Schema of a question of a run as stored, without the run's answer to it (see `answerRecord`):
 * its id and text, its expected answers, and references to its gold and supplied passages.
 */
export const questionRecord: z.ZodType<RunQuestion> = z.object({
  id: text,
  question: text,
  answers: texts,
  answerKind: z.enum(ANSWER_KINDS),
  answerable: z.literal(false).optional(),
  label: text.optional(),
  answerGroups: z.array(texts).optional(),
  longAnswers: texts.optional(),
  claims: texts.optional(),
  changedAt: time.exactOptional(),
  fields: byName(text).optional(),
  gold: z
    .array(
      z.object({
        content: text,
        id: text.optional(),
        title: text.optional(),
        grade: amount.optional(),
      }),
    )
    .exactOptional(),
  taken: text.exactOptional(),
  stored: z
    .array(
      z.object({
        id: text,
        title: text,
        score: z.number(),
        own: z.object({ id: text.optional(), score: z.number().optional() }).optional(),
      }),
    )
    .exactOptional(),
});

/**
 * Schema of a passage in an archive: id and text.
 */
export const passageRecord = z.object({ id: text, text });

const price = z.object({
  prompt: amount,
  cachedPrompt: amount,
  completion: amount,
}) satisfies z.ZodType<ModelPrice>;

const servedModel = z.object({ provider: text, model: text });
/** A model as a run records it: its name, and the provider that serves it. */
export type ServedModel = z.infer<typeof servedModel>;

const stepModel = z.union([text, z.object({ model: text.optional() })]);
const stepModels = byName(stepModel) as unknown as z.ZodType<StepModels>;

const noiseCounts = z.object({
  /** Questions left out because no passage found for them contains an answer. */
  withoutAnswer: count,
  /** Questions asked with another share of noise than requested, for lack of passages. */
  incomplete: count,
});
/**
 * The effects of noise on a run: the number of questions that were left out, and of those asked
 * with another share of noise than requested.
 */
export type NoiseCounts = z.infer<typeof noiseCounts>;

const methodCode = z.object({
  version: text,
  files: byName(byName(text)),
  continues: texts.exactOptional(),
});

const runChange = z.object({
  /** ISO time from which questions are asked with the change. */
  at: time,
  /** Questions that had an answer by then. */
  answered: count,
  /** One line for each difference, for people. */
  differences: texts,
  /** The prompts until then, as in the manifest. */
  prompts: byName(text),
  /** Code of its method until then; absent if unknown. */
  code: methodCode.exactOptional(),
});
/**
 * An entry of the manifest for one accepted change of a run's input, data, prompts or code between
 * two of its starts, with the time from which it applies.
 */
export type RunChange = z.infer<typeof runChange>;

const unscored: z.ZodType<UnscoredAnswers> = z.object({ questions: count, example: text });

const rescored = z.object({
  /** ISO time. An answer with another `scoredAt` has earlier scores. */
  at: time,
  /** One line for each difference in metrics, judge or gold answers, for people. */
  differences: texts,
  /** Answers that kept their earlier score because it could not be computed again, by metric. */
  kept: byName(unscored),
});
/**
 * An entry of the manifest for one repeated scoring of a run's answers: its time, the changes of
 * metrics, judge or gold answers since the previous scoring, as lines for people, and by metric
 * the number of answers that kept an earlier score because it could not be computed again.
 */
export type Rescoring = z.infer<typeof rescored>;

const predictions = z.object({
  /** File name, without its folder. */
  file: text,
  sha256: text,
  /** Names of its record fields, by what they hold. */
  fields: byName(text),
});

const resampling = z.object({ at: time, questions: count });
/**
 * An entry of the manifest for a start of a run that asked unreadable questions again as another
 * sample: its time, and the number of those questions.
 */
export type Resampling = z.infer<typeof resampling>;

const stoppedUsage = z.object({
  /** ISO time at which that start began. */
  startedAt: time,
  usage,
  /** Usage of judging; not part of `usage`. */
  judge: usage,
});
/**
 * The usage (calls, tokens and US dollars) of one start of a run that belongs to no answer: of
 * attempts that were cancelled, or that failed for a reason that stops every question, such as a
 * refused key (`usage`); and of judging that gave no result (`judge`).
 */
export type StoppedUsage = z.infer<typeof stoppedUsage>;

/** Fields of a run's input that are checked in a record from another machine. */
const input = z.object({
  run: text,
  method: text,
  dataset: text,
  prompts: z.union([text, byName(text)]),
  corpus: text.optional(),
  options: byName(z.unknown()),
  models: byName(stepModel),
  seed: z.int(),
  sampleSeed: z.int(),
  cache: z.boolean(),
  limits: byName(z.unknown()),
  mode: text.optional(),
  judge: stepModel.optional(),
  noise: z.object({ ratio: z.number(), kind: text, count, depth: count }).optional(),
}) as unknown as z.ZodType<StoredRunSpec>;

const range: z.ZodType<Range> = z.object({ from: z.number(), to: z.number() });

const metric = z.object({
  name: text,
  title: text,
  headline: z.boolean(),
  version: text,
  decides: z.union([z.number(), z.literal(false)]).exactOptional(),
  acrossForms: z.union([text, z.literal(false)]).exactOptional(),
  judged: z.literal(true).exactOptional(),
  chain: z.literal(true).exactOptional(),
  range: range.exactOptional(),
}) satisfies z.ZodType<RunMetric>;

const chainMetric = z.object({
  name: text,
  title: text,
  range: range.exactOptional(),
}) satisfies z.ZodType<ChainMetricInfo>;

const snapshot = z.object({
  file: text,
  sha256: text,
  questions: count,
  kinds: z.partialRecord(z.enum(ANSWER_KINDS), count),
  unranked: count.exactOptional(),
  skipped: count.exactOptional(),
  numbered: count.exactOptional(),
  source: dataSource.exactOptional(),
}) satisfies z.ZodType<Snapshot>;

/** Schema of the manifest of a run. */
export const manifestRecord = z.object({
  run: text,
  /** ISO time of its first start. */
  createdAt: time,
  input,
  questions: count,
  /** Hash of its questions, made by `hashedQuestions`. */
  questionsSha256: text,
  /** The data set, with the number of questions chosen and how, in words. */
  dataset: snapshot.extend({ selected: count, rule: text }),
  /** Description of the corpus by its index; null if no question of the run searches one. */
  corpus: byName(z.unknown()).nullable(),
  /** Effects of noise on the questions, if passages were chosen for it. */
  noise: noiseCounts.exactOptional(),
  /** Form of its answers, as its method declares it; absent if they are short. */
  answerForm: z.enum(ANSWER_FORMS).exactOptional(),
  /** Custom metrics, in the order shown; absent if there are none. */
  metrics: z.array(metric).exactOptional(),
  /** Metrics of what its method tells of its chain, in the order shown; only if there are any. */
  chainMetrics: z.array(chainMetric).exactOptional(),
  /** First 12 hex digits of the SHA-256 of each prompt file, by file, as in the answers. */
  prompts: byName(text),
  /**
   * Hashes by name of the custom steps that it may ask and that are not part of its `code`; absent
   * if there are none.
   */
  ownSteps: byName(text).exactOptional(),
  /** Code of its method; absent if unknown. */
  code: methodCode.exactOptional(),
  provider: text,
  /**
   * Models by step, as configured; `default` for the rest. The models served are in the answers.
   */
  models: stepModels,
  /** The model that embeds texts. */
  embedding: servedModel,
  /** The cross-encoder; null if there is none. */
  reranker: servedModel.nullable(),
  /** Prices of its models, in US dollars per million tokens, if known. */
  prices: byName(price) as unknown as z.ZodType<Record<string, ModelPrice>>,
  /**
   * Models without a price that count as free because their endpoint is on this machine; absent if
   * none.
   */
  assumedFree: texts.exactOptional(),
  /** Name of the rule by which answers are normalised before comparison. */
  normaliser: text,
  /**
   * Parameters by step that the provider does not support. Answers were made without them, whatever
   * the step or `models` says. Absent if there are none.
   */
  unsupported: byName(texts).exactOptional(),
  /** Versions of the code that asks and reads. */
  versions: z.object({ durableRag: text, node: text }),
  /**
   * Facts of a fork: the number of questions asked as a whole because they had failed, and the
   * prompts of the parent run.
   */
  fork: z.object({ whole: count, prompts: byName(text) }).exactOptional(),
  /**
   * Changes accepted since the run began, oldest first; the other fields are as after the last one.
   */
  changes: z.array(runChange).exactOptional(),
  /** The run that it was copied from to be scored in another way. */
  copyOf: text.exactOptional(),
  /** Repeated scorings, oldest first. */
  rescored: z.array(rescored).exactOptional(),
  /** The file of answers that were made elsewhere; only in such a run. */
  predictions: predictions.exactOptional(),
  /** Starts that asked unreadable answers again, oldest first; absent if there are none. */
  resampled: z.array(resampling).exactOptional(),
  /** Usage that no answer contains, by start of the run; absent if there is none. */
  stopped: z.array(stoppedUsage).exactOptional(),
});
/**
 * The manifest of a run: its input, data set, models, prompts, code and versions, as needed to
 * repeat it.
 */
export type RunManifest = z.infer<typeof manifestRecord>;

/** Schema of a person's mark on an answer. */
export const markRecord = z.object({
  /** Id of the question. */
  id: text,
  /** The verdict; null if there is only a note. */
  says: z.enum(['right', 'wrong']).nullable(),
  note: text,
  /** The `endedAt` of the marked answer; the mark does not apply to a later one. */
  of: time,
  at: time,
});
/**
 * A person's mark on an answer: a verdict, right or wrong, and a note. The verdict is null if
 * there is only a note.
 */
export type Mark = z.infer<typeof markRecord>;

/** Schema of archive.json in the archive of a run. */
export const archiveRecord = z.object({
  format: z.literal('durable-rag-run'),
  version: z.number(),
  run: text.regex(NAME_PATTERN),
  questions: count,
  answers: count,
  passages: count,
  missing: count,
  /** Totals of its answers. */
  totals: z.object({
    outcomes: z.record(outcome, count),
    scores: byName(z.object({ questions: count, sum: z.number(), sumOfSquares: z.number() })),
    usage,
  }),
  /** SHA-256 of each other part, by name. */
  parts: byName(text),
});
