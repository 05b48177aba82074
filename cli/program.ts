/** The commands and their flags. Each is loaded when it is called: the packages of all take seconds. */

import {
  Argument,
  Command,
  type CommanderError,
  type CommandUnknownOpts,
} from '@commander-js/extra-typings';
import { typedWith } from '../core/command.js';
import { Failure } from '../core/failure.js';
import { suggestion } from '../core/options/nearest.js';
import { ENCRYPTION_KEYS } from '../stores/encryption/keyring.js';
import { packageVersion } from '../stores/package-root.js';
import { clusterInput, parseClusterInput } from '../workflows/cluster-job.js';
import { decimal, fromHere, wholeNumber } from './arguments.js';
import { completionScript, SHELLS } from './completion.js';
import type { CliContext, RunCommand } from './context.js';
import { addDeployCommands } from './deploy/commands.js';
import { EXIT, errorJson } from './exit-codes.js';
import { addFlags, namingFlags, typedInput } from './flags.js';
import { arrangeHelp } from './help.js';
import { askFlags, putFlags, trainFlags } from './inputs.js';
import { jsonOption } from './json-option.js';
import { type LogFormat, logFormatOf } from './log-format.js';
import { print, tellJson } from './print.js';
import { addRunCommands } from './run/commands.js';
import { addSettings, typedSettings, withoutTyped } from './setting-flags.js';
import { addStudyCommands } from './study/commands.js';
import { logReporter } from './terminal-reporter.js';

