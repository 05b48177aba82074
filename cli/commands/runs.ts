/** Declares the commands for one run, while it is under way and afterwards. */
import { z } from 'zod';
import { parseRunInput } from '../../interpreters/methods.js';
import { refusePredictions } from '../../interpreters/predictions.js';
import type { CliContext } from '../context.js';
import { defineCommand } from '../define-command.js';
import { forkFlags, planFlags, rescoreFlags, setFlags } from '../inputs.js';
import { methodsOf } from '../own-methods.js';
import type { CommandOutput } from '../print-output.js';
import {
  detach,
  flagged,
  force,
  pathSchema,
  runName,
  startsNothing,
  textFlag,
  toggleFlag,
  wholeFlag,
  yes,
} from './common-flags.js';
import { FURTHER_INPUT } from './evaluate.js';

const control = () => import('../run/control.js');
const keeping = () => import('../run/keep-runs.js');
const asking = () => import('../run/ask-runs.js');

export const underWay = [
  ofRun('status', 'show the state of a run', async () => (await control()).showStatus),
  ofRun('attach', 'follow a run until it ends', async () => (await asking()).attach),
  ofRun('pause', 'pause a run: no more questions are started', async () =>
    (await control()).changingRun((handle) => handle.pause()),
  ),
  ofRun('resume', 'resume a paused run', async () =>
    (await control()).changingRun((handle) => handle.resume()),
  ),
  ofRun(
    'cancel',
    'cancel a run; questions that have ended are kept',
    async () => (await control()).cancelRun,
  ),
  defineCommand({
    name: 'set',
    does: 'change the limits of a run under way',
    takes: z.object({ run: runName }),
    input: setFlags,
    run: async ({ run }, context, typed) =>
      (await control()).setRun(run, await typed.input(), context),
  }),
];

const forksOfSteps = { flagNeeds: ['stronger', 'budgetUsd'] };

