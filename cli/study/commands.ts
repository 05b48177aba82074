/** The command line's words for studies; what they do is loaded when it is called. */
import { type Command, Option } from '@commander-js/extra-typings';
import { TABLE_FORMATS } from '../../evaluation/study/render-table.js';
import { decimal, fromHere, wholeNumber } from '../arguments.js';
import type { CliContext, RunCommand } from '../context.js';
import { addFlags, typedInput } from '../flags.js';
import { checkFlags, decidingFlags, raceFlags } from '../inputs.js';
import { jsonOption } from '../json-option.js';
import { addSettings } from '../setting-flags.js';

const running = () => import('./run-study.js');
const reading = () => import('./read-study.js');
const keeping = () => import('./keep-study.js');

export function addStudyCommands(program: Command, context: CliContext, run: RunCommand): void {
  const racing = program
    .command('race')
    .description('ask two methods the same questions until it is decided which is better')
    .argument('<first>', "a method, or one with options: '{ sure: { candidates: 3 } }'")
    .argument('<second>', 'what it is compared with')
    .option('--repeats <n>', 'how often each question is asked', wholeNumber)
    .option('--dry-run', 'say what it would take, and start nothing')
    .action((first, second, { repeats, dryRun }, command) =>
      run(async () => {
        const typed = await typedInput(command, raceFlags);
        const { raceOf } = await import('./race.js');
        const race = raceOf([first, second], typed, repeats, context);
        if (dryRun) return (await import('./dry-run-study.js')).dryRunStudy(race, context);
        return (await running()).runStudy(race, {}, context);
      }),
    );
  addSettings(racing, 'DURABLE_RAG_SEARCH');
  addFlags(racing, raceFlags);

  const study = program
    .command('study')
    .description('methods by data sets by models by repeats, as one thing');
  const asking = study
    .command('run')
    .description('ask what a study file says; what has an answer is not asked again')
    .argument('<file>', 'YAML or JSON', fromHere)
    .option('--until-decided', 'stop where the comparisons with the baseline are decided')
    .option('--dry-run', 'say what it would take, and start nothing')
    .addOption(
      new Option('--detach', 'start it and leave; needs a worker that is running').conflicts(
        'dryRun',
      ),
    )
    .action((file, { dryRun, detach, untilDecided }, command) =>
      run(async () => {
        const typed = await typedInput(command, decidingFlags);
        const { readStudyFile, untilDecidedOf } = await import('./study-file.js');
        const rule = untilDecidedOf(typed, untilDecided);
        const read = await readStudyFile(file, context, rule);
        if (dryRun) return (await import('./dry-run-study.js')).dryRunStudy(read, context);
        return (await running()).runStudy(read, { detach }, context);
      }),
    );
  addSettings(asking, 'DURABLE_RAG_SEARCH');
  addFlags(asking, decidingFlags);

  const checking = study
    .command('check')
    .description('ask a cell until it is shown to be too much worse than a kept run, or not to be')
    .argument('<file>', 'YAML or JSON', fromHere)
    .requiredOption('--cell <name>', 'METHOD, METHOD.DATASET or METHOD.DATASET.MODEL')
    .requiredOption('--against <run>', 'a kept run of the same questions')
    .option('--junit <file>', 'what came of it, as JUnit XML', fromHere)
    .option('--markdown <file>', 'the same as Markdown', fromHere)
    .action((file, check, command) =>
      run(async () => {
        const typed = await typedInput(command, checkFlags);
        const read = await (await import('./study-file.js')).readStudyFile(file, context);
        return (await import('./check-study.js')).checkStudy(read, check, typed, context);
      }),
    );
  addFlags(checking, checkFlags);

  const simple = (
    name: string,
    description: string,
    load: () => Promise<(study: string, context: CliContext) => Promise<number>>,
  ) =>
    study
      .command(name)
      .description(description)
      .argument('<study>')
      .action((named) => run(async () => (await load())(named, context)));
  simple('status', 'say where a study stands', async () => (await running()).studyStatus);
  simple('attach', 'follow a study until its end', async () => (await running()).attachStudy);
  simple('retry', 'ask what has failed in it once more', async () => (await running()).retryStudy);
  simple('pause', 'begin no more questions of it', async () => (await running()).pauseStudy);
  simple('resume', 'go on with a study that is paused', async () => (await running()).resumeStudy);
  simple('cancel', 'stop it; what has ended is kept', async () => (await running()).cancelStudy);
  study
    .command('set')
    .description('change the budget of a study while it is under way')
    .argument('<study>')
    .requiredOption('--budget-usd <x>', 'US dollars for all runs together', decimal)
    .action((named, { budgetUsd }) =>
      run(async () => (await running()).setStudy(named, { budgetUsd }, context)),
    );
  study
    .command('export')
    .description('write all its runs, with the texts of their passages, for another machine')
    .argument('<study>')
    .argument('<folder>', 'takes a file a run', fromHere)
    .action((named, folder) =>
      run(async () => (await keeping()).exportStudy(named, folder, context)),
    );
  study
    .command('delete')
    .description('delete all its runs and their histories')
    .argument('<study>')
    .option('--yes', 'do not ask')
    .option('--force', 'also where no Temporal server can tell whether it is under way')
    .action((named, { yes, force }) =>
      run(async () => (await keeping()).deleteStudy(named, { yes, force }, context)),
    );
  study
    .command('list')
    .description('list the studies that have runs, and how many')
    .action(() => run(async () => (await reading()).listStudies(context)));
  study
    .command('table')
    .description('the table of a study: methods and models by data sets')
    .argument('<study>')
    .addOption(new Option('--format <name>', 'of the table').choices(TABLE_FORMATS).default('text'))
    .addOption(
      new Option('--of <what>', 'score, cost, calls, time, or a metric by name').default('score'),
    )
    .option('--long', 'a line an answer as CSV, for a data frame')
    .addOption(jsonOption('as --format json, errors too'))
    .action((named, { format, of, long }) =>
      run(async () => (await reading()).studyTableOf(named, { format, of, long }, context)),
    );
}
