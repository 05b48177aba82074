/**
 * The schema and the check of a tune: which changes of a pipeline are tried to make it better or
 * cheaper. Not for workflows, since it imports code that hashes.
 */
import { z } from 'zod';
import { NAME_PATTERN, NAME_RULE } from '../name.js';
import { parsedBy } from '../options/checked.js';
import type { Problem } from '../options/problems.js';
import { nonEmpty, positive, whole } from '../options/ranges.js';
import { runInput } from '../run/input.js';
import { OUTPUT_FORMS } from '../step-models.js';
import { datasetEntry, methodEntry, modelEntry } from '../study/study.js';

const name = z.string().regex(NAME_PATTERN, { error: NAME_RULE });
const models = z.array(modelEntry).min(1);
const sets = z.array(nonEmpty).min(1);
const forms = z.array(z.enum(OUTPUT_FORMS)).min(1);

const proposed = z.strictObject({
  model: modelEntry.optional().describe('the model that writes them'),
  by: nonEmpty.optional().describe('an action of the configuration that writes them instead'),
  steps: z
    .array(nonEmpty)
    .min(1)
    .optional()
    .describe('steps whose prompts are written; all if left out'),
  each: whole(1, 16).default(4).describe('prompts per step and round'),
  rounds: whole(1, 3)
    .default(2)
    .describe('rounds; a later one is shown the scores of earlier prompts'),
});

const tried = z.strictObject({
  models: z
    .union([models, z.record(z.string(), models)])
    .optional()
    .describe('models by step; a list is tried at every step'),
  options: z
    .record(z.string(), z.array(z.unknown()).min(1))
    .optional()
    .describe('values by option of the method'),
  prompts: z
    .union([sets, z.record(z.string(), sets)])
    .optional()
    .describe('prompt sets, tried at each step separately'),
  outputs: z
    .union([forms, z.record(z.string(), forms)])
    .optional()
    .describe('output forms, tried at each step separately'),
  methods: z
    .array(methodEntry)
    .min(1)
    .optional()
    .describe('other methods in place of the one of the start'),
  propose: proposed.optional().describe('prompts that a model writes'),
});

const start = z.union([
  nonEmpty,
  z.strictObject({
    method: methodEntry,
    dataset: z.union([nonEmpty, datasetEntry]),
    model: modelEntry.optional(),
  }),
]);

const limits = runInput.pick({ concurrency: true, requestsPerMinute: true, tokensPerMinute: true });

/** Points of the metric that correspond to a score of 1. */
const ALL_POINTS = 100;

/** Schema of the content of a tune file. */
const tuneInput = limits.extend({
  name: name.describe('name of the tune'),
  start: start.describe('a stored run, or { method, dataset, model } as in a study'),
  goal: z.enum(['better', 'cheaper']).describe('what a change must prove to be'),
  margin: z
    .number()
    .gt(0)
    .lt(ALL_POINTS)
    .optional()
    .describe('points of the metric that may be lost, if the goal is cheaper'),
  metric: nonEmpty.optional().describe('metric by name; left out, the main one of the questions'),
  try: tried.describe('what is changed'),
  confirm: z
    .union([z.literal('half'), datasetEntry])
    .default('half')
    .describe('the other half of the questions, or a data set that shares none with them'),
  cluster: nonEmpty
    .optional()
    .describe('field, such as a document; questions with the same value count as one draw'),
  budgetUsd: positive().optional().describe('budget of the whole tune, in US dollars'),
});

/** The content of a tune file as its author writes it, without defaults. */
export type TuneInput = z.input<typeof tuneInput>;
/** The content of a tune file, checked and with all defaults. */
export type Tune = z.output<typeof tuneInput>;

/**
 * Checks the parsed content of a tune file, and returns it with defaults.
 *
 * @throws Failure BadInput naming every field that is wrong.
 */
export function parseTune(input: unknown): Tune {
  return parsedBy(tuneInput, input, problemsOf);
}

function problemsOf({ goal, margin, try: all }: Tune): Problem[] {
  const problems: Problem[] = [];
  if (goal === 'cheaper' && margin === undefined) {
    problems.push({ path: ['margin'], message: 'is missing: say how many points may be lost' });
  }
  if (goal === 'better' && margin !== undefined) {
    const message = 'has no effect: nothing may be lost if the goal is better';
    problems.push({ path: ['margin'], message });
  }
  if (Object.values(all).every((one) => one === undefined)) {
    problems.push({ path: ['try'], message: 'names no change: nothing would be tried' });
  }
  const { propose } = all;
  if (propose && (propose.model === undefined) === (propose.by === undefined)) {
    const message = 'needs either a model that writes prompts, or the action that does (by)';
    problems.push({ path: ['try', 'propose'], message });
  }
  return problems;
}

/**
 * The goal of a tune's candidates: a better score than the start's, or a lower cost at a score
 * that is lower by at most a margin (a score from 0 to 1).
 */
export interface Goal {
  goal: Tune['goal'];
  /** Largest acceptable loss of the score, from 0 to 1; 0 if the goal is better. */
  margin: number;
}

/**
 * Returns the goal of a tune; the margin, in points (0 to 100) in the file, becomes a score from 0
 * to 1.
 */
export function goalOf({ goal, margin = 0 }: Pick<Tune, 'goal' | 'margin'>): Goal {
  return { goal, margin: margin / ALL_POINTS };
}
