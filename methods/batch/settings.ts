/** What may be changed about a run that is under way, and how a bad change is refused. Pure. */

import { Failure } from '../failure.js';
import type { BatchSettings } from './batch.js';

/** No schema here: workflows check with this, and their bundle holds no library for it. */
const CHECKS: Record<keyof BatchSettings, [fits: (value: unknown) => boolean, rule: string]> = {
  concurrency: [
    (value) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 500,
    'must be a whole number from 1 to 500',
  ],
  budgetUsd: [isLimit, 'must be a positive number of US dollars, or null for no limit'],
  requestsPerMinute: [isLimit, 'must be a positive number, or null for no limit'],
  tokensPerMinute: [isLimit, 'must be a positive number, or null for no limit'],
};

function isLimit(value: unknown): boolean {
  return value === null || (typeof value === 'number' && Number.isFinite(value) && value > 0);
}

/** Questions under way at a time. */
export const DEFAULT_CONCURRENCY = 20;

/** What a run starts with. */
export function settingsOf(
  input: {
    [S in keyof BatchSettings]?: BatchSettings[S] | undefined;
  },
): BatchSettings {
  const { concurrency, budgetUsd, requestsPerMinute, tokensPerMinute } = input;
  return {
    concurrency: concurrency ?? DEFAULT_CONCURRENCY,
    budgetUsd: budgetUsd ?? null,
    requestsPerMinute: requestsPerMinute ?? null,
    tokensPerMinute: tokensPerMinute ?? null,
  };
}

/** @throws Failure BadInput naming every field that is wrong and what it should be. */
export function checkSettings(change: unknown): Partial<BatchSettings> {
  if (typeof change !== 'object' || change === null || Array.isArray(change)) {
    const names = Object.keys(CHECKS).join(', ');
    throw new Failure('BadInput', `Bad settings. input: must be an object with any of ${names}`);
  }
  const problems = Object.entries(change).flatMap(([name, value]) => {
    if (!Object.hasOwn(CHECKS, name)) {
      return [`${name}: there is no such setting; there are ${Object.keys(CHECKS).join(', ')}`];
    }
    const [fits, rule] = CHECKS[name as keyof BatchSettings];
    return fits(value) ? [] : [`${name}: ${rule}`];
  });
  if (problems.length === 0) return change;
  throw new Failure('BadInput', `Bad settings. ${problems.join('; ')}`);
}
