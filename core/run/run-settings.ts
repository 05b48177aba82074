/** Default settings of a run, and the check of a change to a running run. Pure. */

import { BadInput, badInput, type Problem, type Wording } from '../options/problems.js';
import { batchConcurrency, MOST_IN_FLIGHT } from '../provider-batches.js';
import type { RunSettings } from './run.js';

/** Checks without a schema, since the bundle of workflows contains no schema library. */
const CHECKS: Record<
  keyof RunSettings,
  [fits: (value: unknown) => boolean, rule: Problem['message']]
> = {
  concurrency: [
    (value) => isWhole(value, MOST_IN_FLIGHT),
    `must be a whole number from 1 to ${MOST_IN_FLIGHT}`,
  ],
  budgetUsd: [
    isLimit,
    ({ none }) => `must be a number of US dollars above 0, or ${none} for no limit`,
  ],
  requestsPerMinute: [isLimit, ({ none }) => `must be a number above 0, or ${none} for no limit`],
  tokensPerMinute: [isLimit, ({ none }) => `must be a number above 0, or ${none} for no limit`],
  pauseAfter: [
    (value) => value === null || isWhole(value, 1000),
    ({ none }) => `must be a whole number from 1 to 1000, or ${none} for never`,
  ],
  pauseIfFirst: [
    (value) => value === null || isWhole(value, 1000),
    ({ none }) => `must be a whole number from 1 to 1000, or ${none} for never`,
  ],
  probeSeconds: [
    (value) => value !== null && isLimit(value) && (value as number) <= 86_400,
    'must be a number of seconds above 0, at most 86400',
  ],
};

function isWhole(value: unknown, most: number): boolean {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= most;
}

function isLimit(value: unknown): boolean {
  return value === null || (typeof value === 'number' && Number.isFinite(value) && value > 0);
}

/**
 * Default settings of a run without batches: 20 questions in flight, a pause after 10 questions in
 * a row that fail because of an outage or when the first 5 fail in the same way, and 60 s between
 * two questions that are tried during a pause. By default there is no budget and no rate limit.
 */
export const DEFAULT_SETTINGS = {
  concurrency: 20,
  pauseAfter: 10,
  pauseIfFirst: 5,
  probeSeconds: 60,
} as const;

/**
 * Returns the settings with which a run starts: those of its input, with defaults for the others.
 * A budget or rate limit that the input lacks is null: no limit.
 */
export function settingsOf(
  input: {
    [S in keyof RunSettings]?: RunSettings[S] | undefined;
  } & { transport?: { size?: number | undefined } | undefined },
): RunSettings {
  const { concurrency, budgetUsd, requestsPerMinute, tokensPerMinute, transport } = input;
  const { pauseAfter = DEFAULT_SETTINGS.pauseAfter, probeSeconds } = input;
  const { pauseIfFirst = DEFAULT_SETTINGS.pauseIfFirst } = input;
  return {
    concurrency:
      concurrency ?? (transport ? batchConcurrency(transport) : DEFAULT_SETTINGS.concurrency),
    budgetUsd: budgetUsd ?? null,
    requestsPerMinute: requestsPerMinute ?? null,
    tokensPerMinute: tokensPerMinute ?? null,
    pauseAfter,
    pauseIfFirst,
    probeSeconds: probeSeconds ?? DEFAULT_SETTINGS.probeSeconds,
  };
}

/**
 * Checks a change to a run's settings, and returns it unchanged. Fields that it lacks stay as they
 * are in the run.
 *
 * @throws Failure BadInput naming every field that is wrong and what it should be.
 */
export function checkSettings(change: unknown): Partial<RunSettings> {
  if (typeof change !== 'object' || change === null || Array.isArray(change)) {
    const names = Object.keys(CHECKS).join(', ');
    throw badInput('', `must be an object with any of ${names}`);
  }
  const problems = Object.entries(change).flatMap(([name, value]): Problem[] => {
    const path = [name];
    if (!Object.hasOwn(CHECKS, name)) {
      const message = `there is no such setting; there are ${Object.keys(CHECKS).join(', ')}`;
      return [{ path, message }];
    }
    const [fits, message] = CHECKS[name as keyof RunSettings];
    if (fits(value)) return [];
    const rule = (wording: Wording) => (typeof message === 'string' ? message : message(wording));
    return [{ path, message: (wording) => `${rule(wording)}, not ${JSON.stringify(value)}` }];
  });
  if (problems.length === 0) return change;
  throw new BadInput(problems);
}
