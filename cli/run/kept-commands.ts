/** The command line's words for what is kept of runs: listing, keeping, reading, comparing. */
import { resolve } from 'node:path';
import { type Command, Option } from '@commander-js/extra-typings';
import { decimal, fromHere, wholeNumber } from '../arguments.js';
import type { CliContext, RunCommand } from '../context.js';
import { jsonOption } from '../json-option.js';
import { addSettings } from '../setting-flags.js';

const control = () => import('./control.js');
const reading = () => import('./read-runs.js');

export function addKeptCommands(program: Command, context: CliContext, run: RunCommand): void {
  addRuns(program, context, run);
  addReading(program, context, run);
}

/** The list of runs, and what is done with what is kept of one. */
function addRuns(program: Command, context: CliContext, run: RunCommand): void {
  const keeping = () => import('./keep-runs.js');
  const runs = program
    .command('runs')
    .description('list the runs; delete, export or import one')
    .enablePositionalOptions()
    .allowExcessArguments()
    .addOption(jsonOption())
    .action(() => run(async () => (await control()).listRuns(context)));
  runs
    .command('delete')
    .description('delete what is kept of a run that is not under way, and its histories')
    .argument('<run>')
    .option('--yes', 'do not ask')
    .option('--force', 'also where no Temporal server can tell whether it is under way')
    .action((name, { yes, force }) =>
      run(async () => (await keeping()).deleteRun(name, { yes, force }, context)),
    );
  runs
    .command('export')
    .description('write a run into one file (.tar.gz), with the texts of its passages')
    .argument('<run>')
    .argument('<file>', 'where to', fromHere)
    .action((name, file) => run(async () => (await keeping()).exportRun(name, file, context)));
  runs
    .command('import')
    .description('take a run out of such a file, to report on or compare')
    .argument('<file>', 'written by: durable-rag runs export', fromHere)
    .option('--name <run>', 'what it is called here')
    .action((file, { name }) =>
      run(async () => (await keeping()).importRun(file, { name }, context)),
    );
}

function addReading(program: Command, context: CliContext, run: RunCommand): void {
  const explaining = program
    .command('explain')
    .description('tell which steps are to blame for the wrong answers of a run, without a call')
    .argument('<run>')
    .option(
      '--stronger <model>',
      'fork each step with this model, and tell how many wrong answers become right',
    )
    .option('--sample <n>', 'of the forks: draw so many questions, the same for all', wholeNumber)
    .option(
      '--budget-usd <amount>',
      'what each fork may take; without --stronger, forks with perfect steps tell what needs calls',
      decimal,
    )
    .option('--dry-run', 'say what the forks would take, and start none')
    .addOption(jsonOption())
    .action((name, { json: _, ...flags }) =>
      run(async () => (await import('./explain.js')).explainKept(name, flags, context)),
    );
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
    .option('--out <file>', 'where to (default: standard output)', fromHere)
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
    .addOption(
      new Option(
        '--serve',
        'serve a page on this machine that follows the runs, shows prompts and replies, and takes marks',
      ).conflicts(['out', 'json']),
    )
    .option('--port <n>', 'with --serve: on 127.0.0.1 (default: any)', wholeNumber)
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
