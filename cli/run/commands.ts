/** The command line's words for asking and steering runs; what they do is loaded when it is called. */
import { Command, Option } from '@commander-js/extra-typings';
import { Failure } from '../../core/failure.js';
import { parseRunInput } from '../../workflows/methods.js';
import { fromHere } from '../arguments.js';
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
import { addKeptCommands } from './kept-commands.js';
import { collectLeast } from './least-scores.js';

const control = () => import('./control.js');
const planning = () => import('./dry-run.js');
const running = () => import('./ask-runs.js');

/** What the file of `--input` can hold beside the flags. */
const FURTHER_INPUT = 'models by step, limits';

export function addRunCommands(program: Command, context: CliContext, run: RunCommand): void {
  addEval(program, context, run);
  addFork(program, context, run);
  addSteering(program, context, run);
  addKeptCommands(program, context, run);
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
    .addOption(
      new Option('--fail-below <least>', 'metric and least mean, as em=0.40; may be repeated')
        .argParser(collectLeast)
        .conflicts(['dryRun', 'detach']),
    )
    .option('--junit <file>', 'with --fail-below: what came of it, as JUnit XML', fromHere)
    .option('--markdown <file>', 'with --fail-below: the same as Markdown', fromHere)
    .action(({ dryRun, detach, failBelow, junit, markdown }, command) =>
      run(async () => {
        if (!failBelow && (junit ?? markdown) !== undefined) {
          throw new Failure('BadInput', '--junit, --markdown: need --fail-below em=0.40');
        }
        const gates = failBelow && { least: failBelow, junit, markdown };
        const { evalInputs, withStored } = await import('./eval-input.js');
        const runs = evalInputs(await typedInput(command, evalFlags), {
          methods: methodsOf(context),
          metrics: metricsOf(context),
        });
        if (dryRun) return (await planning()).printDryRun(runs, context);
        if (process.stderr.isTTY) await (await planning()).tellDryRun(runs, context);
        const stored = await withStored(runs, context);
        return (await running()).askRuns(stored, { detach, gates }, context);
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
      .action((spec) => run(async () => (await load())(spec, context)));

  simple('status', 'say where a run stands', async () => (await control()).showStatus);
  simple('attach', 'follow a run until its end', async () => (await running()).attach);
  simple('pause', 'begin no more questions of a run', async () => (await control()).pauseRun);
  simple('resume', 'go on with a run that is paused', async () => (await control()).resumeRun);
  simple('cancel', 'stop a run; what has ended is kept', async () => (await control()).cancelRun);
  const setting = program
    .command('set')
    .description('change the limits of a run while it is under way')
    .argument('<run>')
    .action((spec, _, command) =>
      run(async () => (await control()).setRun(spec, await typedInput(command, setFlags), context)),
    );
  addFlags(setting, setFlags);

  const limiting = program
    .command('limits')
    .description('show what the model calls of the task queue are held to, or set it')
    .action((_, command) =>
      run(async () =>
        (await import('./limits.js')).queueLimits(await typedInput(command, limitFlags), context),
      ),
    );
  addFlags(limiting, limitFlags);
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
    .action(() => run(async () => (await scheduling()).listSchedules(context)));
  schedule
    .command('trigger')
    .description('start a run of a schedule now')
    .argument('<name>')
    .action((name) => run(async () => (await scheduling()).triggerSchedule(name, context)));
  schedule
    .command('delete')
    .description('delete a schedule; its runs stay')
    .argument('<name>')
    .action((name) => run(async () => (await scheduling()).deleteSchedule(name, context)));
}
