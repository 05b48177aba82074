/** Declares `durable-rag eval` and the other commands that run a data set or compare results. */
import { Command } from '@commander-js/extra-typings';
import { z } from 'zod';
import { TABLE_FORMATS } from '../../evaluation/study/render-table.js';
import { defineCommand } from '../define-command.js';
import { addFlags, checkedForSecrets, typedInput } from '../flags.js';
import { evalFlags, paperFlags, scheduleFlags } from '../inputs.js';
import {
  baseline,
  by,
  cluster,
  detach,
  flagged,
  gateFiles,
  margin,
  metrics,
  pathSchema,
  portFlag,
  runName,
  runNames,
  startsNothing,
  textFlag,
  toggleFlag,
} from './common-flags.js';
import { race, studies } from './studies.js';
import { tunes } from './tunes.js';

/** Text for the help of `--input`: the fields that such a file can have and that have no flags. */
export const FURTHER_INPUT = 'models by step, limits';

const evaluating = defineCommand({
  name: 'eval',
  does: 'answer every question of a data set with a method, and score the answers',
  takes: z.object({
    dryRun: startsNothing,
    detach,
    failBelow: flagged(
      '--fail-below <least>',
      'metric and lowest accepted mean, such as em=0.40; may be repeated',
      z.record(z.string(), z.number().min(0).max(1)).optional(),
      { flagTakes: 'pairs', flagGroup: 'Scores', flagExcludes: ['dryRun', 'detach'] },
    ),
    junit: gateFiles.junit.meta({ flagNeeds: ['failBelow'] }),
    markdown: gateFiles.markdown.meta({ flagNeeds: ['failBelow'] }),
  }),
  input: evalFlags,
  hint: '(an option of the method is written as --option candidates=3; use --help for the usage)',
  inputFile: FURTHER_INPUT,
  settings: ['DURABLE_RAG_SEARCH'],
  examples: [
    'durable-rag eval --method sure --dataset questions.jsonl --dry-run',
    'durable-rag eval --method base --dataset dev.json --fields question=q,answers=gold[] --sample 200 --name first',
    'durable-rag eval --method sure --dataset stored:nq --budget-usd 5 --fail-below em=0.30 --junit gate.xml',
  ],
  async run({ dryRun, detach, failBelow, ...files }, context, typed) {
    const { evalInputs, withCorpora, withStored } = await import('../run/eval-input.js');
    const { withDrawnOptions } = await import('../drawn-demonstrations.js');
    const asked = evalInputs(await withDrawnOptions(await typed.input(), context), context);
    // The flags have been checked: a corpus may take long to fetch and to index.
    const runs = await withCorpora(asked, context, dryRun);
    const planning = () => import('../run/dry-run.js');
    if (dryRun) return (await planning()).showDryRun(runs, context);
    if (process.stderr.isTTY) await (await planning()).printEstimate(runs, context);
    const { askRuns } = await import('../run/ask-runs.js');
    const gates = failBelow && { least: failBelow, ...files };
    return askRuns(await withStored(runs, context), { detach, gates }, context);
  },
});

const schedules = () => import('../run/schedule.js');
const schedule = z.object({ name: z.string() });

const scheduling = [
  defineCommand({
    name: 'schedule',
    does: 'evaluate on a schedule: each start is a separate run',
  }),
  defineCommand({
    name: 'schedule create',
    does: 'create a schedule; the flags of eval follow --',
    takes: z.object({
      name: z.string().describe('name of the schedule; its runs are named after it and their time'),
      flags: z.array(z.string()).min(1).describe('flags of eval, after --'),
      cron: textFlag('--cron <times>', 'start times, such as "0 2 * * *" or @daily'),
      timezone: textFlag('--timezone <name>', 'time zone of the IANA database')
        .optional()
        .meta({ otherwise: 'UTC' }),
    }),
    hint: '(the flags of eval follow --: schedule create nightly --cron @daily -- --method base --dataset q.jsonl)',
    examples: [
      'durable-rag schedule create nightly --cron "0 2 * * *" -- --method base --dataset questions.jsonl',
    ],
    async run({ name, flags, ...times }, context, { command }) {
      const words = new Command('eval').copyInheritedSettings(command);
      addFlags(words, scheduleFlags, FURTHER_INPUT).parse(flags, { from: 'user' });
      const typed = checkedForSecrets(await typedInput(words, scheduleFlags), context.env);
      return (await schedules()).createSchedule(name, times, typed, context);
    },
  }),
  defineCommand({
    name: 'schedule list',
    does: 'list the schedules, their next times and latest runs',
    run: async (_, context) => (await schedules()).listSchedules(context),
  }),
  defineCommand({
    name: 'schedule trigger',
    does: 'start a run of a schedule now',
    takes: schedule,
    run: async ({ name }, context) => (await schedules()).triggerSchedule(name, context),
  }),
  defineCommand({
    name: 'schedule delete',
    does: 'delete a schedule; its runs stay',
    takes: schedule,
    run: async ({ name }, context) => (await schedules()).deleteSchedule(name, context),
  }),
];

