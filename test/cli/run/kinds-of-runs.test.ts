/** Every command that takes a run, over every kind of run: a fork, an import and a cell are runs. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { COMMANDS } from '../../../cli/commands/index.js';
import { isRunnable, type RunnableCommand } from '../../../cli/define-command.js';
import { type CommandLine, commandLine } from '../../support/command-line.js';
import { type ModelServer, startModelServer } from '../../support/model-server.js';
import { promptOf, telephoneReply } from '../../support/telephone.js';

/** Kinds of runs, and the plain run that every command treats in the same way. */
const KINDS = {
  'a fork': 'run',
  'a fork of a fork': 'run',
  'a fork whose parent is deleted': 'run',
  'a fork with other options': 'run',
  'a cell of a study': 'run',
  'a fork of a cell': 'run',
  'an imported fork': 'imported',
  'an imported fork that was retried': 'retried',
  'imported predictions': 'predictions',
} as const;

type Kind = keyof typeof KINDS;

/**
 * The commands whose first argument is a run or several, but for `advise`: it refuses runs of so few
 * questions.
 */
const ofRuns = Object.values(COMMANDS)
  .flat()
  .filter(isRunnable)
  .filter(({ takes }) => ['run', 'runs'].includes(Object.keys(takes.shape)[0] ?? ''))
  .filter(({ name }) => name !== 'advise');

/** What stands for each argument behind the run. A new one is to be added here. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  question: 'told',
  file: 'out.tar.gz',
};

/** Flags that a command needs, or that keep it from writing into the folder of the tests. */
const FLAGS: Readonly<Record<string, readonly string[]>> = {
  set: ['--concurrency', '3'],
  report: ['--out', 'report.html'],
  fork: ['--at', 'validate', '--model', 'fourth', '--dry-run'],
  forget: ['--yes'],
  'runs delete': ['--yes'],
};

/** Those that end or delete what the others look at stand last. */
const LAST = ['cancel', 'runs delete'];

type Plain = (typeof KINDS)[Kind];

/** What asks the questions of a run again: of answers that were made elsewhere none can be. */
const ASKING = ['plan', 'fork', 'retry', 'forget'];
interface Place {
  cli: CommandLine;
  run: string;
}

let server: ModelServer;
let places: Record<Kind | Plain, Place>;
const model = { hangs: false };

beforeAll(async () => {
  server = await startModelServer({
    reply: (request) => {
      const prompt = promptOf(request);
      if (!prompt.includes('Who broke it?')) return { text: telephoneReply(prompt).text };
      return model.hangs ? 'hang' : { status: 400, body: { error: { message: 'no' } } };
    },
  });
  const [here, there] = [await commandLine(server.baseUrl), await commandLine(server.baseUrl)];
  await Promise.all([here.worker(), there.worker()]);
  const passages = ['Bell called.', 'Gray did.'];
  const dataset = await here.write(
    'q.jsonl',
    { id: 'told', question: 'Who called?', answers: ['Bell'], passages },
    { id: 'broken', question: 'Who broke it?', answers: ['Bell'], passages },
  );
  /** One question of each run fails. */
  const done = async (cli: CommandLine, ...words: string[]) => {
    const { code, stderr } = await cli.run(words);
    expect([0, 3], stderr).toContain(code);
  };
  const fork = (of: string, name: string, ...change: string[]) =>
    done(here, 'fork', of, '--name', name, ...change);
  const moved = async (of: string, name: string) => {
    const file = join(here.home, `${name}.tar.gz`);
    await done(here, 'runs', 'export', of, file);
    await done(there, 'runs', 'import', file, '--name', name);
  };
  for (const run of ['plain', 'parent']) {
    const about = ['--dataset', dataset, '--model', 'small', '--name', run];
    await done(here, 'eval', '--method', 'sure', ...about);
  }
  const study = join(here.home, 'study.yaml');
  const what = ['name: table', 'methods: [sure]', 'datasets: [q.jsonl]', 'models: [small]'];
  await writeFile(study, `${what.join('\n')}\n`);
  await done(here, 'study', 'run', study);
  const listed: { run: string }[] = await here.json(['runs']);
  const [cell = ''] = listed.map(({ run }) => run).filter((run) => run.startsWith('table'));
  const winner = ['--at', 'rankPair', '--model', 'other'];
  await fork('plain', 'fork', ...winner);
  await fork('fork', 'fork-of-fork', '--at', 'validate', '--model', 'other');
  await fork('parent', 'orphan', ...winner);
  await done(here, 'runs', 'delete', 'parent', '--yes');
  await fork('plain', 'options', '--option', 'candidates=3');
  await fork(cell, 'fork-of-cell', ...winner);
  for (const [of, name] of [
    ['plain', 'imported'],
    ['plain', 'retried'],
    ['fork', 'imported-fork'],
    ['orphan', 'retried-fork'],
  ] as const) {
    await moved(of, name);
    if (name.startsWith('retried')) await done(there, 'retry', name);
  }
  const predicted = [
    { id: 'told', prediction: 'Bell' },
    { id: 'broken', prediction: 'Gray' },
  ];
  const theirs = await here.write('answers.jsonl', ...predicted);
  const fields = 'id=id,prediction=prediction';
  for (const name of ['theirs', 'others']) {
    const about = ['--dataset', dataset, '--fields', fields, '--name', name];
    await done(here, 'import-predictions', theirs, ...about);
  }
  places = {
    run: { cli: here, run: 'plain' },
    predictions: { cli: here, run: 'others' },
    'imported predictions': { cli: here, run: 'theirs' },
    imported: { cli: there, run: 'imported' },
    retried: { cli: there, run: 'retried' },
    'a fork': { cli: here, run: 'fork' },
    'a fork of a fork': { cli: here, run: 'fork-of-fork' },
    'a fork whose parent is deleted': { cli: here, run: 'orphan' },
    'a fork with other options': { cli: here, run: 'options' },
    'a cell of a study': { cli: here, run: cell },
    'a fork of a cell': { cli: here, run: 'fork-of-cell' },
    'an imported fork': { cli: there, run: 'imported-fork' },
    'an imported fork that was retried': { cli: there, run: 'retried-fork' },
  };
  return async () => {
    await Promise.all([here.remove(), there.remove()]);
    await server.close();
  };
});

