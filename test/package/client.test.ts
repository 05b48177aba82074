/** The client's package: packed, installed with what it depends on and nothing else, and used. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { NativeConnection, Worker } from '@temporalio/worker';
import { x as extract } from 'tar';
import { beforeAll, expect, inject, it, onTestFinished } from 'vitest';
import { packageRoot } from '../../stores/package-root.js';
import { durableRag } from '../../workers/durable-rag.js';
import { pack } from './packed.js';
import '../support/quiet-runtime.js';
import { temporaryFolder } from '../support/folder.js';

const run = promisify(execFile);
const root = packageRoot();
const source = join(root, 'packages', 'client');
let tarball: string;
let files: string[];

beforeAll(async () => {
  ({ tarball, files } = await pack(source, await temporaryFolder()));
});

async function manifest(folder: string) {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
}

/** A folder in which it is installed, as far as its package.json says what it needs. */
async function install(): Promise<string> {
  const folder = await temporaryFolder();
  const installed = join(folder, 'node_modules', 'durable-rag-client');
  await mkdir(installed, { recursive: true });
  await extract({ file: tarball, cwd: installed, strip: 1 });
  const { dependencies, peerDependencies } = await manifest(installed);
  for (const name of Object.keys({ ...dependencies, ...peerDependencies })) {
    const link = join(folder, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(root, 'node_modules', name), link);
  }
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  return folder;
}

it('has the version, and the versions of what it needs, of the whole package', async () => {
  const [client, whole] = await Promise.all([manifest(source), manifest(root)]);
  expect(client.version).toBe(whole.version);
  expect(client.engines).toEqual(whole.engines);
  expect(whole.dependencies).toMatchObject(client.dependencies);
  expect(whole.peerDependencies).toMatchObject(client.peerDependencies);
});

it('holds no code of workers: what methods are, and how to connect', () => {
  const code = files.filter((file) => file.endsWith('.js'));
  const rooms = code.flatMap((file) => /^dist\/([^/]+)\//.exec(file)?.[1] ?? []);
  expect([...new Set(rooms)].sort()).toEqual(
    [
      'client',
      'core',
      'interpreters',
      'report',
      'retrieval',
      'steps',
      'stores',
      'workflows',
    ].sort(),
  );
  expect(code.filter((file) => /implement/.test(file))).toEqual([]);
  // Of searches it has how two orders are joined, and of workflows their algorithms.
  expect(code.filter((file) => /^dist\/retrieval\//.test(file))).toEqual([
    'dist/retrieval/fuse.js',
  ]);
  expect(code.filter((file) => /workflows\/(?:index|question\/)/.test(file))).toEqual([]);
});

it('starts a question on a server, with a result that has a type', async () => {
  const [folder, home] = await Promise.all([
    install(),
    mkdtemp(join(tmpdir(), 'durable-rag-home-')),
  ]);
  const program = `import { createClient } from 'durable-rag-client';
type IsAny<T> = 0 extends 1 & T ? true : false;
const client = await createClient();
const result = await client.ask('base', { question: 'Capital?', retrieval: { corpus: 'atlas' } });
const known: IsAny<typeof result.chain> = false;
// @ts-expect-error: "base" has no such option
const wrong = () => client.ask('base', { question: 'Capital?', options: { passage: 3 } });
console.log(JSON.stringify({ outcome: result.outcome, answer: result.answer, known }));
await client.close();
`;
  const named = `import { createClient } from 'durable-rag-client';
const client = await createClient({ methods: ['lookTwice'], taskQueue: 'nobody' });
const input = { question: 'Capital?', options: { passages: 2 }, models: { secondLook: 'm' } };
const question = await client.startNamed('lookTwice', input);
await question.cancel();
const refused = await client.startNamed('lookTwise', input).catch(({ message }) => message);
console.log(JSON.stringify({ id: question.workflowId, refused }));
await client.close();
`;
  await writeFile(join(folder, 'named.js'), named);
  await writeFile(join(folder, 'ask.ts'), program);
  await symlink(join(root, 'node_modules', '@types'), join(folder, 'node_modules', '@types'));
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const flags = ['--module', 'nodenext', '--target', 'es2023', '--strict', '--skipLibCheck'];
  const said = await run(process.execPath, [compiler, ...flags, 'ask.ts'], { cwd: folder }).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
  expect(said).toBe('');

  const address = inject('temporalAddress');
  const taskQueue = `test-${randomUUID()}`;
  const connection = await NativeConnection.connect({ address });
  const worker = await Worker.create({
    connection,
    taskQueue,
    plugins: [
      durableRag({
        env: { DURABLE_RAG_HOME: home },
        corpora: {
          atlas: {
            search: async (title) => [{ id: 'p1', title, score: 1 }],
            get: async () => [{ id: 'p1', title: 'France', text: 'Its capital is Paris.' }],
          },
        },
        defaultModel: 'mine-1',
        model: {
          provider: 'mine',
          complete: async ({ model }) => ({
            text: 'Paris',
            end: 'finished' as const,
            costUsd: null,
            servedModel: model,
            fingerprint: null,
            usage: { promptTokens: 1, cachedPromptTokens: 0, completionTokens: 1 },
          }),
        },
      }),
    ],
  });
  const ran = worker.run();
  onTestFinished(async () => {
    worker.shutdown();
    await ran;
    await connection.close();
    await rm(home, { recursive: true, force: true });
  });
  const env = { ...process.env, TEMPORAL_ADDRESS: address, DURABLE_RAG_TASK_QUEUE: taskQueue };
  const { stdout } = await run(process.execPath, ['ask.js'], { cwd: folder, env });
  expect(JSON.parse(stdout)).toEqual({ outcome: 'answered', answer: 'Paris', known: false });

  const own = await run(process.execPath, ['named.js'], { cwd: folder, env });
  expect(JSON.parse(own.stdout)).toEqual({
    id: expect.stringMatching(/^ask-lookTwice-capital-/),
    refused: expect.stringMatching(/no method "lookTwise".*lookTwice.*methods: \['lookTwise'\]/),
  });
});