const reading = [
  defineCommand({
    name: 'compare',
    does: 'show runs side by side, and test whether they differ',
    takes: z.object({ runs: runNames, baseline, metrics, margin, by, cluster }),
    examples: ['durable-rag compare sure base --baseline base --metric em,f1 --margin 2'],
    run: async ({ runs, ...flags }, context) =>
      (await import('../run/read-runs.js')).compareRuns(runs, flags, context),
  }),
  defineCommand({
    name: 'report',
    does: 'write one HTML file about runs: scores, costs, and every question call by call',
    takes: z.object({
      runs: runNames,
      baseline,
      metrics,
      by,
      cluster,
      out: pathSchema('file to write', '--out <file>').default('report.html'),
      serve: toggleFlag(
        '--serve',
        'serve a page on this machine that follows the runs, shows prompts and replies, and stores your marks',
        { flagExcludes: ['out', 'json'] },
      ),
      port: portFlag('on 127.0.0.1')
        .optional()
        .meta({ otherwise: 'any', flagNeeds: ['serve'] }),
    }),
    json: 'the file and its runs as JSON',
    examples: ['durable-rag report first second --out report.html'],
    run: async ({ runs, ...flags }, context) =>
      (await import('../run/report-runs.js')).reportRuns(runs, flags, context),
  }),
  defineCommand({
    name: 'export',
    does: 'write the answers of a run as JSON Lines',
    takes: z.object({
      run: runName,
      format: flagged(
        '--format <format>',
        "answers; fid: questions with passages for the Fusion-in-Decoder reader; chat: Chain-of-Note's notes for fine-tuning; chat-weighted: the same with the ranges of the loss",
        z.enum(['answers', 'fid', 'chat', 'chat-weighted']).default('answers'),
      ),
      out: pathSchema('file to write', '--out <file>')
        .optional()
        .meta({ otherwise: 'standard output' }),
    }),
    json: 'with --out: a summary of the file as JSON',
    run: async ({ run, ...flags }, context) =>
      (await import('../run/export-answers.js')).exportAnswers(run, flags, context),
  }),
];

const ofTable = { flagExcludes: ['dryRun'] };

const papers = defineCommand({
  name: 'papers',
  does: 'list the tables of the papers, or reproduce one beside the published figures',
  takes: z.object({
    paper: z.string().optional().describe('a paper, such as sure; by default all are listed'),
    table: z
      .string()
      .optional()
      .describe('a table, such as table-1; by default those of the paper are listed'),
    model: flagged(
      '--model <names>',
      "model to ask instead of the paper's; THEIRS=NAME for one of several",
      z.array(z.string().trim().min(1)).min(1).optional(),
      { otherwise: 'that of the workers' },
    ),
    data: textFlag('--data <folder>', 'folder of data sets, or flashrag to fetch them')
      .optional()
      .meta({ otherwise: 'flashrag' }),
    givenPassages: toggleFlag(
      '--given-passages',
      'use the passages that come with the questions instead of a corpus',
    ),
    name: textFlag('--name <name>', 'name of the study')
      .optional()
      .meta({ otherwise: 'PAPER-TABLE' }),
    format: flagged(
      '--format <name>',
      'format of the table',
      z.enum(TABLE_FORMATS).default('text'),
    ),
    kept: toggleFlag('--kept', 'ask nothing, and show the table from the kept answers', ofTable),
    dryRun: startsNothing,
    detach,
  }),
  input: paperFlags,
  settings: ['DURABLE_RAG_SEARCH'],
  json: 'the list, or the table with its figures as JSON',
  examples: [
    'durable-rag papers sure',
    'durable-rag papers sure table-1 --model gpt-5-mini --sample 100 --dry-run',
  ],
  async run({ paper, table, ...flags }, context, typed) {
    if (paper === undefined || table === undefined) {
      return (await import('../papers/list-papers.js')).listPapers(paper, context);
    }
    const { name, ...asked } = flags;
    const { fields } = await typed.input();
    const named = name === undefined ? fields : { ...fields, name };
    const { makeTable } = await import('../papers/make-table.js');
    return makeTable(paper, table, { ...asked, fields: named }, context);
  },
});

export const evaluate = [evaluating, ...studies, race, ...tunes, papers, ...scheduling, ...reading];
