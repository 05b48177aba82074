/** A mistyped run, study, data set or method gets the nearest name that there is. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { COMMANDS } from '../../cli/commands/index.js';
import { readArguments, typedRunNames } from '../../cli/define-command.js';
import { showMethods } from '../../cli/methods.js';
import { withSuggestion } from '../../cli/run/meant-name.js';
import { Failure } from '../../core/failure.js';
import { readGiven } from '../../evaluation/dataset/read-dataset.js';
import { snapshots } from '../../evaluation/dataset/snapshots.js';
import { MemoryStore } from '../../stores/memory-store.js';
import type { RunManifest, RunStore } from '../../stores/runs/run-store.js';
import { cliContext, quietProgram } from '../support/cli-context.js';

const kept = [
  { run: 'sure-nq', input: {} },
  { run: 'base-nq', input: { study: { name: 'nightly' } } },
] as unknown as RunManifest[];
const results = { list: async () => kept } as Partial<RunStore> as RunStore;
const context = cliContext({ config: { results } });

async function refused(line: string, error: Error): Promise<unknown> {
  const program = quietProgram();
  let named: string[] = [];
  let ofStudies: string | undefined;
  program.hook('preAction', (_, command) => {
    const declared = Object.values(COMMANDS).flat();
    const typed = declared.findLast(({ name }) => `${line} `.startsWith(`${name} `));
    ofStudies = declared.find(({ name }) => name === `study ${typed?.name}`)?.name;
    if (typed) named = typedRunNames(typed.takes, readArguments(typed.takes, command));
  });
  await program.parseAsync(line.split(' '), { from: 'user' });
  return withSuggestion(error, named, context, ofStudies);
}

const noRun = () => new Failure('UnknownRun', 'There is no such run.');

it.each([
  ['status sure-qn', 'There is no such run. Did you mean sure-nq?'],
  ['report sure-nq bse-nq --out r.html', 'There is no such run. Did you mean base-nq?'],
  ['study table nigthly', 'There is no such run. Did you mean nightly?'],
  ['status nightly', 'There is no such run. It is a study: "durable-rag study status nightly".'],
  ['show nightly q', 'There is no such run.'],
  ['show sure-n sure-nq', 'There is no such run. Did you mean sure-nq?'],
  ['compare sure-nq --baseline bas-nq', 'There is no such run. Did you mean base-nq?'],
  ['status elsewhere', 'There is no such run.'],
  ['doctor', 'There is no such run.'],
])('says of "%s": %s', async (line, message) => {
  expect(await refused(line, noRun())).toMatchObject({ type: 'UnknownRun', message });
});

it('leaves other errors as they are', async () => {
  const error = new Failure('Conflict', 'It has ended.');
  expect(await refused('status sure-qn', error)).toBe(error);
  expect(error.message).toBe('It has ended.');
});

it('names the data set that was meant', async () => {
  const store = snapshots(new MemoryStore());
  const lines = [{ id: 'q1', question: 'Who?', answers: ['Bell'] }];
  const put = await store.put(() => readGiven(lines, { scorable: true }), 'q.jsonl');
  await store.name('hotpot', put.sha256);
  for (const asked of [store.find('hotpto'), store.remove('hotpto')]) {
    await expect(asked).rejects.toThrow(
      'with the name "hotpto" (did you mean hotpot?) in the store',
    );
  }
});

const told = async (name: string) => (await showMethods(name, context)).text ?? '';

it('tells all of one method, and where its page is', async () => {
  const text = await told('iterRetgen');
  expect(text).toMatch(/^## `iterRetgen`\n/);
  expect(text).toContain('- Most model calls of a question: 2\n');
  expect(text).toContain('| `passages` |');
  expect(text).not.toContain('## `sure`');
  const [page = ''] = /\S+iter-retgen\.md/.exec(text) ?? [];
  expect(await readFile(page, 'utf8')).toContain('## What differs from the paper');
  const { value } = await showMethods('sure', context);
  expect(value).toMatchObject({ name: 'sure', options: { type: 'object' } });
  expect(value).toHaveProperty('page', expect.stringMatching(/sure\.md$/));
  expect(await told('hyde')).not.toContain('differs');
  await expect(told('chainofnote')).rejects.toThrow('did you mean chainOfNote?');
});
