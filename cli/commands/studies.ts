/** `durable-rag study` and `race`. */
import { z } from 'zod';
import { TABLE_FORMATS } from '../../evaluation/study/render-table.js';
import type { CliContext } from '../context.js';
import { defineCommand } from '../define-command.js';
import { checkFlags, decidingFlags, raceFlags } from '../inputs.js';
import type { CommandOutput } from '../print-output.js';
import {
  by,
  cluster,
  detach,
  flagged,
  force,
  gateFiles,
  metrics,
  pathSchema,
  startsNothing,
  studyName,
  textFlag,
  toggleFlag,
  wholeFlag,
  yes,
} from './common-flags.js';

const running = () => import('../study/run-study.js');
const reading = () => import('../study/read-study.js');
const keeping = () => import('../study/keep-study.js');
const files = () => import('../study/study-file.js');
const planning = () => import('../study/dry-run-study.js');

const file = pathSchema('YAML or JSON');
const ofAll = 'US dollars for all runs together';

export const race = defineCommand({
  name: 'race',
  does: 'ask two methods the same questions until it is decided which is better',
  takes: z.object({
    first: z.string().describe("a method, or one with options: '{ sure: { candidates: 3 } }'"),
    second: z.string().describe('the method that it is compared with'),
    repeats: wholeFlag('--repeats <n>', 'number of times that each question is asked').optional(),
    dryRun: startsNothing,
  }),
  input: raceFlags,
  settings: ['DURABLE_RAG_SEARCH'],
  examples: ['durable-rag race sure base --dataset questions.jsonl --corpus wiki --budget-usd 5'],
  async run({ first, second, repeats, dryRun }, context, typed) {
    const { raceAsStudy } = await import('../study/race.js');
    const race = await raceAsStudy([first, second], await typed.input(), repeats, context);
    if (dryRun) return (await planning()).dryRunStudy(race, context);
    return (await running()).runStudy(race, {}, context);
  },
});

