/** The command line's words for runs; what they do is loaded when it is called. */
import { resolve } from 'node:path';
import { Command, Option } from '@commander-js/extra-typings';
import { parseRunInput } from '../../workflows/methods.js';
import type { CliContext, RunCommand } from '../context.js';
import { addFlags, typedInput } from '../flags.js';
import {
  evalFlags,
  forkFlags,
  limitFlags,
  planFlags,
  rescoreFlags,
  scheduleFlags,
  setFlags,
} from '../inputs.js';
import { jsonOption } from '../json-option.js';
import { methodsOf, metricsOf } from '../own-methods.js';
import { addSettings } from '../setting-flags.js';

const control = () => import('./control.js');
const planning = () => import('./dry-run.js');
const running = () => import('./ask-runs.js');
const reading = () => import('./read-runs.js');

/** What the file of `--input` can hold beside the flags. */
const FURTHER_INPUT = 'models by step, limits';

/** Adds them to the program; `run` runs a command and tells its troubles. */
export function addRunCommands(program: Command, context: CliContext, run: RunCommand): void {
  addEval(program, context, run);
  addFork(program, context, run);
  addSteering(program, context, run);
  addReading(program, context, run);
  addSchedule(program, context, run);
}

function addEval(program: Command, context: CliContext, run: RunCommand): void {
  const evaluate = program
    .command('eval')
    .description('ask a method every question of a data set and score the answers')
    .option('--dry-run', 'say what the run would take, and start nothing')
    .addOption(
      new Option('--detach', 'start it and leave; needs a worker that is running').conflicts(
        'dryRun',
      ),
    )
    .addOption(jsonOption())
    .action(({ dryRun, detach }, command) =>
      run(async () => {
        const { evalInputs, withStored } = await import('./eval-input.js');
        const runs = evalInputs(await typedInput(command, evalFlags), {
          methods: methodsOf(context),
          metrics: metricsOf(context),
        });
        if (dryRun) return (await planning()).printDryRun(runs, context);
        if (process.stderr.isTTY) await (await planning()).tellDryRun(runs, context);
        const stored = await withStored(runs, context);
        return (await running()).askRuns(stored, { detach }, context);
      }),
    );
  addSettings(evaluate, 'DURABLE_RAG_SEARCH');
  addFlags(evaluate, evalFlags, FURTHER_INPUT);

  const plan = program
    .command('plan')
    .description('say what a kept run would take again; with flags of eval, what a change would')
    .argument('<run>')
    .addOption(jsonOption())
    .action((name, _, command) =>
      run(async () => {
        const { planKept } = await import('./plan.js');
        return planKept(name, (input) => typedInput(command, planFlags, input), context);
      }),
    );
  addSettings(plan, 'DURABLE_RAG_SEARCH');
  addFlags(plan, planFlags, FURTHER_INPUT);

  const again = program
    .command('retry')
    .description('ask the failed questions of a run that has ended once more')
    .argument('<run>')
    .option('--accept-change', 'also where data, prompts or models differ from before')
    .addOption(jsonOption())
    .action((name, { acceptChange }) =>
      run(async () => {
        const { withRuns } = await import('./with-runs.js');
        const { openRun } = await import('../../evaluation/runs/run-source.js');
        const { manifest } = await withRuns(context, (runs) => openRun(runs, name));
        const kept = parseRunInput(manifest.input, methodsOf(context));
        const { dataset } = manifest.input;
        const spec = { ...kept, dataset, ...(acceptChange && { acceptChange }) };
        return (await running()).askRuns([{ spec, isNamed: true }], { again: true }, context);
      }),
    );
  addSettings(again, 'DURABLE_RAG_SEARCH');

  const rescoring = program
    .command('rescore')
    .description('score a kept run again: other metrics, other gold answers, another judge')
    .argument('<run>')
    .option('--name <run>', 'score a copy under this name, and leave the run as it is')
    .option('--dry-run', 'say what it would change and ask, and change nothing')
    .addOption(jsonOption())
    .action((rescored, { dryRun, name }, command) =>
      run(async () => {
        const { rescoreRun } = await import('./rescore.js');
        return rescoreRun(
          rescored,
          { dryRun, name },
          await typedInput(command, rescoreFlags),
          context,
        );
      }),
    );
  addSettings(rescoring, 'DURABLE_RAG_SEARCH');
  addFlags(rescoring, rescoreFlags);
}

