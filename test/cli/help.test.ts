/** The help names everything once, in its group; its examples can be typed. */
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { expect, it } from 'vitest';
import { COMMANDS } from '../../cli/commands/index.js';
import { completionScript } from '../../cli/completion.js';
import { EXAMPLES } from '../../cli/program.js';
import { packageVersion } from '../../stores/package-root.js';
import { quietProgram as program } from '../support/cli-context.js';
import { temporaryFolder } from '../support/folder.js';

/** What a command's help says. */
function helpOf(command: CommandUnknownOpts): string {
  let said = '';
  command.configureOutput({
    writeOut: (text) => {
      said += text;
    },
  });
  command.outputHelp();
  return said;
}

const below = (command: CommandUnknownOpts, path: string) =>
  path
    .split(' ')
    .reduce((at, name) => at.commands.find((one) => one.name() === name) ?? at, command);

it('has every command in one group, in the order of the groups', () => {
  const { commands } = program();
  const names = new Set(
    Object.values(COMMANDS).flatMap((all) => all.map(({ name }) => name.split(' ')[0])),
  );
  expect(commands.map((one) => one.name())).toEqual([...names, 'help']);
  const help = helpOf(program());
  expect(headingsOf(help)).toEqual([
    'Options:',
    'Evaluate:',
    'While a run is under way:',
    'Stored runs:',
    'Start:',
    'Examples:',
    'More:',
  ]);
});

const headingsOf = (help: string) => help.match(/^[A-Z][a-z A-Z]+:$/gm);

/** Returns what the command `help` writes about these words. */
async function pageOf(...words: string[]): Promise<string> {
  let said = '';
  const all = program();
  const writing = {
    writeOut(text: string) {
      said += text;
    },
  };
  const within = (command: CommandUnknownOpts): void => {
    command.configureOutput(writing);
    command.commands.forEach(within);
  };
  within(all);
  await all.parseAsync(['help', ...words], { from: 'user' });
  return said;
}

it.each([
  ['data', 'Data'],
  ['operate', 'Operate'],
])('has the page "help %s" with its commands alone', async (word, heading) => {
  const said = await pageOf(word);
  expect(headingsOf(said)).toEqual(['Options:', `${heading}:`]);
  const commands = COMMANDS[heading]?.filter(({ name }) => !name.includes(' ')) ?? [];
  expect(commands.length).toBeGreaterThan(3);
  for (const { name } of commands) expect(said).toMatch(new RegExp(`^  ${name}\\b`, 'm'));
  expect(headingsOf(await pageOf())).not.toContain(`${heading}:`);
});

it('shows the help of any command, the exit codes, and what was meant', async () => {
  expect(await pageOf('runs', 'delete')).toMatch(/^Usage: durable-rag runs delete/);
  expect(await pageOf('exit-codes')).toMatch(/^Exit codes:\n +0 {2}success\n/);
});

it('says its version', () => {
  expect(program().version()).toBe(packageVersion());
});

const declared = [{ name: '', examples: EXAMPLES }, ...Object.values(COMMANDS).flat()];
const examples = declared.flatMap(({ name, examples = [] }) =>
  examples.map((line) => ({ path: name, line })),
);

it.each(examples)('shows an example that can be typed: $line', async ({ path, line }) => {
  const help = helpOf(path === '' ? program() : below(program(), path));
  expect(help).toContain(`  ${line}\n`);
  const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, bare]) => quoted ?? bare ?? '',
  );
  await program().parseAsync(words.slice(1), { from: 'user' });
});

/** What bash offers behind these words; the last is the one that is begun. */
async function offered(line: string): Promise<string[]> {
  const file = join(await temporaryFolder(), 'completion.bash');
  const words = line.split(' ').map((word) => `'${word}'`);
  const last = words.length - 1;
  await writeFile(
    file,
    `${completionScript(program(), 'bash')}\nCOMP_WORDS=(${words.join(' ')}) COMP_CWORD=${last}\n_durable_rag\nprintf '%s\\n' "\${COMPREPLY[@]}"`,
  );
  return execFileSync('bash', [file], { encoding: 'utf8' }).trim().split('\n').filter(Boolean);
}

it.each([
  ['durable-rag ev', ['eval']],
  ['durable-rag runs ', expect.arrayContaining(['delete', 'export', 'import', '--json'])],
  ['durable-rag runs de', ['delete']],
  ['durable-rag eval --meth', ['--method']],
  ['durable-rag eval --kind l', ['label', 'list', 'long']],
  ['durable-rag eval --dataset ', []],
  ['durable-rag eval --json --tier ', ['standard', 'flex']],
  ['durable-rag --config x study ta', ['table']],
  ['durable-rag completion ', expect.arrayContaining(['bash', 'zsh', 'fish'])],
  ['durable-rag eval --task', ['--task-queue']],
])('completes "%s" in bash', async (line, words) => {
  expect(await offered(line)).toEqual(words);
});

it('declares the same to fish and zsh', () => {
  const fish = completionScript(program(), 'fish').split('\n');
  const at =
    "'__fish_seen_subcommand_from runs; and not __fish_seen_subcommand_from delete export import verify'";
  expect(fish.find((line) => line.includes('from runs;') && line.includes('-a delete '))).toMatch(
    new RegExp(`^complete -c durable-rag -n ${at} -f -a delete -d '`),
  );
  expect(fish.find((line) => line.includes('-l kind '))).toContain(
    " -l kind -x -a 'span boolean label list long' -d '",
  );
  expect(completionScript(program(), 'zsh')).toMatch(
    /^autoload -U \+X bashcompinit && bashcompinit\n/,
  );
});
