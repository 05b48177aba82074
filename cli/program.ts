/** Builds the command line from the declared commands, with its pages of help. */
import { Argument, Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { setGlobalFlags } from '../core/command.js';
import { suggestion } from '../core/options/nearest.js';
import { refuseVariables, unknownVariables } from '../core/settings.js';
import { ENCRYPTION_KEYS } from '../stores/encryption/keyring.js';
import { packageVersion } from '../stores/package-root.js';
import { COMMANDS } from './commands/index.js';
import type { CliContext, RunCommand } from './context.js';
import {
  addCommand,
  addExamples,
  errorNamingArguments,
  isRunnable,
  type RunnableCommand,
  readArguments,
  typedRunNames,
} from './define-command.js';
import { exitCodeTable } from './exit-codes.js';
import { checkedForSecrets, nothingTyped, typedInput } from './flags.js';
import { printOutput } from './print-output.js';
import { addSettings, typedSettings, withoutTypedSettings } from './setting-flags.js';
import { logFormatOf, logReporter } from './terminal-reporter.js';

/** Command lines that the program's help shows as examples. */
export const EXAMPLES = [
  'durable-rag demo',
  'durable-rag ask "Who invented the telephone?" --method base',
  'durable-rag eval --method sure --dataset questions.jsonl --sample 100 --dry-run',
  'durable-rag report sure-questions --out report.html',
];

/**
 * Returns the whole command line as a Commander program; parsing arguments runs the command.
 *
 * @param runCommand Runs a command's action, and prints its errors.
 */
export function createProgram(context: CliContext, runCommand: RunCommand): Command {
  const program = new Command('durable-rag')
    .description('Multi-step question answering as durable Temporal workflows')
    .version(packageVersion())
    .option('--config <file>', 'options as code (default: durable-rag.config.ts, if there is one)')
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(use --help for the usage)')
    .exitOverride()
    .hook('preAction', (_, command) => {
      // Commander gives the --json of a subcommand to its parent.
      context.json = command.optsWithGlobals().json === true;
      refuseUnknown(command);
      setGlobalFlags(globalFlags(program));
      context.typed = typedSettings(command);
    });
  addSettings(program, 'DURABLE_RAG_TASK_QUEUE');
  for (const [group, declared] of Object.entries(COMMANDS)) {
    for (const one of declared) {
      const command = addCommand(program, one, group);
      if (isRunnable(one)) {
        command.action(() => runCommand(() => runDeclared(one, command, program, context)));
      }
    }
  }
  addExamples(program, EXAMPLES);
  addHelpPages(program);
  return program;
}

/** Headings with a help page of their own, by the word after `help`, each with its subject. */
const PAGES = {
  data: { heading: 'Data', about: 'corpora, data sets and the store' },
  operate: { heading: 'Operate', about: 'workers, limits, versions' },
} as const;

type Page = keyof typeof PAGES;
const EXIT_CODES = 'exit-codes';

/**
 * Adds the command `help` to a program, and moves the commands under some headings from the
 * program's help to pages of their own, such as `help data`.
 */
function addHelpPages(program: CommandUnknownOpts): void {
  let shown: string | undefined;
  const ofItsOwn = new Set<string>(Object.values(PAGES).map(({ heading }) => `${heading}:`));
  program.helpCommand(false).configureHelp({
    ...program.configureHelp(),
    visibleCommands: ({ commands, parent }) =>
      commands.filter((one) => {
        const heading = one.helpGroup();
        if (parent) return true;
        return shown === undefined ? !ofItsOwn.has(heading) : heading === `${shown}:`;
      }),
  });
  const more = [
    ...Object.entries(PAGES).map(([name, { about }]) => ({ name, about: about as string })),
    { name: EXIT_CODES, about: 'the exit codes of all commands' },
  ];
  const lines = more.map(({ name, about }) => `  durable-rag help ${name.padEnd(12)} ${about}`);
  program.addHelpText('after', ['', 'More:', ...lines].join('\n'));

  const help = new Command('help')
    .description(
      `show the help of a command, or one of these pages: ${more.map(({ name }) => name).join(', ')}`,
    )
    .addArgument(new Argument('[words...]', 'a command, or a page'))
    .action((words) => {
      const [word = ''] = words;
      if (word === EXIT_CODES) return program.configureOutput().writeOut?.(`${exitCodeTable()}\n`);
      if (!isPage(word)) return commandOf(program, words).outputHelp();
      shown = PAGES[word].heading;
      program.configureOutput().writeOut?.(program.helpInformation());
      shown = undefined;
    });
  program.addCommand(help.helpGroup('Start:'));
}

function isPage(word: string): word is Page {
  return Object.hasOwn(PAGES, word);
}

/** Returns the command with these words. An unknown one ends the program with a suggestion. */
function commandOf(program: CommandUnknownOpts, words: readonly string[]): CommandUnknownOpts {
  return words.reduce((above, word) => {
    const below = above.commands.find((one) => one.name() === word);
    if (below) return below;
    const known = above.commands.map((one) => one.name());
    return above.error(`error: unknown command '${word}'${suggestion(word, known)}`);
  }, program);
}

/** Runs a declared command with its typed arguments, and returns its exit code. */
async function runDeclared(
  { name, takes, input, log, tellsUnknown, run }: RunnableCommand,
  command: CommandUnknownOpts,
  program: CommandUnknownOpts,
  context: CliContext,
): Promise<number> {
  await readConfigFile(program.getOptionValue('config'), context);
  Object.assign(context.env, context.typed);
  if (!tellsUnknown) refuseVariables(unknownVariables(context.env));
  if (context.config) context.config = withoutTypedSettings(context.config, context.typed ?? {});
  if (log) {
    // The output is used in other shells, whose environment may name another queue.
    const queue = context.env.DURABLE_RAG_TASK_QUEUE;
    if (queue) program.setOptionValue('taskQueue', queue);
    setGlobalFlags(globalFlags(program));
    const format = logFormatOf(log, context);
    context.reporter = logReporter({ json: format === 'json' });
    context.logsJson = format === 'json';
  }
  const given = readArguments(takes, command);
  try {
    const ended = await run(given, context, {
      command,
      program,
      input: async (below) =>
        input
          ? checkedForSecrets(await typedInput(command, input, below), context.env)
          : nothingTyped,
    });
    return typeof ended === 'number' ? ended : printOutput(context, ended);
  } catch (refused) {
    const error = errorNamingArguments(takes, refused);
    const named = typedRunNames(takes, given);
    if (named.length === 0) throw error;
    const { withSuggestion } = await import('./run/meant-name.js');
    const all = Object.values(COMMANDS).flat();
    const ofStudies = all.find((one) => one.name === `study ${name}`)?.name;
    throw await withSuggestion(error, named, context, ofStudies);
  }
}

/**
 * Ends the command with an error if an unknown word follows a command that has both subcommands and
 * an action.
 */
function refuseUnknown(command: CommandUnknownOpts): void {
  const [word] = command.args;
  if (command.commands.length === 0 || word === undefined) return;
  const known = command.commands.map((one) => one.name());
  command.error(`error: unknown command '${word}'${suggestion(word, known)}`);
}

/** Returns the typed flags of the program itself, which apply to every command, as words. */
function globalFlags(program: CommandUnknownOpts): string[] {
  return program.options.flatMap((option) => {
    const value: unknown = program.getOptionValue(option.attributeName());
    return option.long && typeof value === 'string' ? [option.long, value] : [];
  });
}

/**
 * Reads the config file into the context. The file's `env` section overrides the process's
 * environment.
 */
async function readConfigFile(named: unknown, context: CliContext): Promise<void> {
  const { loadConfig } = await import('./config-file.js');
  const config = await loadConfig(typeof named === 'string' ? named : undefined);
  context.config = config;
  const { encryptionKeys } = config ?? {};
  Object.assign(context.env, config?.env, encryptionKeys && { [ENCRYPTION_KEYS]: encryptionKeys });
}