export const studies = [
  defineCommand({
    name: 'study',
    does: 'evaluate methods on data sets with models and repeats, together',
  }),
  defineCommand({
    name: 'study run',
    does: 'run a study file; questions with an answer are not asked again',
    takes: z.object({
      file,
      untilDecided: toggleFlag(
        '--until-decided',
        'stop once the comparisons with the baseline are decided',
      ),
      dryRun: startsNothing,
      detach,
    }),
    input: decidingFlags,
    settings: ['DURABLE_RAG_SEARCH'],
    examples: ['durable-rag study run study.yaml --dry-run'],
    async run({ file, untilDecided, dryRun, detach }, context, typed) {
      const { readStudyFile, untilDecidedOf } = await files();
      const rule = untilDecidedOf(await typed.input(), untilDecided);
      const read = await readStudyFile(file, context, rule);
      if (dryRun) return (await planning()).dryRunStudy(read, context);
      return (await running()).runStudy(read, { detach }, context);
    },
  }),
  defineCommand({
    name: 'study check',
    does: 'ask a cell until it is decided whether it is worse than a stored run by the margin',
    takes: z.object({
      file,
      cell: textFlag('--cell <name>', 'METHOD, METHOD.DATASET or METHOD.DATASET.MODEL'),
      against: textFlag('--against <run>', 'a stored run with the same questions').meta({
        namesKept: true,
      }),
      ...gateFiles,
      ...checkFlags.shape,
    }),
    examples: [
      'durable-rag study check study.yaml --cell sure --against sure-release --margin 3 --junit gate.xml',
    ],
    async run({ file, ...check }, context) {
      const read = await (await files()).readStudyFile(file, context);
      return (await import('../study/check-study.js')).checkStudy(read, check, context);
    },
  }),
  ofStudy('status', 'show the state of a study', async () => (await running()).showStudy),
  ofStudy('attach', 'follow a study until it ends', async () =>
    (await running()).followCommand((client, study) => client.getStudy(study)),
  ),
  ofStudy('retry', 'ask the failed questions of a study again', async () =>
    (await running()).followCommand((client, study) => client.retryStudy(study)),
  ),
  ofStudy('pause', 'pause a study: no more questions are started', async () =>
    (await running()).changingStudy((handle) => handle.pause()),
  ),
  ofStudy('resume', 'resume a paused study', async () =>
    (await running()).changingStudy((handle) => handle.resume()),
  ),
  ofStudy(
    'cancel',
    'cancel a study; questions that have ended are kept',
    async () => (await running()).cancelStudy,
  ),
  defineCommand({
    name: 'study set',
    does: 'change the budget of a study under way',
    takes: z.object({
      study: studyName,
      budgetUsd: flagged('--budget-usd <x>', ofAll, z.number().positive()),
    }),
    run: async ({ study, budgetUsd }, context) =>
      (await running()).changingStudy((handle) => handle.set({ budgetUsd }))(study, context),
  }),
  defineCommand({
    name: 'study export',
    does: 'write a study into one file (.tar.gz): its definition, data sets and runs',
    takes: z.object({ study: studyName, file: pathSchema('file to write') }),
    run: async ({ study, file }, context) => (await keeping()).exportStudy(study, file, context),
  }),
  defineCommand({
    name: 'study import',
    does: 'import a study from a file of "study export"',
    takes: z.object({ file: pathSchema('a file from "durable-rag study export"') }),
    run: async ({ file }, context) => (await keeping()).importStudy(file, context),
  }),
  defineCommand({
    name: 'study rerun',
    does: 'run a study from a file of "study export" again, under another name',
    takes: z.object({
      file: pathSchema('a file from "durable-rag study export"'),
      name: textFlag('--name <study>', 'name of the new study')
        .optional()
        .meta({ otherwise: 'that of the file, with -again' }),
      model: textFlag('--model <model>', 'model to ask')
        .optional()
        .meta({ otherwise: 'those of the study' }),
      dryRun: startsNothing,
      detach,
    }),
    settings: ['DURABLE_RAG_SEARCH'],
    examples: ['durable-rag study rerun table.tar.gz --model gpt-5-mini --dry-run'],
    run: async ({ file, ...flags }, context) => (await keeping()).rerunStudy(file, flags, context),
  }),
  defineCommand({
    name: 'study delete',
    does: 'delete all runs of a study and their histories',
    takes: z.object({ study: studyName, yes, force }),
    run: async ({ study, ...flags }, context) =>
      (await keeping()).deleteStudy(study, flags, context),
  }),
  defineCommand({
    name: 'study list',
    does: 'list the studies that have runs, and how many',
    run: async (_, context) => (await reading()).listStudies(context),
  }),
  defineCommand({
    name: 'study table',
    does: 'show the table of a study: methods and models by data sets',
    takes: z.object({
      study: studyName,
      format: flagged(
        '--format <name>',
        'format of the table',
        z.enum(TABLE_FORMATS).default('text'),
      ),
      of: textFlag(
        '--of <what>',
        'figures to show: score, cost, calls, searches, time, or a metric',
      )
        .default('score')
        .meta({ flagExcludes: ['long'] }),
      metrics: metrics.meta({ flagExcludes: ['long'] }),
      by: by.meta({ flagExcludes: ['long'] }),
      above: textFlag(
        '--above <metric>',
        'show the mean over the questions that reach each value of this metric, such as confidence',
      )
        .optional()
        .meta({ flagExcludes: ['long', 'by'] }),
      correlate: textFlag(
        '--correlate <metric>',
        'show the correlation of the scores with this metric, over questions',
      )
        .optional()
        .meta({ flagExcludes: ['long'] }),
      cluster: cluster.meta({ flagExcludes: ['long'] }),
      long: toggleFlag('--long', 'one line for each answer, as CSV or JSON, for a data frame'),
    }),
    json: 'as --format json, errors too',
    run: async ({ study, ...flags }, context) =>
      (await reading()).printStudyTable(study, flags, context),
  }),
];

function ofStudy(
  name: string,
  does: string,
  load: () => Promise<(study: string, context: CliContext) => Promise<CommandOutput>>,
) {
  return defineCommand({
    name: `study ${name}`,
    does,
    takes: z.object({ study: studyName }),
    run: async ({ study }, context) => (await load())(study, context),
  });
}