/** Everything that can be typed. */
export function createProgram(context: CliContext, runCommand: RunCommand): Command {
  let typedCommand: CommandUnknownOpts;
  /** `unwatched`: of a command that runs on, how it writes its log where nobody watches. */
  const run = (command: () => number | Promise<number>, unwatched?: LogFormat) =>
    runCommand(async () => {
      await readConfigFile(program.getOptionValue('config'), context);
      Object.assign(context.env, context.typed);
      if (context.config) context.config = withoutTyped(context.config, context.typed ?? {});
      if (unwatched) {
        // What it says is read in other shells, whose environment may name another queue.
        const queue = context.env.DURABLE_RAG_TASK_QUEUE;
        if (queue) program.setOptionValue('taskQueue', queue);
        typedWith(globalFlags(program));
        const format = logFormatOf(unwatched, context);
        context.reporter = logReporter({ json: format === 'json' });
        context.logsJson = format === 'json';
      }
      return Promise.resolve(command()).catch(async (error: unknown) => {
        const { sayingMeant } = await import('./run/meant-name.js');
        throw await sayingMeant(error, typedCommand, context);
      });
    });
  const program = new Command('durable-rag')
    .description('Multi-step question answering as durable Temporal workflows')
    .version(packageVersion())
    .option(
      '--config <file>',
      'options as code (default: durable-rag.config.ts, where there is one)',
    )
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(--help shows what there is)')
    .exitOverride(endOnUsage)
    .hook('preAction', (_, command) => {
      // A command with commands below it takes their --json for its own.
      context.json = command.optsWithGlobals().json === true;
      refuseUnknown(command);
      typedCommand = command;
      typedWith(globalFlags(program));
      context.typed = typedSettings(command);
    });
  addSettings(program, 'DURABLE_RAG_TASK_QUEUE');

  program
    .command('demo')
    .description('set up what is missing and ask one question of the sample corpus')
    .option('--yes', 'fetch what is missing without asking')
    .addOption(jsonOption('the whole result as JSON'))
    .action(({ yes }) => run(async () => (await import('./demo.js')).demo({ yes }, context)));

  program
    .command('doctor')
    .description('say what is there, what is missing or would be fetched, and how to mend it')
    .option('--probe', 'ask the configured endpoint one small call of each kind')
    .action(({ probe }) =>
      run(async () => (await import('./doctor.js')).doctor({ probe }, context)),
    );

  const asking = program
    .command('ask')
    .description('answer a question')
    .argument('<question>')
    .addOption(jsonOption('the whole result as JSON'))
    .action((question, _, command) =>
      run(async () => {
        const typed = await typedInput(command, askFlags);
        return (await import('./ask.js')).ask(question, typed, context);
      }),
    );
  addSettings(asking, 'DURABLE_RAG_SEARCH');
  addFlags(asking, askFlags, 'models by step, passages, limits');

  program
    .command('methods')
    .description('list the methods, or tell all of one: options, steps, cost, reported figures')
    .argument('[method]', 'only this one, and where it is told in full')
    .action((name) => run(async () => (await import('./methods.js')).showMethods(name, context)));

  const indexing = program
    .command('index')
    .description('build an index from a corpus in JSON Lines, plain or gzip')
    .argument('<file>', 'lines of {"id","title","text"} or {"id","contents"}')
    .requiredOption('--into <name>', 'name of the index')
    .option('--embed', 'embed the passages as well, for retrieval.mode dense and hybrid')
    .option('--analyzer <name>', 'of Elasticsearch (default: english)')
    .option('--k1 <n>', 'of BM25 in Elasticsearch (default: 0.9)', decimal)
    .option('--b <n>', 'of BM25 in Elasticsearch (default: 0.4)', decimal)
    .addOption(jsonOption('what the index says of itself as JSON'))
    .action((file, { json: _, ...options }) =>
      run(async () => {
        const { indexCorpus } = await import('./index-corpus.js');
        return indexCorpus(file, options, context);
      }),
    );
  addSettings(indexing, 'DURABLE_RAG_SEARCH');

  const listing = program
    .command('corpora')
    .description('list the corpora: engine, size, analyzer, embedding model')
    .addOption(jsonOption('the whole record of each as JSON'))
    .action(() => run(async () => (await import('./corpora.js')).listCorpora(context)));
  addSettings(listing, 'DURABLE_RAG_SEARCH');

  const datasets = program
    .command('datasets')
    .description('list the data sets in the store; put or remove one')
    .enablePositionalOptions()
    .allowExcessArguments()
    .addOption(jsonOption())
    .action(() => run(async () => (await import('./datasets.js')).listDatasets(context)));
  const put = datasets
    .command('put')
    .description('read a file of questions, check it and store it')
    .argument('<file>', 'questions, in any form that eval reads', fromHere)
    .option('--name <name>', 'leads to what was put under it last, as in --dataset stored:NAME')
    .option('--no-require-answers', 'also questions without an answer to compare with')
    .action((file, { name, requireAnswers }, command) =>
      run(async () => {
        const { putDataset } = await import('./datasets.js');
        const { fields } = await typedInput(command, putFlags);
        return putDataset(file, { ...fields, name, requireAnswers }, context);
      }),
    );
  addFlags(put, putFlags);
  datasets
    .command('remove')
    .description('forget a name; its questions stay until: store prune')
    .argument('<name>')
    .action((name) =>
      run(async () => (await import('./datasets.js')).removeDataset(name, context)),
    );

  const store = program
    .command('store')
    .description('what is kept in the store: entries, sizes and ages')
    .allowExcessArguments()
    .addOption(jsonOption())
    .action(() => run(async () => (await import('./store.js')).showStore(context)));
  store
    .command('prune')
    .description('delete what is older: responses, vectors, relevance, and data sets nobody uses')
    .requiredOption('--older-than <age>', 'since it was last written, such as 30d, 12h or 2w')
    .option('--dry-run', 'only count')
    .addOption(jsonOption())
    .action(({ json: _, ...options }) =>
      run(async () => (await import('./store.js')).pruneStore(options, context)),
    );

  program
    .command('codec-server')
    .description('decrypt payloads for the Temporal UI of this machine')
    .option('--port <n>', 'on 127.0.0.1 (default: 8234)', wholeNumber)
    .option('--origin <url>', 'of the UI (default: that of the local stack, or DURABLE_RAG_UI_URL)')
    .addOption(jsonOption('a JSON object a log line'))
    .action(({ json: _, ...options }) =>
      run(async () => (await import('./codec-server.js')).codecServer(options, context), 'text'),
    );

  addRunCommands(program, context, run);
  addStudyCommands(program, context, run);
  addDeployCommands(program, context, run);

  const training = program
    .command('train-data')
    .description("make Chain-of-Note's training data from a file of questions")
    .requiredOption('--out <folder>', 'folder for everything written', fromHere)
    .addOption(jsonOption('errors as JSON; what it made is JSON anyway'))
    .action(({ out }, command) =>
      run(async () => {
        const { trainData } = await import('./run/train-data.js');
        return trainData(out, await typedInput(command, trainFlags), context);
      }),
    );
  addFlags(training, trainFlags);

  const clustering = program
    .command('clusters')
    .description("make a demonstration set for GenRead's clustering-based prompts")
    .addOption(jsonOption('errors as JSON; what it made is JSON anyway'))
    .action((_, command) =>
      run(async () => {
        const typed = await typedInput(command, clusterInput);
        const job = namingFlags(typed, () => parseClusterInput(typed.fields));
        const { runJob } = await import('./run-job.js');
        const { withStoredDataset } = await import('./stored-dataset.js');
        const asked = { ...job, requireAnswers: false };
        const { requireAnswers: _, ...stored } = await withStoredDataset(asked, context);
        return runJob((client) => client.startClusters(stored), context);
      }),
    );
  addFlags(clustering, clusterInput);

  const developing = program
    .command('dev')
    .description('run Temporal, a model and a worker on this machine until Ctrl-C')
    .option('--yes', 'fetch what is missing without asking')
    .addOption(jsonOption('a JSON object a log line'))
    .action(({ yes }) => run(async () => (await import('./dev.js')).dev({ yes }, context), 'text'));
  addSettings(developing, 'DURABLE_RAG_SEARCH', 'DURABLE_RAG_LOG_FORMAT');

  const working = program
    .command('worker')
    .description('run a worker for the configured Temporal and model until Ctrl-C')
    .addOption(jsonOption('a JSON object a log line'))
    // A worker's log is for programs.
    .action(() => run(async () => (await import('./worker.js')).worker(context), 'json'));
  addSettings(
    working,
    ...(['DURABLE_RAG_ONLY', 'DURABLE_RAG_CONCURRENCY', 'DURABLE_RAG_VERSIONED'] as const),
    ...(['DURABLE_RAG_SEARCH', 'DURABLE_RAG_HTTP', 'DURABLE_RAG_LOG_FORMAT'] as const),
  );

  program
    .command('completion')
    .description('print what a shell needs to complete commands, flags and their values')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .addHelpText('after', `\nTurn it on:\n${TURN_ON}`)
    .addOption(jsonOption('errors as JSON'))
    .action((shell) => print(completionScript(program, shell)));
  addJson(program);
  arrangeHelp(program);
  return program;
}