function addFork(program: Command, context: CliContext, run: RunCommand): void {
  const forking = program
    .command('fork')
    .description(
      'ask one step of a kept run anew, or change its options; the rest is taken from it',
    )
    .argument('<run>')
    .option('--dry-run', 'say what the fork would take, and start nothing')
    .addOption(
      new Option('--detach', 'start it and leave; needs a worker that is running').conflicts(
        'dryRun',
      ),
    )
    .addOption(jsonOption())
    .option(
      '--say <text>',
      'with --question and --at: what that call gives, in place of being asked',
    )
    .action((name, { dryRun, detach, say }, command) =>
      run(async () =>
        (await import('./fork.js')).forkRun(
          name,
          await typedInput(command, forkFlags),
          { dryRun, detach, say },
          context,
        ),
      ),
    );
  addSettings(forking, 'DURABLE_RAG_SEARCH');
  addFlags(forking, forkFlags, 'the model with its parameters, probeSeconds');
}

function addSteering(program: Command, context: CliContext, run: RunCommand): void {
  const simple = (
    name: string,
    description: string,
    load: () => Promise<(run: string, context: CliContext) => Promise<number>>,
  ) =>
    program
      .command(name)
      .description(description)
      .argument('<run>')
      .addOption(jsonOption())
      .action((spec) => run(async () => (await load())(spec, context)));

  addRuns(program, context, run);
  simple('status', 'say where a run stands', async () => (await control()).showStatus);
  simple('attach', 'follow a run until its end', async () => (await running()).attach);
  simple('pause', 'begin no more questions of a run', async () => (await control()).pauseRun);
  simple('resume', 'go on with a run that is paused', async () => (await control()).resumeRun);
  simple('cancel', 'stop a run; what has ended is kept', async () => (await control()).cancelRun);
  const setting = program
    .command('set')
    .description('change the limits of a run while it is under way')
    .argument('<run>')
    .addOption(jsonOption())
    .action((spec, _, command) =>
      run(async () => (await control()).setRun(spec, await typedInput(command, setFlags), context)),
    );
  addFlags(setting, setFlags);

  const limiting = program
    .command('limits')
    .description('show what the model calls of the task queue are held to, or set it')
    .addOption(jsonOption())
    .action((_, command) =>
      run(async () =>
        (await import('./limits.js')).queueLimits(await typedInput(command, limitFlags), context),
      ),
    );
  addFlags(limiting, limitFlags);
}

/** The list of runs, and what is done with what is kept of one. */
function addRuns(program: Command, context: CliContext, run: RunCommand): void {
  const keeping = () => import('./keep-runs.js');
  const runs = program
    .command('runs')
    .description('list the runs; delete, export or import one')
    .enablePositionalOptions()
    .addOption(jsonOption())
    .action(() => run(async () => (await control()).listRuns(context)));
  runs
    .command('delete')
    .description('delete what is kept of a run that is not under way, and its histories')
    .argument('<run>')
    .option('--yes', 'do not ask')
    .option('--force', 'also where no Temporal server can tell whether it is under way')
    .addOption(jsonOption())
    .action((name, { yes, force }) =>
      run(async () => (await keeping()).deleteRun(name, { yes, force }, context)),
    );
  runs
    .command('export')
    .description('write a run into one file (.tar.gz), with the texts of its passages')
    .argument('<run>')
    .argument('<file>', 'where to', (file) => resolve(file))
    .addOption(jsonOption())
    .action((name, file) => run(async () => (await keeping()).exportRun(name, file, context)));
  runs
    .command('import')
    .description('take a run out of such a file, to report on or compare')
    .argument('<file>', 'written by: durable-rag runs export', (file) => resolve(file))
    .option('--name <run>', 'what it is called here')
    .addOption(jsonOption())
    .action((file, { name }) =>
      run(async () => (await keeping()).importRun(file, { name }, context)),
    );
}

