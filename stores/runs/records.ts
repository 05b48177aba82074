/**
 * The records of a run: a manifest, questions, an answer each, marks. What another machine has
 * written is held to these schemas, which take what a later version has beside it.
 */
import { z } from 'zod';
import {
  ANSWER_KINDS,
  type DatasetRecord,
  dataSource,
  type Snapshot,
} from '../../core/dataset-record.js';
import { ANSWER_FORMS } from '../../core/method.js';
import type {
  ClaimVerdict,
  Part,
  PassageScores,
  Range,
  StatementVerdict,
} from '../../core/metric.js';
import type { ModelPrice } from '../../core/model-price.js';
import { NAME } from '../../core/name.js';
import type { Flag, MethodResult, QuestionFailure, StepUsage } from '../../core/result.js';
import type { StoredRunSpec } from '../../core/run/input.js';
import type { RunMetric, ToldMetric, Unscored } from '../../core/run/run.js';
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
  untold: count.exactOptional(),
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
/** A later version may have other kinds. */
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
  // What is in it is known to its method alone.
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
  /** From 0 to 1; null where no verdict could be read, however often the judge was asked. */
  score: z.number().nullable(),
  /** The judge's words, shortened. */
  said: text,
});
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
  /** Null where the answer was not to cite. */
  statements: z.array(statement).nullable(),
  /** Null where the question has no reference claims. */
  claims: z.array(claim).nullable(),
  /** Only where the run has rubrics that apply. */
  rubrics: z.array(rubricVerdict).exactOptional(),
  flags,
  steps,
});
/** What a judge found about an answer, statement by statement. */
export type JudgeVerdicts = z.infer<typeof verdicts>;

const judgement = z.object({
  /** A hash of what was asked, and of whom; left out where there was no answer to judge. */
  of: text.optional(),
  /** From 0 to 1, by metric; those that apply. */
  scores: byName(z.number()),
  /** What the judging took; not part of the method's usage. */
  usage,
  /** What earlier judging took that this one has replaced. */
  earlier: usage.exactOptional(),
  /** What was asked and found; null where there was no answer to judge. */
  verdicts: verdicts.nullable(),
});
/** What a judge found about an answer. */
export type Judgement = z.infer<typeof judgement>;

const retrieval: z.ZodType<PassageScores> = z.object({
  hits: z.array(z.boolean()),
  recall: byName(z.number()),
  coverage: z.object({ found: count, answers: count }),
});

const part: z.ZodType<Part> = z.object({ part: amount, whole: amount });

export const answerRecord = z.object({
  id: text,
  /** Null when nothing came back, as for a workflow that was terminated: see `failure`. */
  result: result.nullable(),
  failure: failure.exactOptional(),
  /**
   * Of the prediction, by metric, ours and those of somebody's own; a question without one has 0 in
   * what applies, see `scoreEnded`.
   */
  scores: byName(z.number()),
  /**
   * By metric of the chain what it says, of a metric with a range its value as it is; left out if
   * nothing is told.
   */
  told: byName(z.union([z.number(), part])).exactOptional(),
  /** By metric that gave no score: why. */
  unscored: byName(text).exactOptional(),
  /** How much of the answers the passages hold, where the method retrieved any. */
  retrieval: retrieval.exactOptional(),
  judgement: judgement.exactOptional(),
  /** What earlier attempts took whose answers this one has replaced. */
  earlier: usage.exactOptional(),
  /** Its calls, as `packCalls` has packed them; left out where its workflow told nothing. */
  calls: text.exactOptional(),
  /** How often it was asked anew because it could not be read; left out if never. */
  resample: count.exactOptional(),
  startedAt: time,
  endedAt: time,
  /** The time of the last `Rescored` that its scores are of; left out where there was none. */
  scoredAt: time.exactOptional(),
});
/** How a question of a run ended. */
export type RunAnswer = z.infer<typeof answerRecord>;

/** A question of a run: passages that came with it by reference. */
export interface RunQuestion extends Omit<DatasetRecord, 'passages'> {
  /** What it is asked with in place of a search, best first. */
  stored?: PassageRef[];
  /** The calls of the question in the run that this one is forked of, as `packCalls` packed them. */
  taken?: string;
  /** ISO time of a change of the data set that changed it: an answer begun before is to another one. */
  changedAt?: string;
}

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

/** A passage that the run names. */
export const passageRecord = z.object({ id: text, text });

const price = z.object({
  prompt: amount,
  cachedPrompt: amount,
  completion: amount,
}) satisfies z.ZodType<ModelPrice>;

const servedModel = z.object({ provider: text, model: text });
/** A model by the endpoint that serves it. */
export type ServedModel = z.infer<typeof servedModel>;

const stepModel = z.union([text, z.object({ model: text.optional() })]);
const stepModels = byName(stepModel) as unknown as z.ZodType<StepModels>;

const noiseCounts = z.object({
  /** Questions that take no part, since no passage found for them holds an answer. */
  withoutAnswer: count,
  /** Questions asked with another share of noise than was wanted, for want of passages. */
  incomplete: count,
});
/** How many passages that hold no answer the questions of a run were given. */
export type NoiseCounts = z.infer<typeof noiseCounts>;

const methodCode = z.object({
  version: text,
  files: byName(byName(text)),
  continues: texts.exactOptional(),
});

const runChange = z.object({
  /** What has begun from then on has the change. */
  at: time,
  /** Questions that had an answer by then. */
  answered: count,
  /** A line for each difference, for a person to read. */
  differences: texts,
  /** The prompts until then, as in the manifest. */
  prompts: byName(text),
  /** The code of its method until then; left out where that was not known. */
  code: methodCode.exactOptional(),
});
/** What a run has begun to be asked with in place of what it was asked with before. */
export type RunChange = z.infer<typeof runChange>;

