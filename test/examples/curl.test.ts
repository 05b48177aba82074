/** The example with curl, on a Temporal server that has the HTTP API on a known port. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort, portAnswers } from '../../temporal-dev/tcp-ports.js';
import { commandLine } from '../support/command-line.js';
import { temporalBinary } from '../support/temporal-binary.js';
import { examples, modelServer, run } from './compiled.js';

test('curl', async () => {
  const [port, http] = [await freePort(), await freePort()];
  const ports = ['--port', String(port), '--http-port', String(http)];
  const server = spawn(await temporalBinary(), ['server', 'start-dev', '--headless', ...ports]);
  onTestFinished(() => void server.kill());
  await expect.poll(() => portAnswers(http)).toBe(true);

  const model = await modelServer((text) => ({ text }));
  const cli = await commandLine(model.baseUrl);
  onTestFinished(() => cli.remove());
  const queue = { DURABLE_RAG_TASK_QUEUE: 'by-curl' };
  await cli.worker({ ...queue, TEMPORAL_ADDRESS: `127.0.0.1:${port}` });

  const asked = await run('sh', [join(examples, 'curl', 'ask.sh')], {
    env: { PATH: process.env.PATH, ...queue, TEMPORAL_HTTP: `http://127.0.0.1:${http}` },
  });
  const [last] = JSON.parse(asked.stdout).history.events;
  expect(last.workflowExecutionCompletedEventAttributes.result).toMatchObject([
    { outcome: 'answered', answer: 'Fish' },
  ]);
});
