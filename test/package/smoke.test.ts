/** The packed package on the Nodes that it says it runs on, beside the one that runs the tests. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest';
import { packageRoot } from '../../stores/package-root.js';
import { type Installed, installed } from '../examples/installed.js';
import { commandLineOver } from '../support/command-line.js';

vi.setConfig({ testTimeout: 480_000 });

/** npm has them as packages, one a platform. */
const NODES = ['22.23.3', '24.21.0'];

/** The program of a version of Node; it is fetched once. */
async function nodeOf(version: string): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(packageRoot(), 'node_modules', '.cache', `${name}-${version}`);
  const node = join(folder, 'node_modules', name, 'bin', 'node');
  if (existsSync(node)) return node;
  await mkdir(folder, { recursive: true });
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder];
  await promisify(execFile)('npm', [...args, `${name}@${version}`]);
  return node;
}

/**
 * A method of one's own that runs another one.
 *
 * @param isTwice Whether it asks once more, as an expression over `asked`.
 */
const methodAsking = (isTwice: string) => `
import { base, defineMethod, passageCount } from 'durable-rag/methods';
export const thorough = defineMethod({
  module: import.meta.url,
  name: 'thorough',
  options: { passages: passageCount.default(1) },
  async algorithm(asked) {
    const options = { passages: asked.options.passages };
    const first = await asked.run(base, options);
    const chain = { inner: first.chain };
    if (!(${isTwice})) return { ...first, chain };
    const second = await asked.run(base, options, 'Is it ' + first.answer + '?');
    return { ...second, chain };
  },
});
`;

const TRACE = `
import { goldenTrace } from 'durable-rag/testing';
import { thorough } from './thorough.mjs';
const { steps, result } = await goldenTrace('thorough', {
  question: 'What is blue?',
  retrieval: { passages: [{ title: 'Sky', text: 'The sky is blue.' }] },
  script: [{ step: 'read', say: 'the sky' }],
  worker: { methods: [thorough] },
});
console.log(JSON.stringify({ steps: steps.map(({ step }) => step), answer: result.answer }));
`;

const REPLAY = `
import { Client, Connection } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { bundleWorkflows } from 'durable-rag/worker';
const [address, workflowId, ...modules] = process.argv.slice(2);
const connection = await Connection.connect({ address });
const history = await new Client({ connection }).workflow.getHandle(workflowId).fetchHistory();
for (const module of modules) {
  const { thorough } = await import(module);
  const workflowBundle = await bundleWorkflows({ methods: [thorough] });
  const replay = Worker.runReplayHistory({ workflowBundle }, history, workflowId);
  console.log(await replay.then(() => 'replayed', ({ name }) => name));
}
await connection.close();
`;

let place: Installed;
beforeAll(async () => {
  [place] = (await installed(1)) as [Installed];
  const question = { id: 'sky', question: 'What is the colour of the sky?', answers: ['blue'] };
  const passages = [{ title: 'Sky', text: 'The colour of the sky is blue.' }];
  const files = {
    'q.jsonl': `${JSON.stringify({ ...question, passages })}\n`,
    'thorough.mjs': methodAsking('false'),
    'trace.mjs': TRACE,
    'replay.mjs': REPLAY,
    'durable-rag.config.mjs': `
import { thorough } from './thorough.mjs';
export default { methods: [thorough] };
`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(place.cwd, name), text);
});

/** Nothing on standard error that Node says of what will be gone. */
const UNTROUBLED = expect.not.stringMatching(/warning|deprecat/i);

test.each(NODES.slice(0, 1))('on Node %s it answers, with a worker of its own', async (version) => {
  const { cli } = await commandLineOver(() => ({ text: 'blue' }));
  const run = ['--method', 'base', '--dataset', 'q.jsonl', '--name', `node-${version}`, '--json'];
  const node = await nodeOf(version);
  const ended = await cli.start(['eval', ...run], {}, { ...place, node }).finished;
  expect([ended.code, ended.stderr]).toEqual([0, UNTROUBLED]);
  expect(JSON.parse(ended.stdout)).toMatchObject({ state: 'finished', outcomes: { answered: 1 } });
});

test.each(NODES.slice(-1))(
  'on Node %s a method of its own is tested, asked, planned, explained, forked and replayed',
  async (version) => {
    const node = await nodeOf(version);
    const { cli } = await commandLineOver(() => ({ text: 'green' }));
    const program = (...args: string[]) =>
      promisify(execFile)(node, args, { cwd: place.cwd }).then(
        ({ stdout }) => stdout,
        ({ stderr }: { stderr: string }) => stderr,
      );
    const command = async (...args: string[]) => {
      const ended = await cli.start(args, {}, { ...place, node }).finished;
      expect([ended.code, ended.stderr]).toEqual([0, UNTROUBLED]);
      return ended.stdout;
    };

    const trace = JSON.parse(await program('trace.mjs'));
    expect(trace).toEqual({ steps: ['read'], answer: 'the sky' });

    // One for all commands, each of which would bundle the method for a worker of its own.
    const worker = cli.start(['worker'], {}, { ...place, node });
    onTestFinished(async () => void (await worker.end('SIGKILL')));
    await worker.says('polls');
    const input = await cli.write('input.json', {
      retrieval: { passages: [{ title: 'Sky', text: 'The sky is blue.' }] },
    });
    const asking = ['ask', 'What colour?', '--method', 'thorough', '--input', input, '--json'];
    const asked = JSON.parse(await command(...asking));
    expect(asked).toMatchObject({ answer: 'green', chain: { inner: { reading: 'green' } } });

    const run = ['eval', '--method', 'thorough', '--dataset', 'q.jsonl', '--name', version];
    expect(await command(...run, '--dry-run')).toMatch(/^To pay {5}1: read 1 /m);
    expect(await command(...run)).toContain('EM 0');
    // The passage says "blue": it is the inner method's reader that lost the answer.
    expect(await command('explain', version)).toMatch(/read\b/);
    const fork = [
      'fork',
      version,
      '--at',
      'read',
      '--model',
      'other',
      '--name',
      `${version}-other`,
    ];
    expect(await command(...fork)).toContain('EM 0');

    const edits = { 'patched.mjs': `asked.patched('twice')`, 'twice.mjs': 'true' };
    for (const [name, isTwice] of Object.entries(edits)) {
      await writeFile(join(place.cwd, name), methodAsking(isTwice));
    }
    const modules = Object.keys(edits).map((name) => `./${name}`);
    const address = inject('temporalAddress');
    const replayed = await program('replay.mjs', address, asked.workflowId, ...modules);
    // Between them is what the SDK logs.
    expect(replayed).toMatch(/^replayed\n.*\nDeterminismViolationError\n$/s);
  },
);
