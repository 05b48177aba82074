/** Batches from the built command line: started, left, joined, steered, read. */
import { randomUUID } from 'node:crypto';
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { ExportedAnswer } from '../../../evaluation/runs/export-line.js';
import { type CommandLine, commandLineOver } from '../../support/command-line.js';
import { jsonLines } from '../../support/json-lines.js';
import type { ModelServer, ReplySpec } from '../../support/model-server.js';
import { gate } from '../../support/run.js';
import { promptOf } from '../../support/telephone.js';

let server: ModelServer;
let cli: CommandLine;
let reply: (prompt: string) => ReplySpec | Promise<ReplySpec>;
let dataset: string;
/** The name of a run; Temporal knows those of other tests as well. */
let one: string;

beforeEach(async () => {
  one = `one-${randomUUID()}`;
  reply = (prompt) => ({ text: prompt.includes('colour of the sky') ? 'blue' : 'green' });
  ({ server, cli } = await commandLineOver((request) => reply(promptOf(request))));
  const colours = { sky: ['the sky', 'blue'], grass: ['grass', 'green'], snow: ['snow', 'white'] };
  const questions = Object.entries(colours).map(([id, [what, answer]]) => {
    const ctxs = [{ title: what, text: `The colour of ${what} is ${answer}.` }];
    const question = `What is the colour of ${what}?`;
    return { id, question, answers: [answer], ctxs };
  });
  dataset = await cli.write('colours.jsonl', ...questions);
});

const evalOf = (name: string, ...flags: string[]) => [
  'eval',
  '--method',
  'base',
  '--dataset',
  dataset,
  '--name',
  name,
  ...flags,
];

/** Has the calls about something wait until they are let on. */
function keptWaiting(what = ''): () => void {
  const { open, opened } = gate();
  reply = async (prompt) => {
    if (prompt.includes(what)) await opened;
    return { text: 'blue' };
  };
  return open;
}

test('a data set is put into the store once, listed, asked by its name, removed and pruned', async () => {
  await cli.worker();
  const putting = ['datasets', 'put', dataset, '--name', 'colours'];
  const first = await cli.json(putting);
  expect(first).toMatchObject({ name: 'colours', questions: 3, file: 'colours.jsonl' });
  expect(await cli.json(putting)).toEqual(first);
  const listed = () => cli.json(['datasets']);
  expect(await listed()).toMatchObject([{ sha256: first.sha256, names: ['colours'] }]);

  const stored = ['eval', '--method', 'base', '--dataset', 'stored:colours'];
  const planned = await cli.run([...stored, '--dry-run']);
  expect(planned.stdout).toContain('Data set   colours, as it was put into the store');
  const asked = await cli.run(stored);
  expect(asked.stdout, asked.stderr).toMatch(/^base-colours-[0-9a-f]{8} .*3 of 3 done/s);
  // The file holds the same questions, so that its run is the same.
  const again = await cli.run(['eval', '--method', 'base', '--dataset', dataset]);
  expect(again.stdout.split(' ')[0]).toBe(asked.stdout.split(' ')[0]);
  expect(server.requests).toHaveLength(3);

  const bad = await cli.run([...stored.slice(0, 4), 'stored:colors']);
  expect(bad).toMatchObject({ code: 6, stdout: '' });
  expect(bad.stderr).toContain('no data set with the name "colors"');
  await writeFile(dataset, '{"id":"sky"}\n');
  expect(await cli.run(putting)).toMatchObject({ code: 2 });
  expect(await listed()).toHaveLength(1);

  // Pruned is what has no name and what no run has asked.
  const putOf = async (question: string, ...flags: string[]) => {
    await cli.write('colours.jsonl', { question, answers: ['blue'], passages: ['Sky.'] });
    return (await cli.json(['datasets', 'put', dataset, ...flags])).sha256 as string;
  };
  const named = await putOf('What has a name?', '--name', 'kept');
  await putOf('What is left?');
  await cli.ok(['datasets', 'remove', 'colours']);
  expect(await cli.run(['datasets', 'remove', 'colours'])).toMatchObject({ code: 6 });
  const prune = (...flags: string[]) =>
    cli.json(['store', 'prune', '--older-than', '0.0001m', ...flags]);
  expect(await prune('--dry-run')).toMatchObject({ datasets: 1 });
  expect(await prune()).toMatchObject({ datasets: 1 });
  const left: { sha256: string }[] = await listed();
  expect(left.map(({ sha256 }) => sha256).sort()).toEqual([named, first.sha256].sort());
});

