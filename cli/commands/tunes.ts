/** `durable-rag tune` and `advise`. */
import { z } from 'zod';
import { TABLE_FORMATS } from '../../evaluation/study/render-table.js';
import { defineCommand } from '../define-command.js';
import {
  detach,
  flagged,
  pathSchema,
  runName,
  startsNothing,
  studyName,
  textFlag,
} from './common-flags.js';

const running = () => import('../tune/run-tune.js');

const names = z.array(z.string().trim().min(1)).min(1);

export const tunes = [
  defineCommand({
    name: 'tune',
    does: 'search for changes that make a run better or cheaper, and confirm them',
  }),
  defineCommand({
    name: 'tune run',
    does: 'search on half of the questions and confirm on the other half; the study commands pause, resume and cancel it',
    takes: z.object({ file: pathSchema('YAML or JSON'), dryRun: startsNothing, detach }),
    settings: ['DURABLE_RAG_SEARCH'],
    examples: ['durable-rag tune run tune.yaml --dry-run'],
    async run({ file, dryRun, detach }, context) {
      const read = await (await import('../tune/tune-file.js')).readTuneFile(file, context);
      if (dryRun) return (await running()).dryRunTune(read, context);
      return (await running()).runTune(read, { detach }, context);
    },
  }),
  defineCommand({
    name: 'tune table',
    does: 'show the result of a tune: each candidate on both halves, its cost and the decision',
    takes: z.object({
      tune: studyName,
      format: flagged(
        '--format <name>',
        'format of the table',
        z.enum(TABLE_FORMATS).default('text'),
      ),
    }),
    json: 'as --format json, errors too',
    run: async ({ tune, format }, context) =>
      (await import('../tune/stored-tune.js')).printTuneTable(tune, { format }, context),
  }),
  defineCommand({
    name: 'advise',
    does: 'try cheaper models at each step of a stored run, and show which lose less than the margin',
    takes: z.object({
      run: runName,
      models: flagged('--models <names>', 'the cheaper models', names),
      margin: flagged(
        '--margin <points>',
        'most points of the metric that may be lost',
        z.number().gt(0).lt(100),
        { takes: 'points, more than 0 and less than 100' },
      ),
      budgetUsd: flagged(
        '--budget-usd <x>',
        'US dollars for all runs together',
        z.number().positive().optional(),
      ),
      metric: textFlag('--metric <name>', 'metric to compare')
        .optional()
        .meta({ otherwise: 'the main metric' }),
      name: textFlag('--name <tune>', 'name of the tune')
        .optional()
        .meta({ otherwise: 'that of the run, with -advice' }),
      dryRun: startsNothing,
      detach,
    }),
    settings: ['DURABLE_RAG_SEARCH'],
    examples: ['durable-rag advise nq-sure --models gpt-5-nano,gpt-5-mini --margin 5 --dry-run'],
    async run({ run, dryRun, detach, ...flags }, context) {
      const read = (await import('../tune/advise.js')).adviceAsTune(run, flags, context);
      if (dryRun) return (await running()).dryRunTune(read, context);
      return (await running()).runTune(read, { detach }, context);
    },
  }),
];
