/** Calls on behalf of tenants, as workers make them: counted, and bound by the budget of a day. */
import { expect, it } from 'vitest';
import { createEmbeddingActivities } from '../../activities/runtime/non-model-steps.js';
import type { Ports } from '../../activities/runtime/ports.js';
import { modelActivity } from '../../activities/runtime/run-model-step.js';
import { tenantCalls } from '../../activities/runtime/tenant-calls.js';
import { Failure } from '../../core/failure.js';
import { NO_TENANT, type Tenants } from '../../core/tenants.js';
import type { LanguageModel } from '../../llm/language-model.js';
import { ResponseCache } from '../../llm/response-cache.js';
import { read } from '../../steps/readers.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { tenantAccounts } from '../../stores/tenant-accounts.js';
import { attempt } from '../support/activity.js';
import { testPorts } from '../support/ports.js';
import { modelThatSays } from '../support/saying.js';

const NOON = Date.parse('2026-03-01T12:00:00Z');
/** What a call of the model costs. */
const CALL_USD = 0.001;

interface Stage {
  llm?: LanguageModel;
  accounts?: MemoryStore;
  responses?: MemoryStore;
  now?: () => number;
}

/** A worker that knows these tenants, and how a question of one is asked there. */
function workerWith(tenants: Tenants, stage: Stage = {}) {
  const { llm = modelThatSays(() => ({ text: 'Bell', costUsd: CALL_USD })) } = stage;
  const { accounts: store = new MemoryStore(), responses = new MemoryStore() } = stage;
  const accounts = tenantAccounts(store, stage.now ?? (() => NOON));
  const ports = testPorts(llm, {
    tenants: tenantCalls(accounts, tenants),
    responses: new ResponseCache(responses),
    prices: new Map(
      ['scripted-1', 'fake-words'].map((model) => [
        model,
        { prompt: 1, cachedPrompt: 1, completion: 1 },
      ]),
    ),
  }) as Ports;
  const activity = modelActivity(read, ports);
  let asked = 0;
  const ask = (tenant: string | undefined, question: string, model = 'scripted-1') => {
    const call = { model, corpus: null, ...(tenant !== undefined && { tenant }) };
    const input = { question, passages: [], demonstrations: [] };
    return attempt(() => activity(input as never, call), { id: `${question} ${asked++}` });
  };
  return { ask, accounts, ports };
}

it('pays until the budget of the day is spent, serves what was paid for, and goes on the next day', async () => {
  let now = NOON;
  const { ask, accounts } = workerWith(
    { acme: { budgetUsdPerDay: 2 * CALL_USD } },
    { now: () => now },
  );
  for (const question of ['One?', 'Two?'])
    expect((await ask('acme', question)).value).toBeDefined();
  expect((await ask('acme', 'Three?')).failure).toMatchObject({
    type: 'TenantBudget',
    nonRetryable: true,
    message:
      'The tenant acme may spend $0.002 a day (budgetUsdPerDay), and its calls of 2026-03-01 have cost $0.002. The next day begins at 2026-03-02T00:00:00Z.',
  });
  expect((await ask('acme', 'One?')).value?.usage).toMatchObject({ cached: true });
  for (const other of ['zeta', undefined]) {
    expect((await ask(other, `Four of ${other}?`)).value).toBeDefined();
  }
  expect(await accounts.today('acme')).toMatchObject({ calls: 3, cachedCalls: 1, costUsd: 0.002 });
  // No budget depends on them: they are written later.
  for (const tenant of [NO_TENANT, 'zeta']) expect((await accounts.today(tenant)).calls).toBe(0);
  await accounts.close();
  expect(await accounts.today(NO_TENANT)).toMatchObject({ calls: 1, costUsd: CALL_USD });
  now = Date.parse('2026-03-02T00:00:00Z');
  expect((await ask('acme', 'Three?')).value).toBeDefined();
});