function addReading(program: Command, context: CliContext, run: RunCommand): void {
  const explaining = program
    .command('explain')
    .description('tell which steps are to blame for the wrong answers of a run; asks nothing')
    .argument('<run>')
    .addOption(jsonOption())
    .action((name) => run(async () => (await import('./explain.js')).explainKept(name, context)));
  addSettings(explaining, 'DURABLE_RAG_SEARCH');

  program
    .command('export')
    .description('write the answers of a run as JSON Lines')
    .argument('<run>')
    .addOption(
      new Option(
        '--format <format>',
        "answers; what they were read from, for the Fusion-in-Decoder reader; Chain-of-Note's notes for fine-tuning, without or with the loss",
      )
        .choices(['answers', 'fid', 'chat', 'chat-weighted'] as const)
        .default('answers' as const),
    )
    .option('--out <file>', 'where to (default: standard output)', (file) => resolve(file))
    .addOption(jsonOption('with --out: what was written as JSON'))
    .action((spec, { json: _, ...flags }) =>
      run(async () => {
        const { exportAnswers } = await import('./export-answers.js');
        return exportAnswers(spec, flags, context);
      }),
    );
  program
    .command('show')
    .description('tell the story of a question of a run, each call with its name')
    .argument('<run>')
    .argument('<question>', 'its id in the data set')
    .option(
      '--raw [call]',
      'prompts and replies of its model calls, or of one, such as summarize[2]',
    )
    .addOption(jsonOption())
    .action((name, question, { raw }) =>
      run(async () => {
        const { showQuestion, showRaw } = await import('./show-question.js');
        if (raw === undefined) return showQuestion(name, question, context);
        return showRaw(name, question, raw === true ? undefined : raw, context);
      }),
    );
  program
    .command('compare')
    .description('show runs side by side, and whether they differ')
    .argument('<runs...>')
    .addOption(baselineOption())
    .addOption(jsonOption())
    .action((batches, { json: _, ...flags }) =>
      run(async () => (await reading()).compareRuns(batches, flags, context)),
    );
  program
    .command('report')
    .description('write one HTML file about runs: scores, costs, and the story of each question')
    .argument('<runs...>')
    .addOption(baselineOption())
    .option('--out <file>', 'where to', (file) => resolve(file), resolve('report.html'))
    .addOption(jsonOption('what was written as JSON'))
    .action((batches, { json: _, ...flags }) =>
      run(async () => {
        const { reportRuns } = await import('./report-runs.js');
        return reportRuns(batches, flags, context);
      }),
    );
}

function baselineOption() {
  return new Option(
    '--baseline <run>',
    'one of the runs, which the others are compared with (default: the first)',
  );
}

function addSchedule(program: Command, context: CliContext, run: RunCommand): void {
  const scheduling = () => import('./schedule.js');
  const schedule = program
    .command('schedule')
    .description('evaluations by the clock: each start is a run of its own');
  schedule
    .command('create')
    .description('create a schedule; behind -- stand the flags of eval')
    .showHelpAfterError(
      '(the flags of eval stand behind --: schedule create nightly --cron @daily -- --method base --dataset q.jsonl)',
    )
    .argument('<name>', 'runs are called after it and their time')
    .argument('<flags...>', 'of eval, behind --')
    .requiredOption('--cron <times>', 'such as "0 2 * * *" or @daily')
    .option('--timezone <name>', 'of the IANA database (default: UTC)')
    .addOption(jsonOption())
    .action((name, rest, { cron, timezone }) => {
      const evaluating = new Command('eval').copyInheritedSettings(schedule);
      addFlags(evaluating, scheduleFlags, FURTHER_INPUT).parse(rest, { from: 'user' });
      return run(async () => {
        const typed = await typedInput(evaluating, scheduleFlags);
        return (await scheduling()).createSchedule(name, { cron, timezone }, typed, context);
      });
    });
  schedule
    .command('list')
    .description('list the schedules, their next times and latest runs')
    .addOption(jsonOption())
    .action(() => run(async () => (await scheduling()).listSchedules(context)));
  schedule
    .command('trigger')
    .description('start a run of a schedule now')
    .argument('<name>')
    .addOption(jsonOption())
    .action((name) => run(async () => (await scheduling()).triggerSchedule(name, context)));
  schedule
    .command('delete')
    .description('delete a schedule; its runs stay')
    .argument('<name>')
    .addOption(jsonOption())
    .action((name) => run(async () => (await scheduling()).deleteSchedule(name, context)));
}
