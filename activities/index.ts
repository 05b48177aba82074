/** All activities, by the names that a history shows. */

import { Failure } from '../core/failure.js';
import type { ModelStep } from '../steps/define.js';
import { modelSteps, type StepName } from '../steps/table.js';
import type { EmbeddingActivities, QuestionActivities } from '../workflows/activities/question.js';
import type { ClusterActivities } from '../workflows/cluster-job.js';
import { clusterActivities, embedPairsActivity } from './genread-clusters.js';
import { batchingActivities } from './provider-batches/index.js';
import { runActivities } from './run/index.js';
import {
  actionActivities,
  createEmbeddingActivities,
  createSearchActivities,
} from './runtime/non-model-steps.js';
import type { Ports } from './runtime/ports.js';
import { prepareActivity } from './runtime/prepare.js';
import { providerCall, timed } from './runtime/provider-call.js';
import { rateActivities } from './runtime/rates.js';
import { type ModelActivity, modelActivity } from './runtime/run-model-step.js';
import { withNamedFaults } from './runtime/step-faults.js';
import { tuneActivities } from './tune/index.js';

export { createSearchActivities };

type ModelSteps = typeof modelSteps;

type ModelActivities = {
  [S in StepName]: ModelSteps[S] extends ModelStep<infer I, infer O> ? ModelActivity<I, O> : never;
};

/**
 * Returns the activities that call a language model, an embedding model or a reranker, by name.
 * They run on a task queue of their own, for which the server keeps a rate limit.
 *
 * @throws Failure BadInput for a custom step or action with the name of such an activity.
 */
export function createModelActivities(
  ports: Ports,
): ModelActivities & EmbeddingActivities & Pick<ClusterActivities, 'embedPairs'> {
  const steps = Object.fromEntries(
    Object.entries({ ...modelSteps, ...ports.steps }).map(([name, step]) => [
      name,
      modelActivity(withNamedFaults(name, step as ModelStep<unknown, unknown>), ports),
    ]),
  ) as ModelActivities;
  const others = { ...embedPairsActivity(ports), ...createEmbeddingActivities(ports) };
  refuseTakenNames('steps', { ...ports.steps, ...ports.actions }, others);
  return { ...steps, ...others };
}

/**
 * Returns the activities that call no language model, by name; they run on the task queue of the
 * workflows. They cost nothing, with three exceptions: creating a provider batch, searches by
 * vectors, which embed texts that have no stored vector, and whatever custom actions do. Searches
 * are included even if new questions search on another queue, because questions that began before
 * still search here.
 *
 * @throws Failure BadInput for a custom step or action with the name of such an activity.
 */
export function createQuestionActivities(ports: Ports): QuestionActivities {
  const ours: QuestionActivities = {
    prepare: prepareActivity(ports),
    ...rateActivities(ports),
    ...createSearchActivities(ports),
    ...runActivities(ports),
    ...tuneActivities(ports),
    ...clusterActivities(ports),
    ...batchingActivities(ports),
    findDemonstrationSet: ({ name }, bounds) =>
      timed(() => providerCall(bounds, () => ports.demonstrationSets.find(name))),
  };
  refuseTakenNames('steps', { ...ports.steps, ...ports.actions }, ours);
  return { ...ours, ...actionActivities(ports) };
}

/**
 * Checks that nothing of the user's replaces one of our activities.
 *
 * @param field The field that declares `own`, for the message.
 * @throws Failure BadInput naming the first name that both have.
 */
export function refuseTakenNames(field: string, own: object, ours: object): void {
  const taken = Object.keys(own).find((name) => Object.hasOwn(ours, name));
  if (taken === undefined) return;
  throw new Failure(
    'BadInput',
    `${field}: "${taken}" is the name of an activity of durable-rag, which yours would replace; rename yours.`,
  );
}
