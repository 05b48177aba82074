/**
 * The same question in this process and on a Temporal server: the same prompts, the same result,
 * though here the calls return in the opposite order.
 */
import { expect, it } from 'vitest';
import type { MethodResult } from '../../core/result.js';
import { methods } from '../../interpreters/methods.js';
import type { Line, Recorded } from '../../testing/scripted-model.js';
import { questions } from '../support/recordings/index.js';
import { runOnServer } from '../support/run-on-server.js';
import { runScripted, turned } from '../support/run-scripted.js';

/** What only a server does, and what depends on which of several calls was back first. */
const OF_A_SERVER = new Set([
  'base-local-in-vain',
  'base-without-search-attributes',
  'sure-eager',
  'sure-cancelled',
  'sure-failed',
]);

const alike = Object.entries(questions).filter(([name]) => !OF_A_SERVER.has(name));
/** One of every method, and each way in which a question of any can come in, and go out. */
const asked = alike.filter(
  ([name, { method }], i) =>
    name.startsWith('base-') || i === alike.findIndex(([, one]) => one.method === method),
);

/** What was said on the server to each prompt, whichever of several calls was the first there. */
function said(script: readonly Line[], requests: readonly Recorded[]): Line[] {
  return requests.map(({ step, prompt, request: { seed }, line = 0 }) => ({
    step,
    say: script[line]?.say ?? '',
    ...(seed !== undefined && { seed }),
    when: new RegExp(`^${prompt.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`),
  }));
}

const prompts = (requests: readonly Recorded[]) =>
  requests.map(({ step, request }) => JSON.stringify([step, request])).sort();

/** Everything but what differs between two runs of the same: names, and times. */
const comparable = ({ workflowId: _, build: __, workingSeconds: ___, ...result }: MethodResult) =>
  result;

it.each(asked)('%s', async (_, { method, script, input, outcome = 'answered', changes }) => {
  const server = await runOnServer(method, script, input, await changes?.());
  const here = await runScripted(
    method,
    turned(said(script, server.model.requests)),
    input,
    await changes?.(),
  );
  expect(here.result.outcome).toBe(outcome);
  expect(comparable(here.result)).toEqual(comparable(server.result));
  expect(prompts(here.model.requests)).toEqual(prompts(server.model.requests));
});

it('holds for every method', () => {
  expect(new Set(asked.map(([, { method }]) => method))).toEqual(new Set(Object.keys(methods)));
});
