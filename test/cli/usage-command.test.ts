/** `durable-rag usage`, as it reads the store of the workers. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { NO_TENANT } from '../../core/tenants.js';
import { NO_USAGE } from '../../core/usage.js';
import { openStore } from '../../stores/open-store.js';
import { tenantAccounts } from '../../stores/tenant-accounts.js';
import { carriedOutHere } from '../support/carried-out-here.js';
import { temporaryFolder } from '../support/folder.js';

/** Days long ago, and today: the command has no clock of its own. */
async function keptUsage(home: string): Promise<void> {
  const store = await openStore(join(home, 'store'), 'tenants');
  const usage = { ...NO_USAGE, calls: 2, promptTokens: 1000, completionTokens: 50, costUsd: 0.5 };
  for (const day of ['2026-01-01', '2026-01-02']) {
    const accounts = tenantAccounts(store, () => Date.parse(`${day}T12:00:00Z`));
    await accounts.add('acme', usage);
  }
  await tenantAccounts(store).add('acme', { ...usage, costUsd: 0.25 });
  await tenantAccounts(store).add(NO_TENANT, { ...usage, calls: 1 });
  await tenantAccounts(store).add('zeta', { ...usage, cachedCalls: 2, costUsd: 0 });
  await store.close();
}

it('tells what tenants have spent, of which budget, by tenant and by day', async () => {
  const home = await temporaryFolder();
  const file = join(home, 'tenants.json');
  await writeFile(file, '{"acme":{"budgetUsdPerDay":2}}');
  const env = { DURABLE_RAG_HOME: home, DURABLE_RAG_TENANTS: file };
  const none = await carriedOutHere(['usage'], env);
  expect(none.stdout).toBe('No calls are recorded for these days.\n');
  await keptUsage(home);

  const { stdout } = await carriedOutHere(['usage', '--by', 'tenant'], env);
  const [, without, acme, zeta] = stdout.split('\n').map((line) => line.split(/ {2,}/));
  expect(without).toEqual(['without a tenant', '1', '0', '1,000', '50', '$0.50', '$0.50']);
  expect(acme).toEqual(['acme', '6', '0', '3,000', '150', '$1.25', '$0.25 of $2.00']);
  expect(zeta?.slice(0, 3)).toEqual(['zeta', '0', '2']);

  const asked = ['usage', '--by', 'day', '--tenant', 'acme', '--to', '2026-01-02', '--json'];
  const { rows, ...said } = JSON.parse((await carriedOutHere(asked, env)).stdout);
  expect(said).toEqual({ by: 'day', tenant: 'acme', to: '2026-01-02' });
  expect(rows).toMatchObject([
    { day: '2026-01-01', usage: { calls: 2, costUsd: 0.5 } },
    { day: '2026-01-02', usage: { calls: 2, costUsd: 0.5 } },
  ]);
});

it.each([
  [['--from', '2026-02-30'], '--from: must be a day, such as 2026-11-27'],
  [['--from', '2026-03-02', '--to', '2026-03-01'], '--from: 2026-03-02 is after --to, 2026-03-01.'],
  [['--tenant', "o'neill"], '--tenant: must be letters, digits'],
])('refuses %j', async (flags, message) => {
  const { code, stderr } = await carriedOutHere(['usage', ...flags], {});
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
});
