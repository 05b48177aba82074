/** The method of runs whose answers were imported from elsewhere; it cannot be asked. */
import { z } from 'zod';
import { Failure } from '../core/failure.js';
import type { RunManifest } from '../stores/runs/run-store.js';
import type { OwnMethod, OwnMethods } from '../workflows/define-method.js';

/** Name of the method of imported answers. */
export const PREDICTIONS = 'predictions';

const method: OwnMethod<unknown> = {
  name: PREDICTIONS,
  title: 'Answers made elsewhere',
  source: 'the file that they were imported from',
  figures: 'none',
  options: z.strictObject({ system: z.string().describe('what made them') }),
  steps: [],
};

/** Returns the methods with `predictions` added, the method of imported answers. */
export function withPredictions(methods: OwnMethods): OwnMethods {
  return new Map([...methods, [PREDICTIONS, method]]);
}

/**
 * Returns the methods that the input of a run may name. They include `predictions` if the run only
 * asks its judge, since imported answers can be judged.
 */
export function methodsForInput(input: unknown, methods: OwnMethods): OwnMethods {
  return Object(input).onlyJudge === true ? withPredictions(methods) : methods;
}

/**
 * Checks that the answers of a run were not imported, since such questions cannot be asked again.
 *
 * @throws Failure Conflict if they were.
 */
export function refusePredictions({
  run,
  predictions,
}: Pick<RunManifest, 'predictions' | 'run'>): void {
  if (!predictions) return;
  const what = `The answers of the run "${run}" were made elsewhere (${predictions.file})`;
  throw new Failure('Conflict', `${what}: they cannot be asked again here.`);
}
