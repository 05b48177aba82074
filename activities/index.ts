/** All activities, by the name a person reads in the history. */
import { generateCandidates } from './generate-candidates.js';
import type { Ports } from './ports.js';
import { prepareActivity } from './prepare.js';
import { rankPair } from './rank-pair.js';
import { read } from './read.js';
import { retrieveActivity } from './retrieve.js';
import { type ModelActivity, modelActivity } from './run-model-step.js';
import type { ModelStep } from './step.js';
import { summarize } from './summarize.js';
import { validate } from './validate.js';

/** Every step that asks a model. A new step is a file of its own and a name here. */
export const modelSteps = { generateCandidates, summarize, validate, rankPair, read };

type ModelSteps = typeof modelSteps;

export type ModelActivities = {
  [S in keyof ModelSteps]: ModelSteps[S] extends ModelStep<infer I, infer O>
    ? ModelActivity<I, O>
    : never;
};

/** The activities that ask a model; on a task queue of their own, whose rate the server limits. */
export function createModelActivities(ports: Ports): ModelActivities {
  return Object.fromEntries(
    Object.entries(modelSteps).map(([name, step]) => [
      name,
      modelActivity(step as ModelStep<unknown, unknown>, ports),
    ]),
  ) as ModelActivities;
}

/** The activities that cost nothing; they run beside the workflows. */
export function createQuestionActivities(ports: Ports) {
  return { prepare: prepareActivity(ports), retrieve: retrieveActivity(ports) };
}

export type QuestionActivities = ReturnType<typeof createQuestionActivities>;
