/** Defines the schemas from which the commands' flags are made. */
import { z } from 'zod';
import { ANSWER_KINDS } from '../core/dataset-record.js';
import { commonInput } from '../core/options/input.js';
import { READING_FIELDS } from '../core/run/dataset-input.js';
import { forkInput } from '../core/run/fork-input.js';
import { runInput, settingsInput } from '../core/run/input.js';
import { OUTPUT_FORMS } from '../core/step-models.js';
import { untilDecided } from '../core/study/until-decided.js';
import { flagged } from './commands/common-flags.js';

/** An option of a method that has a flag of its own; `--option` gives the others. */
const ofMethod = { flagGroup: 'Method', otherwise: "the method's" } as const;
const int = z.int().optional();
const passages = flagged('--passages <n>', 'passages of a question', int, ofMethod);
const candidates = flagged('--candidates <k>', 'answer candidates, of sure alone', int, ofMethod);

const { method } = runInput.shape;
export const askFlags = commonInput.extend({
  method: method.default('sure').meta(method.meta() ?? {}),
  options: z.object({ passages, candidates }),
});

/** Flags of `eval`. */
export const evalFlags = runInput.omit({ fork: true }).extend({
  options: z.object({ passages }),
  kind: z
    .enum(ANSWER_KINDS)
    .optional()
    .meta(runInput.shape.kind.meta() ?? {}),
});
export const scheduleFlags = evalFlags.omit({ acceptChange: true });

/** Unit of the flag in the help; the field itself holds a share. */
const POINTS = 'points from 0 to below 100';
const { delta, alpha, failures, about } = untilDecided.shape;

/** Flags of `study run` that say when the study stops. */
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

/** Flags of `race` in addition to its two methods. */
export const raceFlags = evalFlags
  .pick({ dataset: true, ...READING_FIELDS, limit: true, sample: true })
  .extend(evalFlags.pick({ sampleSeed: true, corpus: true, mode: true, judge: true }).shape)
  .extend(evalFlags.pick({ models: true, seed: true, concurrency: true, budgetUsd: true }).shape)
  .extend({
    run: evalFlags.shape.run.optional().meta({
      flag: '--name <name>',
      flagSays: 'name of the study',
      otherwise: 'made of the flags',
    }),
  })
  .extend(decidingFlags.shape);

/** Flags of `papers`: which questions of a table are asked, and how fast. */
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

/** Flags of `study check`. */
export const checkFlags = z.object({
  margin: flagged('--margin <points>', 'how much worse is too much', z.number().min(0).lt(1), {
    flagTakes: 'points',
    takes: POINTS,
  }),
  alpha: alpha.meta({ flag: '--alpha <x>', flagSays: 'chance of a wrong PASS or FAIL' }),
  about: about.meta({ ...about.meta(), flag: '--about <what>' }),
});

/** Flags of `rescore`; one that is left out keeps the run's value. */
export const rescoreFlags = evalFlags
  .pick({ dataset: true, ...READING_FIELDS, judge: true, metrics: true })
  .extend({
    dataset: retold(evalFlags.shape.dataset, 'its questions by id, with other accepted answers'),
    judge: retold(evalFlags.shape.judge, 'model that judges it; asks what it has not judged yet'),
    metrics: retold(evalFlags.shape.metrics, 'the metrics of your own that it has, by name'),
  });

/** A field that may be left out, with a flag in other words. */
function retold<T extends z.ZodType>(field: T, flagSays: string): z.ZodOptional<T> {
  return field.optional().meta({ ...field.meta(), flagSays });
}

/** Metadata of the flags of `fork` that change a step; `--at` names the step. */
const ofStep = { flagGroup: 'Model', otherwise: 'as before' } as const;
const name = z.string().optional();
const form = z.enum(OUTPUT_FORMS).optional();
export const forkFlags = forkInput.extend({
  models: flagged('--model <name>', 'model of that step', name, ofStep),
  prompts: flagged('--prompts <name>', 'prompt set of that step', name, ofStep),
  outputs: flagged('--outputs <form>', 'form in which that step answers', form, ofStep),
});

/** Flags of `plan` that change how a kept run is asked. */
export const planFlags = scheduleFlags.omit({ run: true }).partial({ method: true, dataset: true });

/** Flags of `datasets put` that say how a file is read. */
export const putFlags = evalFlags.pick(READING_FIELDS);

/** Flags of `train-data` in addition to the folder. */
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

/** Flags of `set` and `limits`. */
export const setFlags = settingsInput;
export const limitFlags = settingsInput.pick({ requestsPerMinute: true, tokensPerMinute: true });
