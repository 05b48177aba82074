/** Asks a worker that is started from an assembled folder. */
import { expect, onTestFinished } from 'vitest';
import { freePort } from '../../temporal-dev/tcp-ports.js';
import { commandLineOver, type Place } from '../support/command-line.js';

/** Starts a worker there, which has to take work, and asks it a question. */
export async function answers(place: Place, settings: NodeJS.ProcessEnv): Promise<void> {
  const { cli } = await commandLineOver(() => ({ text: 'blue' }));
  const port = await freePort();
  const env = { NODE_ENV: 'production', DURABLE_RAG_HTTP: `0.0.0.0:${port}`, ...settings };
  const worker = cli.start(['worker'], env, place);
  onTestFinished(async () => void (await worker.end('SIGKILL')));
  await worker.says('polls');
  const ready = await fetch(`http://127.0.0.1:${port}/readyz`);
  expect([ready.status, await ready.text()]).toEqual([200, expect.stringContaining('"ok"')]);
  if (settings.DURABLE_RAG_VERSIONED === 'true') {
    const promoted = await cli.start(['deploy', 'promote'], env, place).finished;
    expect([promoted.code, promoted.stderr]).toEqual([0, expect.any(String)]);
  }
  const passages = [{ title: 'Sky', text: 'The colour of the sky is blue.' }];
  const asked = { retrieval: { passages } };
  const input = await cli.write('input.json', asked);
  const question = ['ask', 'What is the colour of the sky?', '--method', 'base', '--json'];
  const { code, stdout, stderr } = await cli.start([...question, '--input', input], env, place)
    .finished;
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  expect(JSON.parse(stdout)).toMatchObject({ outcome: 'answered', answer: 'blue' });
  // As a container is stopped.
  expect(await worker.end('SIGTERM')).toBe(0);
}