const unscored: z.ZodType<Unscored> = z.object({ questions: count, example: text });

const rescored = z.object({
  /** An answer that does not have it as its `scoredAt` has scores from before. */
  at: time,
  /** A line for each difference in metrics, judge or gold answers, for a person to read. */
  differences: texts,
  /** By metric the answers that kept the score they had, because nothing could tell it anew. */
  kept: byName(unscored),
});
/** A run that was scored again after its questions had been answered. */
export type Rescored = z.infer<typeof rescored>;

const predictions = z.object({
  /** Its name, without its folder. */
  file: text,
  sha256: text,
  /** Where in its records what stands. */
  fields: byName(text),
});

const resampling = z.object({ at: time, questions: count });
/** When answers that could not be read were asked again as another sample, and how many. */
export type Resampling = z.infer<typeof resampling>;

const stoppedUsage = z.object({
  /** When that start began. */
  startedAt: time,
  usage,
  /** Of judging; not part of `usage`. */
  judge: usage,
});
/**
 * What attempts of one start of a run took that no answer tells of: they were cancelled with it, or
 * met a failure that every question would meet, or judged in vain.
 */
export type StoppedUsage = z.infer<typeof stoppedUsage>;

/** Of the input what is read where it was not written. */
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

const told = z.object({
  name: text,
  title: text,
  range: range.exactOptional(),
}) satisfies z.ZodType<ToldMetric>;

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

export const manifestRecord = z.object({
  run: text,
  /** When it was started first. */
  createdAt: time,
  input,
  questions: count,
  /** The hash of its questions, as `hashedQuestions` makes it. */
  questionsSha256: text,
  /** With how many questions of it were chosen, and how in words. */
  dataset: snapshot.extend({ selected: count, rule: text }),
  /** What the index says of itself; null when no question of the run searches it. */
  corpus: byName(z.unknown()).nullable(),
  /** What became of the questions where passages were chosen for their noise. */
  noise: noiseCounts.exactOptional(),
  /** The form of its answers, as its method declares it; left out if they are short. */
  answerForm: z.enum(ANSWER_FORMS).exactOptional(),
  /** Metrics of somebody's own, in the order shown; only where the run has any. */
  metrics: z.array(metric).exactOptional(),
  /** Metrics of what its method tells of its chain, in the order shown; only if there are any. */
  told: z.array(told).exactOptional(),
  /** By prompt file of the set in use the first 12 hex digits of its SHA-256, as in the answers. */
  prompts: byName(text),
  /**
   * By name a hash of each step of somebody's own that it may ask and that its `code` does not hold; only
   * if there are any.
   */
  ownSteps: byName(text).exactOptional(),
  /** The code of its method; left out where that was not known. */
  code: methodCode.exactOptional(),
  provider: text,
  /** By step, as configured; `default` for the rest. What the provider served is in the answers. */
  models: stepModels,
  /** Where vectors come from. */
  embedding: servedModel,
  /** The cross-encoder; null where there is none. */
  reranker: servedModel.nullable(),
  /** Of the models that are asked, US dollars a million tokens, where they were known. */
  prices: byName(price) as unknown as z.ZodType<Record<string, ModelPrice>>,
  /** Models without a price that cost nothing, since their endpoint is on this machine; only if any. */
  assumedFree: texts.exactOptional(),
  /** How answers are normalised before they are compared. */
  normaliser: text,
  /**
   * By step the parameters that the provider does not support: answers came without them, whatever
   * the step or `models` says. Only where there are any.
   */
  unsupported: byName(texts).exactOptional(),
  /** `steps` is a hash of our code that asks and reads. */
  versions: z.object({ durableRag: text, node: text }),
  /**
   * Of a fork: how many of the questions that it took are asked whole, since they had failed, and
   * the prompts of the run that is forked, as in its manifest.
   */
  fork: z.object({ whole: count, prompts: byName(text) }).exactOptional(),
  /** What was accepted since the run began, oldest first; the rest is as it is after the last one. */
  changes: z.array(runChange).exactOptional(),
  /** The run that it was copied of, to be scored in another way. */
  copyOf: text.exactOptional(),
  /** How it was scored again, oldest first. */
  rescored: z.array(rescored).exactOptional(),
  /** The file of answers that were made elsewhere; only of such a run. */
  predictions: predictions.exactOptional(),
  /** How often answers were asked again that could not be read, oldest first; only if any were. */
  resampled: z.array(resampling).exactOptional(),
  /** What attempts took that no answer tells of, by start of the run; only where some did. */
  stopped: z.array(stoppedUsage).exactOptional(),
});
/** Everything needed to repeat a run. */
export type RunManifest = z.infer<typeof manifestRecord>;

export const markRecord = z.object({
  /** Of the question. */
  id: text,
  /** Null where only the note counts. */
  says: z.enum(['right', 'wrong']).nullable(),
  note: text,
  /** The `endedAt` of the answer: it is not of one that came later. */
  of: time,
  at: time,
});
/** What a person says of an answer. */
export type Mark = z.infer<typeof markRecord>;

/** What an archive says of itself. */
export const archiveRecord = z.object({
  format: z.literal('durable-rag-run'),
  version: z.number(),
  run: text.regex(NAME),
  questions: count,
  answers: count,
  passages: count,
  missing: count,
  /** What its answers come to. */
  totals: z.object({
    outcomes: z.record(outcome, count),
    scores: byName(z.object({ questions: count, sum: z.number(), sumOfSquares: z.number() })),
    usage,
  }),
  /** The SHA-256 of each other part, by its name. */
  parts: byName(text),
});
