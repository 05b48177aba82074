/** Prints the help. The program's page lists the main commands; other pages list the rest by heading. */
import { Argument, Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { suggestion } from '../core/options/nearest.js';
import { exitCodeTable } from './exit-codes.js';

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
export function addHelpPages(program: CommandUnknownOpts): void {
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