export const storedRuns = [
  defineCommand({
    name: 'runs',
    does: 'list the runs; delete, export or import one',
    run: async (_, context) => (await control()).listRuns(context),
  }),
  defineCommand({
    name: 'runs delete',
    does: 'delete the results and the histories of a run that is not under way',
    takes: z.object({ run: runName, yes, force }),
    run: async ({ run, ...flags }, context) => (await keeping()).deleteRun(run, flags, context),
  }),
  defineCommand({
    name: 'runs export',
    does: 'write a run into one file (.tar.gz), with the texts of its passages',
    takes: z.object({
      run: runName,
      file: pathSchema('file to write'),
      format: flagged(
        '--format <name>',
        'archive, or eee: the scores in the JSON form of Every Eval Ever',
        z.enum(['archive', 'eee']).default('archive'),
      ),
    }),
    async run({ run, file, format }, context) {
      const { exportEee, exportRunArchive } = await keeping();
      return format === 'eee'
        ? exportEee(run, file, context)
        : exportRunArchive(run, file, context);
    },
  }),
  defineCommand({
    name: 'runs import',
    does: 'import a run from a file of "runs export"',
    takes: z.object({
      file: pathSchema('a file from "durable-rag runs export"'),
      name: textFlag('--name <run>', 'name of the run here').optional(),
    }),
    run: async ({ file, name }, context) =>
      (await keeping()).importRunArchive(file, { name }, context),
  }),
  defineCommand({
    name: 'import-predictions',
    does: 'import the answers of another system as a run, without a model call',
    takes: z.object({
      file: pathSchema('the answers: JSON Lines, a JSON list, CSV, TSV or Parquet'),
      dataset: flagged('--dataset <data>', 'the questions, as for eval', z.string(), {
        flagTakes: 'data',
      }),
      fields: textFlag(
        '--fields <pairs>',
        'paths in a record: id=...,prediction=... and optionally cost=... in US dollars',
      ),
      as: textFlag('--as <name>', 'name of a known data set, as for --as of eval').optional(),
      datasetFields: textFlag(
        '--dataset-fields <pairs>',
        'mapping of its fields, as for --fields of eval',
      ).optional(),
      name: textFlag('--name <run>', 'name of the run')
        .optional()
        .meta({ otherwise: 'that of the file' }),
      system: textFlag('--system <name>', 'name of the other system, for tables')
        .optional()
        .meta({ otherwise: 'the name of the run' }),
      model: textFlag('--model <name>', 'its model').optional().meta({ otherwise: 'unknown' }),
    }),
    examples: [
      'durable-rag import-predictions theirs.jsonl --dataset nq.jsonl --fields id=qid,prediction=output.answer',
    ],
    run: async ({ file, ...flags }, context) =>
      (await import('../run/import-predictions.js')).importPredicted(file, flags, context),
  }),
  defineCommand({
    name: 'runs verify',
    does: 'recompute answers, scores and totals of a run from its kept calls, without a model call',
    takes: z.object({ run: runName.describe('a run, a study, or the archive of one') }),
    examples: ['durable-rag runs verify first', 'durable-rag runs verify first.tar.gz --json'],
    run: async ({ run }, context) => (await import('../run/verify.js')).verifyStored(run, context),
  }),
  defineCommand({
    name: 'show',
    does: 'show how a question of a run was answered, call by call',
    takes: z.object({
      run: runName,
      question: z.string().describe('id of the question in the data set'),
      raw: z
        .union([z.literal(true), z.string()])
        .optional()
        .describe('show prompts and replies of its model calls, or of one such as summarize[2]')
        .meta({ flag: '--raw [call]' }),
    }),
    async run({ run, question, raw }, context) {
      const { showQuestion, showRaw } = await import('../run/show-question.js');
      if (raw === undefined) return showQuestion(run, question, context);
      return showRaw(run, question, raw === true ? undefined : raw, context);
    },
  }),
  defineCommand({
    name: 'explain',
    does: 'show which steps caused the wrong answers of a run, without a model call',
    takes: z.object({
      run: runName,
      stronger: textFlag(
        '--stronger <model>',
        'fork each step with this model, and show how many wrong answers become right',
      ).optional(),
      sample: wholeFlag(
        '--sample <n>',
        'number of questions that are forked, the same ones for each step',
      )
        .optional()
        .meta(forksOfSteps),
      budgetUsd: flagged(
        '--budget-usd <amount>',
        'US dollars for each fork; without --stronger, for the calls that follow a perfect output',
        z.number().positive().optional(),
      ),
      dryRun: toggleFlag(
        '--dry-run',
        'show what the forks would cost, and start none',
        forksOfSteps,
      ),
    }),
    settings: ['DURABLE_RAG_SEARCH'],
    run: async ({ run, ...flags }, context) =>
      (await import('../run/explain.js')).explainStoredRun(run, flags, context),
  }),
  defineCommand({
    name: 'plan',
    does: 'show what it would cost to ask a run again; flags of eval change it first',
    takes: z.object({ run: runName }),
    input: planFlags,
    inputFile: FURTHER_INPUT,
    settings: ['DURABLE_RAG_SEARCH'],
    run: async ({ run }, context, typed) =>
      (await import('../run/dry-run.js')).planStoredRun(run, typed.input, context),
  }),
  defineCommand({
    name: 'fork',
    does: 'ask a run again with one step or its options changed; calls before the change are reused',
    takes: z.object({
      run: runName,
      dryRun: startsNothing,
      detach,
      say: textFlag(
        '--say <text>',
        'with --question and --at: the output of that call, instead of asking the model',
      ).optional(),
    }),
    input: forkFlags,
    inputFile: 'the model with its parameters, probeSeconds',
    settings: ['DURABLE_RAG_SEARCH'],
    examples: [
      'durable-rag fork first --at validate --model gpt-4o --dry-run',
      'durable-rag fork first --at rankPair --prompts mine --name other-prompt',
    ],
    run: async ({ run, ...flags }, context, typed) =>
      (await import('../run/fork.js')).forkRun(run, await typed.input(), flags, context),
  }),
  defineCommand({
    name: 'retry',
    does: 'ask the failed questions of an ended run again',
    takes: z.object({
      run: runName,
      unreadable: toggleFlag(
        '--unreadable',
        'also ask questions whose answer could not be read, as another sample',
      ),
      acceptChange: toggleFlag(
        '--accept-change',
        'continue although data, prompts or models have changed',
      ),
    }),
    settings: ['DURABLE_RAG_SEARCH'],
    async run({ run, unreadable, acceptChange }, context) {
      const { withRuns } = await import('../run/with-runs.js');
      const { openRun } = await import('../../evaluation/runs/run-source.js');
      const { manifest } = await withRuns(context, (runs) => openRun(runs, run));
      refusePredictions(manifest);
      const kept = parseRunInput(manifest.input, methodsOf(context));
      const { dataset } = manifest.input;
      const spec = {
        ...kept,
        dataset,
        ...(unreadable && { retryUnreadable: true }),
        ...(acceptChange && { acceptChange }),
      };
      return (await asking()).askRuns([{ spec, isNamed: true }], { again: true }, context);
    },
  }),
  defineCommand({
    name: 'forget',
    does: 'delete the kept replies to a question of a run, so that a retry asks for new ones',
    takes: z.object({
      run: runName,
      question: z.string().describe('id of the question in the data set'),
      step: z
        .string()
        .optional()
        .describe('a step, or a call such as summarize[2]; by default all calls'),
      yes,
      force,
    }),
    run: async ({ run, question, step, ...flags }, context) =>
      (await import('../run/forget.js')).forgetReplies(run, question, step, flags, context),
  }),
  defineCommand({
    name: 'rescore',
    does: 'score a run again with other metrics, other gold answers or another judge',
    takes: z.object({
      run: runName,
      name: textFlag(
        '--name <run>',
        'score a copy under this name, and leave the run as it is',
      ).optional(),
      dryRun: toggleFlag(
        '--dry-run',
        'show what would change and what the judge would be asked, and change nothing',
      ),
    }),
    input: rescoreFlags,
    settings: ['DURABLE_RAG_SEARCH'],
    run: async ({ run, ...flags }, context, typed) =>
      (await import('../run/rescore.js')).rescoreStoredRun(
        run,
        flags,
        await typed.input(),
        context,
      ),
  }),
];

function ofRun(
  name: string,
  does: string,
  load: () => Promise<(run: string, context: CliContext) => Promise<CommandOutput>>,
) {
  return defineCommand({
    name,
    does,
    takes: z.object({ run: runName }),
    run: async ({ run }, context) => (await load())(run, context),
  });
}