const TURN_ON = `  bash  echo 'source <(durable-rag completion bash)' >> ~/.bashrc
  zsh   echo 'source <(durable-rag completion zsh)' >> ~/.zshrc, below compinit
  fish  durable-rag completion fish > ~/.config/fish/completions/durable-rag.fish`;

/** Gives `--json` to every command that does not say by itself what it prints so. */
function addJson(command: CommandUnknownOpts): void {
  command.commands.forEach(addJson);
  if (command.commands.length > 0 || command.options.some(({ long }) => long === '--json')) return;
  command.addOption(jsonOption());
}

/** A command with commands below it that does something by itself takes no other word. */
function refuseUnknown(command: CommandUnknownOpts): void {
  const [word] = command.args;
  if (command.commands.length === 0 || word === undefined) return;
  const known = command.commands.map((one) => one.name());
  command.error(`error: unknown command '${word}'${suggestion(word, known)}`);
}

/** The flags of every command that were typed. */
function globalFlags(program: CommandUnknownOpts): string[] {
  return program.options.flatMap((option) => {
    const value: unknown = program.getOptionValue(option.attributeName());
    return option.long && typeof value === 'string' ? [option.long, value] : [];
  });
}

/** What was typed is not a command: the words for it are written by then. */
function endOnUsage({ message, exitCode }: CommanderError): never {
  if (exitCode === 0) process.exit(0);
  if (process.argv.includes('--json')) {
    // Commander begins its messages so.
    tellJson(errorJson(new Failure('BadInput', message.replace(/^error: /, ''))));
  }
  process.exit(EXIT.usage);
}

/** What it says of the environment goes before what the environment says. */
async function readConfigFile(named: unknown, context: CliContext): Promise<void> {
  const { loadConfig } = await import('./config-file.js');
  const config = await loadConfig(typeof named === 'string' ? named : undefined);
  context.config = config;
  const { encryptionKeys } = config ?? {};
  Object.assign(context.env, config?.env, encryptionKeys && { [ENCRYPTION_KEYS]: encryptionKeys });
}
