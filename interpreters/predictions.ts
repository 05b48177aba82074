/** Answers made elsewhere: a method that asks nothing, which their runs name as their method. */
import { z } from 'zod';
import { Failure } from '../core/failure.js';
import type { RunManifest } from '../stores/runs/run-store.js';
import type { OwnMethod, OwnMethods } from '../workflows/define-method.js';

export const PREDICTIONS = 'predictions';

const method: OwnMethod<unknown> = {
  name: PREDICTIONS,
  title: 'Answers made elsewhere',
  source: 'the file that they were imported from',
  figures: 'none',
  options: z.strictObject({ system: z.string().describe('what made them') }),
  steps: [],
};

/** Returns the methods together with that of predictions, which cannot be asked. */
export function withPredictions(methods: OwnMethods): OwnMethods {
  return new Map([...methods, [PREDICTIONS, method]]);
}

/**
 * Returns the methods that an input of a run may name: of one that asks only its judge also that of
 * predictions, since a judge can judge answers made elsewhere.
 */
export function methodsForInput(input: unknown, methods: OwnMethods): OwnMethods {
  return Object(input).onlyJudge === true ? withPredictions(methods) : methods;
}

/** @throws Failure Conflict for a run of answers made elsewhere, since none can be asked again. */
export function refusePredictions({
  run,
  predictions,
}: Pick<RunManifest, 'predictions' | 'run'>): void {
  if (!predictions) return;
  const what = `The answers of the run "${run}" were made elsewhere (${predictions.file})`;
  throw new Failure('Conflict', `${what}: nothing of it can be asked again here.`);
}