test('a run is asked, scored, told about, exported, compared and reported', async () => {
  await cli.worker();
  const first = await cli.ok(evalOf(one));
  expect(first.stdout).toMatch(new RegExp(`^${one} {2}base, finished\n`));
  expect(first.stdout).toMatch(/3 of 3 done, 0 under way/);
  expect(first.stdout).toMatch(/EM 66\.7 % \(/);
  expect(server.requests).toHaveLength(3);

  reply = () => ({ text: 'blue' });
  const two = `two-${randomUUID()}`;
  const second = await cli.run(evalOf(two, '--no-cache'));
  expect(second.stdout).toMatch(/EM 33\.3 % \(/);

  const exported = await cli.run(['export', one]);
  const lines: ExportedAnswer[] = jsonLines(exported.stdout);
  expect(lines[0]?.result?.evidence).toHaveLength(1);
  expect(lines).toMatchObject([
    { id: 'sky', outcome: 'answered', prediction: 'blue', metrics: { em: 1 } },
    { id: 'grass', outcome: 'answered', prediction: 'green', metrics: { em: 1 } },
    { id: 'snow', outcome: 'answered', prediction: 'green', metrics: { em: 0 } },
  ]);

  const compared = await cli.run(['compare', one, two]);
  expect(compared.stdout).toMatch(/EM +66\.7 .* 33\.3 /);
  // Of the same method, data and options: what they differ by is noise.
  // Long names are broken over lines.
  expect(compared.stdout.replace(/\s+/g, ' ')).toMatch(
    new RegExp(`${one} minus ${two}, EM: \\+33\\.3 .* 33\\.3 % of 3 questions changed`),
  );

  const out = join(cli.home, 'report.html');
  await cli.ok(['report', one, two, '--out', out]);
  const html = await readFile(out, 'utf8');
  expect(html).toMatch(/^<!doctype html>/i);
  expect(html).toContain('What is the colour of grass?');
  // Of repeats none stands for the others.
  await cli.ok(['report', one, '--out', out]);
  expect(await readFile(out, 'utf8')).toContain('read: reads or judges wrongly');

  expect((await cli.run(['runs'])).stdout).toMatch(new RegExp(`${one}: 3 of 3 done`));
  expect((await cli.run(['status', one])).stdout).toMatch(/3 of 3 done, 0 under way/);

  // When its data set has grown it is refused, unless that is accepted.
  const sea = { id: 'sea', question: 'What is the colour of the sea?', answers: ['green'] };
  await appendFile(dataset, JSON.stringify({ ...sea, ctxs: [{ title: 't', text: 'u' }] }));
  const refused = await cli.run(evalOf(one));
  expect(refused.code).toBe(7);
  expect(refused.stderr).toMatch(/dataset: ".*--name.*--accept-change/s);
  const accepted = await cli.run(evalOf(one, '--accept-change'));
  expect(accepted.stdout).toMatch(/4 of 4 done/);
});

test('a run that is left rests, and goes on where it was', async () => {
  const open = keptWaiting('snow');
  const left = cli.begin(evalOf(one));
  // What is not kept by then is asked again as well.
  await left.says('2 of 3 done');
  await expect.poll(() => server.requests).toHaveLength(3);
  left.interrupt();
  const { code, stderr } = await left.finished;
  expect(code).toBe(130);
  expect(stderr).toContain(`"durable-rag attach ${one}"`);

  open();
  const attached = await cli.ok(['attach', one]);
  expect(attached.stdout).toMatch(/3 of 3 done/);
  const sent = server.requests.map(({ body }) => /colour of (.*)\?/.exec(promptOf(body))?.[1]);
  expect(sent.sort()).toEqual(['grass', 'snow', 'snow', 'the sky']);
});

test('a cancel with no worker ends at once and says so', async () => {
  const open = keptWaiting();
  const left = cli.begin(evalOf(one));
  await expect.poll(() => server.requests).toHaveLength(3);
  left.interrupt();
  await left.finished;
  const { code, stderr } = await cli.run(['cancel', one]);
  expect(code, stderr).toBe(8);
  expect(stderr).toMatch(
    /is being cancelled, but no worker answers|No worker polls the task queue/,
  );
  open();
});

test('a run on other workers is paused, changed, resumed and cancelled', async () => {
  const open = keptWaiting();
  const alone = await cli.run(evalOf(one, '--detach'));
  expect(alone).toMatchObject({ code: 8, stdout: '' });
  expect(alone.stderr).toMatch(/No worker polls .* start one with "durable-rag worker"/);
  await cli.worker();
  const lines = await readFile(dataset);
  await cli.ok(evalOf(one, '--concurrency', '1', '--detach'));
  // What it asks is what the file held when the command read it.
  await rm(dataset);
  await expect.poll(() => server.requests).toHaveLength(1);

  expect((await cli.run(['pause', one])).stdout).toMatch(/paused \(user, since /);
  const set = await cli.run(['set', one, '--concurrency', '2', '--budget-usd', '3']);
  expect(set.stdout).toMatch(/of \$3\.00\n(.*\n)*2 questions at a time/);
  expect(await cli.json(['set', one, '--budget-usd', 'none', '--rpm', 'none'])).toMatchObject({
    settings: { concurrency: 2, budgetUsd: null, requestsPerMinute: null },
  });
  expect((await cli.run(['resume', one])).stdout).toMatch(/ {2}base, running/);
  await expect.poll(() => server.requests).toHaveLength(2);

  const watching = cli.begin(['attach', one]);
  await watching.says(`${one}: `);
  expect(await cli.run(['cancel', one])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(new RegExp(`^${one} {2}base, cancelled\n`)),
    stderr: expect.stringContaining(`durable-rag retry ${one}`),
  });
  const watched = await watching.finished;
  expect(watched, watched.stderr).toMatchObject({ code: 4, stdout: '' });
  expect(watched.stderr).toContain(`The run "${one}" was cancelled; what has ended is kept.`);
  expect(watched.stderr).not.toMatch(/\n\s+at /);
  await expect.poll(() => server.aborted).toBe(2);
  expect((await cli.run(['runs'])).stdout).toMatch(/, cancelled$/m);
  const twice = await cli.run(['cancel', one, '--json']);
  expect(twice).toMatchObject({ code: 7, stdout: '' });
  expect(JSON.parse(twice.stderr.trim().split('\n').at(-1) ?? '')).toEqual({
    error: {
      type: 'Conflict',
      message: `The run "${one}" is not under way: it is cancelled.`,
      next: null,
    },
    exitCode: 7,
  });
  expect((await cli.run(['attach', one])).code).toBe(4);
  open();
  expect((await cli.run(['retry', one])).stdout).toMatch(/3 of 3 done/);
  await writeFile(dataset, lines);
  expect((await cli.run(evalOf(one))).stdout).toMatch(/3 of 3 done/);
});

test('says what a run would take, and starts nothing', async () => {
  const { stdout } = await cli.ok(
    evalOf(one, '--model', 'gpt-4o-mini', '--rpm', '30', '--dry-run'),
  );
  expect(stdout).toMatch(/^Data set {3}colours.jsonl, read as dpr$/m);
  expect(stdout).toMatch(/^ {2}span {5}3 \(3 with passages of their own\), for example sky:$/m);
  expect(stdout).toMatch(/^ {11}What is the colour of the sky\? => blue \| 1 passage$/m);
  expect(stdout).toMatch(/^Calls {6}3$/m);
  expect(stdout).toMatch(/^Tokens {5}at most \d{3} prompt, 192 completion: /m);
  expect(stdout).toMatch(/prompts with the passages that 3 questions bring, and outputs/);
  expect(stdout).toMatch(/^Cost {7}at most \$0\.0\d+ with gpt-4o-mini/m);
  expect(stdout).toMatch(/^Time {7}at most 0\.1 minutes/m);
  // A model of this machine costs nothing, there as in the run.
  const local = await cli.run(evalOf(one, '--model', 'judge-1', '--dry-run'));
  expect(local.stdout).toMatch(/^Cost {7}at most \$0 with judge-1/m);
  expect(server.requests).toHaveLength(0);
  expect((await cli.run(['runs'])).stdout).toMatch(/There is no run yet/);
});

test('over its budget, and with no terminal to say so on, a run is left with the reason', async () => {
  const asked = await cli.run(
    evalOf(one, '--model', 'gpt-4o', '--budget-usd', '0.000000001', '--concurrency', '1'),
  );
  expect(asked.code).toBe(5);
  expect(asked.stderr).toMatch(
    /^Paused \(budget, since .*\): The budget of .* is spent: .* for 1 question/m,
  );
  expect(asked.stderr).toContain(`durable-rag set ${one} --budget-usd N`);
  expect(asked.stdout).toMatch(/1 of 3 done/);
});

test('a run that could not begin is none, and one whose results are gone is not finished', async () => {
  await cli.worker();
  const lines = await readFile(dataset, 'utf8');
  await writeFile(dataset, '{"id":"sky"}\n');
  const failed = await cli.run(evalOf(one));
  expect(failed).toMatchObject({ code: 2, stdout: '' });
  expect(failed.stderr).toMatch(/^Error The data set .*is empty/m);
  expect((await cli.run(['datasets'])).stdout).toContain('There is no data set');
  expect((await cli.run(['runs'])).stdout).toMatch(/There is no run yet/);

  await writeFile(dataset, lines);
  await cli.ok(evalOf(one));
  await rm(join(cli.home, 'runs', one), { recursive: true });
  expect(await cli.run(['status', one])).toMatchObject({
    code: 4,
    stdout: expect.stringMatching(/base, results gone\nResultsGone: .*cli-.*runs/),
  });
  // The same command makes them again, from the response cache.
  const again = await cli.ok(evalOf(one));
  expect(again.stderr).toContain('its results are not in');
  expect(server.requests).toHaveLength(3);
  expect((await cli.run(['export', one])).stdout.trim().split('\n')).toHaveLength(3);
});

test('refuses in words what is not there', async () => {
  const nowhere = [...evalOf(one), '--no-own-passages', '--corpus', 'nowhere', '--dry-run'];
  for (const [args, message, expected] of [
    [nowhere, /no corpus "?nowhere"?.*sample/, 6],
    [['report', 'none', '--out', cli.home], /--out: .* is a folder; name a file, such as /, 2],
  ] as const) {
    const { code, stderr } = await cli.run([...args]);
    expect(code).toBe(expected);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/\n {4}at /);
  }
});
