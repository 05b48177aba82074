import { expect, it } from 'vitest';
import { checkAgainst } from '../../core/options/checked.js';
import { describeProblems } from '../../core/options/problems.js';
import { dayOf, NO_TENANT, nextDay, tenantName, tenantTable, termsOf } from '../../core/tenants.js';

it.each(['acme', 'A', '7', 'acme.example', '0f8b6a52-57f7-4b0e-8f0e-7a5b3c1d2e4f', 'x'.repeat(60)])(
  'takes %s as the name of a tenant',
  (name) => {
    expect(tenantName.parse(name)).toBe(name);
  },
);

it.each(['', '-acme', 'a/b', "o'neill", 'ac me', 'acme+', '*', 'ä', 'x'.repeat(61)])(
  'refuses %j as one',
  (name) => {
    expect(tenantName.safeParse(name).error?.issues[0]?.message).toMatch(/^must be letters/);
  },
);

it.each([
  [{ acme: { weight: 0 } }, 'acme.weight: must be a number from 0.1 to 100, not 0'],
  [{ '*': { budgetUsdPerDay: -1 } }, '*.budgetUsdPerDay: must be a number, at least 0, not -1'],
  [{ acme: { budget: 1 } }, 'acme.budget: there is no such field; did you mean budgetUsdPerDay?'],
  [{ 'a b': {} }, /^a b: is no name of a tenant, which must be letters/],
])('refuses the table %j', (table, problem) => {
  const { problems = [] } = checkAgainst(tenantTable, table);
  expect(describeProblems(problems)).toEqual(
    typeof problem === 'string' ? problem : expect.stringMatching(problem),
  );
});

it('gives a tenant its own terms, else those of all others', () => {
  const table = { acme: { weight: 2 }, '*': { budgetUsdPerDay: 1 } };
  expect(termsOf('acme', table)).toEqual({ weight: 2, budgetUsdPerDay: null });
  expect(termsOf('zeta', table)).toEqual({ weight: 1, budgetUsdPerDay: 1 });
  // Calls without a tenant are no tenant's.
  expect(termsOf(NO_TENANT, table)).toEqual({ weight: 1, budgetUsdPerDay: null });
  expect(termsOf('constructor', {})).toEqual({ weight: 1, budgetUsdPerDay: null });
});

it('counts days by UTC', () => {
  const leap = Date.parse('2028-02-28T23:59:59.999Z');
  expect([dayOf(leap), nextDay(leap)]).toEqual(['2028-02-28', '2028-02-29T00:00:00Z']);
  expect(dayOf(leap + 1)).toBe('2028-02-29');
});
