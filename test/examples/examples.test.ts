/** The examples run as somebody runs them: compiled, beside the package that is built. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { makeTable, passages } from '../retrieval/postgres/helpers.js';
import { findPostgres, startPostgres } from '../stores/servers.js';
import { commandLine } from '../support/command-line.js';
import { GET, isHere } from '../support/is-here.js';
import { startSearchServer } from '../support/search-server.js';
import { compiled, environment, examples, model, modelServer, printed, run } from './compiled.js';

test('programs', async () => {
  const messages = await modelServer((text) => ({
    status: 200,
    body: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-haiku-4-5',
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 20, output_tokens: 2 },
    },
  }));
  const [heron] = passages;
  const search = await startSearchServer(heron ? [heron] : []);
  onTestFinished(() => search.close());
  const said = {
    'own-model': 'Fish (claude-haiku-4-5)',
    'codec/main': 'Fish',
    'http-retriever': 'Fish (1)',
    'own-worker/worker': 'Dear reader: Fish',
    'approval/main': 'approved\nfinished 1',
    'nightly-study/main': 'failed: base has em 1, noRetrieval 0: less than 1.5 more',
  };
  const env = {
    ANTHROPIC_BASE_URL: messages.baseUrl,
    ANTHROPIC_API_KEY: 'test-key-1234567890',
    SEARCH_URL: search.url,
    SEARCH_KEY: 'secret',
    LEAST: '1.5',
    ...(await model()),
  };
  const beside = ['own-worker/workflows', 'approval/workflows', 'nightly-study/workflows'];
  expect(await printed(Object.keys(said), env, ['codec/codec', ...beside])).toEqual(said);
  expect(search.requests[0]?.headers['x-api-key']).toBe('secret');

  const connection = await Connection.connect({ address: inject('temporalAddress') });
  const { workflow } = new Client({ connection });
  // Not by the client's list, which decodes memos.
  const { executions } = await connection.workflowService.listWorkflowExecutions({
    namespace: 'default',
    query: "TaskQueue = 'own-codec'",
  });
  expect(executions).not.toEqual([]);
  for (const { execution } of executions) {
    const workflowId = execution?.workflowId ?? '';
    const history = await workflow.getHandle(workflowId).fetchHistory();
    const kept = Buffer.from(JSON.stringify(history)).toString();
    expect(kept).not.toContain(Buffer.from('heron').toString('base64').slice(0, 6));
    expect(`${workflowId} ${kept}`).not.toMatch(/heron|fish/i);
    expect(kept).toContain(Buffer.from('binary/example').toString('base64'));
  }
  await connection.close();
});

test("tests of one's own", async () => {
  const tested = ['own-worker/worker.test', 'own-method/look-twice.test', 'own-agent/agent.test'];
  const beside = ['own-worker/workflows', 'own-method/look-twice', 'own-agent/agent'];
  const folder = await compiled(...tested, ...beside);
  const files = tested.map((name) => join(folder, `${name}.js`));
  const args = ['--test', '--test-reporter=tap', ...files];
  const tests = run(process.execPath, args, { env: environment(folder, {}) });
  const { stdout } = await tests.catch((ended: { stdout: string }) => ended);
  expect(stdout).toContain('# pass 4\n# fail 0');
});

test('web-page', async () => {
  const server = await modelServer((text) => ({ text }));
  const cli = await commandLine(server.baseUrl);
  onTestFinished(() => cli.remove());
  const queue = { DURABLE_RAG_TASK_QUEUE: randomUUID() };
  await cli.worker(queue);

  const folder = await compiled('web-page/server');
  const file = join(folder, 'web-page', 'server.js');
  await copyFile(join(examples, 'web-page', 'page.html'), join(folder, 'web-page', 'page.html'));
  const env = environment(folder, { ...queue, METHOD: 'noRetrieval', PORT: '0' });
  const page = spawn(process.execPath, [file], { cwd: folder, env });
  onTestFinished(() => void page.kill());
  const [said] = await once(page.stdout, 'data');
  const url = `http://127.0.0.1:${/port: (\d+)/.exec(String(said))?.[1]}`;
  expect(await (await fetch(url)).text()).toContain('<form>');
  const asked = await fetch(`${url}/questions`, { method: 'POST', body: 'Why?' });
  const events = await (await fetch(`${url}/questions/${await asked.text()}`)).text();
  expect(events).toContain('data: {"outcome":"unknown","answer":null}');
});

const postgres = findPostgres();
if (isHere(postgres, GET.postgres))
  test('postgres-retriever', async () => {
    const server = await startPostgres(postgres);
    onTestFinished(() => server.remove());
    const pool = new pg.Pool({ connectionString: server.url });
    await makeTable(pool, 'animals', passages.slice(0, 1));
    await pool.end();
    const env = { ...(await model()), CORPUS_URL: server.url };
    expect(await printed(['postgres-retriever'], env)).toEqual({
      'postgres-retriever': 'Fish (1)',
    });
  });