it('overspends by no more than the calls under way, though two workers pay at once', async () => {
  const stores = { accounts: new MemoryStore(), responses: new MemoryStore() };
  let paid = 0;
  const llm = modelThatSays(async () => {
    paid++;
    await new Promise((done) => setTimeout(done, 5));
    return { text: 'Bell', costUsd: CALL_USD };
  });
  const workers = [1, 2].map(() =>
    workerWith({ '*': { budgetUsdPerDay: 3 * CALL_USD } }, { ...stores, llm }),
  );
  const ended = await Promise.all(
    workers.map(async ({ ask }, worker) => {
      const failures: unknown[] = [];
      for (let n = 0; n < 10; n++) {
        const { failure } = await ask('acme', `Question ${n} of ${worker}?`);
        failures.push(failure?.type);
      }
      return failures;
    }),
  );
  // Two are under way at a time.
  expect(paid).toBeGreaterThanOrEqual(3);
  expect(paid).toBeLessThanOrEqual(4);
  expect(ended.flat().filter((type) => type === 'TenantBudget')).toHaveLength(20 - paid);
});

it('counts what a call may have cost that failed, also of attempts before it', async () => {
  const llm = modelThatSays(() => {
    throw new Failure('AnswerTooLong', 'No end.');
  });
  const { ask, accounts } = workerWith({}, { llm });
  expect((await ask('acme', 'Who?')).failure?.type).toBe('AnswerTooLong');
  await accounts.close();
  const { calls, costUsd, estimated } = await accounts.today('acme');
  expect({ calls, attempts: estimated?.attempts }).toEqual({ calls: 0, attempts: 1 });
  expect(costUsd).toBeGreaterThan(0);
});

it.each([
  ['a model without a price', 'unpriced-1', CALL_USD, 'the price of the model is unknown'],
  ['calls whose cost nobody knows', 'scripted-1', null, 'a provider reported no tokens'],
])('keeps no budget with %s', async (_, model, costUsd, why) => {
  const llm = modelThatSays(() => ({ text: 'Bell', costUsd }));
  const { ask } = workerWith({ acme: { budgetUsdPerDay: 1 } }, { llm });
  const failures = [await ask('acme', 'One?', model), await ask('acme', 'Two?', model)];
  expect(failures.at(-1)?.failure).toMatchObject({
    type: 'TenantBudget',
    message: expect.stringContaining(why),
  });
});

it('pays nothing with a budget of 0, whatever the price, and promises no next day', async () => {
  const responses = new MemoryStore();
  await workerWith({}, { responses }).ask(undefined, 'Kept?');
  const { ask } = workerWith({ acme: { budgetUsdPerDay: 0 } }, { responses });
  for (const model of ['scripted-1', 'unpriced-1']) {
    expect((await ask('acme', 'One?', model)).failure).toMatchObject({
      type: 'TenantBudget',
      message: expect.stringMatching(
        /^The tenant acme may spend nothing: .* larger one in the file/,
      ),
    });
  }
  expect((await ask('acme', 'Kept?')).value?.usage).toMatchObject({ cached: true });
});

it('shares the weight of a tenant among its runs', () => {
  const { ports } = workerWith({ acme: { weight: 3 }, '*': { weight: 0.5 } });
  const weights = [0, 1, 2].map((runs) => ports.tenants.shareOf('acme', runs).weight);
  expect(weights).toEqual([3, 3, 1.5]);
  expect(ports.tenants.shareOf('zeta')).toEqual({ name: 'zeta', weight: 0.5 });
});

it('holds vectors to the budget as well, but not those that are kept', async () => {
  const stage = { accounts: new MemoryStore() };
  const { ports } = workerWith({ acme: { budgetUsdPerDay: 1e-9 } }, stage);
  const { embedTexts } = createEmbeddingActivities(ports);
  const embed = (text: string, tenant = 'acme') =>
    attempt(() => embedTexts({ texts: [text] }, { tenant }), { id: text, step: 'embedTexts' });
  expect((await embed('a heron')).value?.usage.costUsd).toBeGreaterThan(0);
  expect((await embed('an egret')).failure?.type).toBe('TenantBudget');
  expect((await embed('a heron')).value?.usage.cached).toBe(true);
});
