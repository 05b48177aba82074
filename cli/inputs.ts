/** Defines the schemas of the commands' flags, mostly as parts of the schemas of inputs. */
import { z } from 'zod';
import { ANSWER_KINDS } from '../core/dataset-record.js';
import { commonInput } from '../core/options/input.js';
import { READING_FIELDS } from '../core/run/dataset-input.js';
import { forkInput } from '../core/run/fork-input.js';
import { runInput, settingsInput } from '../core/run/input.js';
import { OUTPUT_FORMS } from '../core/step-models.js';
import { untilDecided } from '../core/study/until-decided.js';
import { flagged } from './commands/common-flags.js';

/** Metadata of options of a method that have flags of their own; `--option` sets the others. */
const ofMethod = { flagGroup: 'Method', otherwise: "the method's" } as const;
const int = z.int().optional();
const passages = flagged('--passages <n>', 'passages of a question', int, ofMethod);
const candidates = flagged('--candidates <k>', 'answer candidates; only for sure', int, ofMethod);

const { method } = runInput.shape;
/** Schema of the flags of `ask`. */
export const askFlags = commonInput.extend({
  method: method.default('sure').meta(method.meta() ?? {}),
  options: z.object({ passages, candidates }),
});

/** Schema of the flags of `eval`. */
export const evalFlags = runInput.omit({ fork: true }).extend({
  options: z.object({ passages }),
  kind: z
    .enum(ANSWER_KINDS)
    .optional()
    .meta(runInput.shape.kind.meta() ?? {}),
});
/**
 * Schema of the flags of `eval` that follow `--` in `schedule create`: those of the runs that the
 * schedule starts.
 */
export const scheduleFlags = evalFlags.omit({ acceptChange: true });

/** Unit of a flag in the help; the field itself is a fraction. */
const POINTS = 'points from 0 to below 100';
const { delta, alpha, failures, about } = untilDecided.shape;

/**
 * Schema of the flags of `study run` and `race` that set the rule by which the study stops early.
 */
export const decidingFlags = z.object({
  untilDecided: z.object({
    delta: delta.meta({
      flag: '--delta <points>',
      flagTakes: 'points',
      takes: POINTS,
      flagSays: 'smallest difference that matters',
    }),
    alpha: alpha.meta({ ...alpha.meta(), flag: '--alpha <x>' }),
    failures: failures.meta({ ...failures.meta(), flag: '--failures <how>' }),
    about: about.meta({ ...about.meta(), flag: '--about <what>' }),
  }),
});

/** Schema of the flags of `race`, besides its two methods. */
export const raceFlags = evalFlags
  .pick({ dataset: true, ...READING_FIELDS, limit: true, sample: true })
  .extend(evalFlags.pick({ sampleSeed: true, corpus: true, mode: true, judge: true }).shape)
  .extend(evalFlags.pick({ models: true, seed: true, concurrency: true, budgetUsd: true }).shape)
  .extend({
    run: evalFlags.shape.run.optional().meta({
      flag: '--name <name>',
      flagSays: 'name of the study',
      otherwise: 'derived from the flags',
    }),
  })
  .extend(decidingFlags.shape);

/** Schema of the flags of `papers` that choose the questions to ask and set limits. */
export const paperFlags = evalFlags.pick({
  sample: true,
  sampleSeed: true,
  limit: true,
  corpus: true,
  mode: true,
  judge: true,
  seed: true,
  concurrency: true,
  requestsPerMinute: true,
  tokensPerMinute: true,
  budgetUsd: true,
  transport: true,
  outputs: true,
});

/** Schema of the flags of `study check` that set its statistical test. */
export const checkFlags = z.object({
  margin: flagged('--margin <points>', 'loss from which the gate fails', z.number().min(0).lt(1), {
    flagTakes: 'points',
    takes: POINTS,
  }),
  alpha: alpha.meta({ flag: '--alpha <x>', flagSays: 'probability of a wrong PASS or FAIL' }),
  about: about.meta({ ...about.meta(), flag: '--about <what>' }),
});

/** Schema of the flags of `rescore`. A flag that is left out keeps the run's value. */
export const rescoreFlags = evalFlags
  .pick({ dataset: true, ...READING_FIELDS, judge: true, metrics: true })
  .extend({
    dataset: redescribed(
      evalFlags.shape.dataset,
      'data set with the same question ids and other accepted answers',
    ),
    judge: redescribed(
      evalFlags.shape.judge,
      'model that judges the answers that it has not judged yet',
    ),
    metrics: redescribed(evalFlags.shape.metrics, 'names of the custom metrics to use'),
  });

/** Returns an optional field whose flag has another description. */
function redescribed<T extends z.ZodType>(field: T, flagSays: string): z.ZodOptional<T> {
  return field.optional().meta({ ...field.meta(), flagSays });
}

/** Metadata of the flags of `fork` that change a step; `--at` names the step. */
const ofStep = { flagGroup: 'Model', otherwise: 'as before' } as const;
const name = z.string().optional();
const form = z.enum(OUTPUT_FORMS).optional();
/** Schema of the flags of `fork`. */
export const forkFlags = forkInput.extend({
  models: flagged('--model <name>', 'model of that step', name, ofStep),
  prompts: flagged('--prompts <name>', 'prompt set of that step', name, ofStep),
  outputs: flagged('--outputs <form>', 'form in which that step answers', form, ofStep),
});

/** Schema of the flags of `plan` that change the stored run's input before it is planned. */
export const planFlags = scheduleFlags.omit({ run: true }).partial({ method: true, dataset: true });

/** Schema of the flags of `datasets put` that set how the file is read. */
export const putFlags = evalFlags.pick(READING_FIELDS);

/** Schema of the flags of `train-data`, besides the folder. */
export const trainFlags = putFlags.extend(
  evalFlags.pick({
    dataset: true,
    sample: true,
    sampleSeed: true,
    corpus: true,
    models: true,
    extraBody: true,
    outputs: true,
    tier: true,
    transport: true,
    run: true,
    options: true,
  }).shape,
);

/**
 * Schema of the flags of `set`: the limits of a run under way (concurrency, budget, rates, and
 * failures after which it pauses).
 */
export const setFlags = settingsInput;
/** Schema of the flags of `limits`: the rate limits of a task queue. */
export const limitFlags = settingsInput.pick({ requestsPerMinute: true, tokensPerMinute: true });