/** Returns what is typed to have a command done to a run. */
function wordsFor({ name, takes }: RunnableCommand, { cli, run }: Place): string[] {
  const [, ...behind] = Object.entries(takes.shape).filter(([, field]) => !field.meta()?.flag);
  const given = behind.flatMap(([argument, field]) => {
    const value = ARGUMENTS[argument];
    if (value === undefined && !field.safeParse(undefined).success)
      throw new Error(`Say in ARGUMENTS what stands for <${argument}> of ${name}.`);
    return value ?? [];
  });
  const words = [...given, ...(FLAGS[name] ?? [])];
  const inHome = words.map((word) => (/\.\w+$/.test(word) ? join(cli.home, run + word) : word));
  return [...name.split(' '), run, ...inHome];
}

/** What commands ended with over a run: their exit codes, and what each said that was refused. */
type Told = Record<string, string>;

async function toldBy(commands: readonly RunnableCommand[], place: Place): Promise<Told> {
  const told: Told = {};
  for (const command of commands) {
    const { code, stderr } = await place.cli.run(wordsFor(command, place));
    const isWell = code === 0 || code === 3;
    told[command.name] = isWell ? `${code}` : `${code} ${stderr}`.replaceAll(place.run, 'RUN');
  }
  return told;
}

const kinds = Object.entries(KINDS) as [Kind, Plain][];
const plain = [...new Set(Object.values(KINDS))];

/** What each of the plain runs is told. */
const usualOf = async (commands: readonly RunnableCommand[]) =>
  Object.fromEntries(
    await Promise.all(plain.map(async (as) => [as, await toldBy(commands, places[as])] as const)),
  );

describe('a run that has ended', () => {
  const kept = ofRuns.filter(({ name }) => !LAST.includes(name));
  let usual: Record<string, Told>;

  beforeAll(async () => {
    usual = await usualOf(kept);
  });

  it.each(['run', 'imported'])('%s is told, compared, planned and asked again', (as) => {
    const notUnderWay = Object.entries(usual[as] ?? {}).filter(([, told]) => told.length > 1);
    const what = notUnderWay.map(([name]) => name);
    expect(what).toEqual(expect.arrayContaining(['pause', 'resume', 'set']));
    expect(what).not.toContain('plan');
    if (as === 'run') expect(what).toHaveLength(3);
  });

  it('is told and compared if it was made elsewhere, and not asked again', () => {
    const told = Object.entries(usual.predictions ?? {});
    const refused = told.filter(([, { length }]) => length > 1).map(([name]) => name);
    expect(refused.sort()).toEqual(['attach', 'pause', 'resume', 'set', ...ASKING].sort());
    for (const [name, said] of told) {
      if (ASKING.includes(name)) expect(said).toMatch(/made elsewhere|No reply/);
    }
  });

  it.each(kinds)('%s is one', async (kind, as) => {
    expect(await toldBy(kept, places[kind])).toEqual(usual[as]);
  });
});

describe('a run that is asked again', () => {
  const steering = [
    ...(COMMANDS['While a run is under way'] ?? []).map(({ name }) => name),
    ...LAST,
  ];
  // The command that starts it follows it as `attach` does.
  const commands = ofRuns
    .filter(({ name }) => steering.includes(name) && name !== 'attach')
    .sort((a, b) => LAST.indexOf(a.name) - LAST.indexOf(b.name));

  /** Retries a run while its failed question hangs. */
  async function underWay(place: Place): Promise<Told> {
    model.hangs = true;
    const before = server.requests.length;
    const { finished } = place.cli.begin(['retry', place.run]);
    await vi.waitFor(() => expect(server.requests.length).toBeGreaterThan(before), 60_000);
    const told = await toldBy(commands, place);
    await finished;
    return told;
  }

  let usual: Told;

  beforeAll(async () => {
    usual = await underWay(places.run);
  });

  it('is paused, resumed, cancelled and deleted', () => {
    const refused = Object.entries(usual).filter(([, told]) => told !== '0');
    expect(refused).toEqual([]);
  });

  it.each(kinds.filter(([, as]) => as !== 'predictions'))('%s is one', async (kind) => {
    expect(await underWay(places[kind])).toEqual(usual);
  });
});
