/** What a batch evaluation is started with, and how a bad one is refused. */
import { z } from 'zod';
import { WIDEST_WINDOW } from '../batch-transport.js';
import { Failure } from '../failure.js';
import { badInput, checkAgainst } from '../options/checked.js';
import { searchesNothing } from '../options/idle-retrieval.js';
import { commonInput } from '../options/input.js';
import { unknownSteps } from '../options/step-models.js';
import { type MethodRegistry, methodNamed } from '../registry.js';
import type { BatchSettings } from './batch.js';
import { DEFAULT_SETTINGS, settingsOf } from './settings.js';
import { transport } from './transport-input.js';

/** One of ours, or of somebody's own. */

/** What may name a run. */
export const RUN_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

const runName = z.string().regex(RUN_NAME, {
  error: 'must be letters, digits, ".", "_" or "-", at most 100 of them',
});

const noise = z
  .strictObject({
    ratio: z.number().min(0).max(1).describe('share of the passages that hold no answer'),
    kind: z.enum(['top', 'random']).default('top').describe('where they come from'),
    count: z.int().min(1).max(100).default(5).describe('k, passages a question is asked with'),
    depth: z.int().min(1).max(1000).default(100).describe('passages searched to choose from'),
  })
  .refine(({ ratio, count }) => Math.abs(Math.round(ratio * count) - ratio * count) < 1e-9, {
    path: ['ratio'],
    error: 'must make whole passages: ratio times count must be a whole number',
  })
  .refine(({ count, depth }) => count <= depth, {
    path: ['depth'],
    error: 'must be at least count, or there are too few passages to choose from',
  });

const batchInput = commonInput
  .pick({ models: true, tier: true, prompts: true, seed: true, cache: true, limits: true })
  .extend({
    run: runName.describe('name of the run; starting it again joins it'),
    method: z.custom<string>((name) => typeof name === 'string' && name !== '', {
      error: 'names no method',
    }),
    options: z.record(z.string(), z.unknown()).default({}).describe('options of the method'),
    dataset: z
      .string()
      .min(1)
      .describe('file of questions, as the workers see it; see docs/datasets.md'),
    limit: z.int().min(1).optional().describe('only the first so many questions of the file'),
    sample: z.int().min(1).optional().describe('so many of them, drawn by sampleSeed'),
    sampleSeed: z
      .int()
      .min(0)
      .default(0)
      .describe('draws the sample and the passages of noise; the same ones for every seed'),
    corpus: z
      .string()
      .min(1)
      .optional()
      .describe('index to search for the questions that bring no passages'),
    mode: z.enum(['bm25', 'dense', 'hybrid']).optional().describe('how it is searched'),
    ownPassages: z
      .boolean()
      .default(true)
      .describe('whether passages that come with a question are used in place of the corpus'),
    requireAnswers: z
      .boolean()
      .optional()
      .describe('false: questions without gold answers are asked as well, and have no scores'),
    noise: noise.optional().describe('asks with a share of passages that hold no answer'),
    judge: z
      .string()
      .min(1)
      .optional()
      .describe('model that judges claims, citations and rubrics; none when left out'),
    metrics: z
      .array(z.string().min(1))
      .optional()
      .describe('metrics of your own, by name; all that the workers have when left out'),
    transport: transport
      .optional()
      .describe('how model calls are made: by batches of a provider, or one by one'),
    concurrency: z
      .int()
      .min(1)
      .max(WIDEST_WINDOW)
      .optional()
      .describe('questions under way at a time; 20, and with batches as many as fill one'),
    acceptChange: z
      .boolean()
      .optional()
      .describe('goes on with a run though it differs from this; its manifest says from where on'),
    budgetUsd: z.number().positive().optional().describe('US dollars; the run pauses when spent'),
    requestsPerMinute: z.number().positive().optional().describe('model calls a minute'),
    tokensPerMinute: z.number().positive().optional().describe('tokens a minute'),
    pauseAfter: z
      .int()
      .min(1)
      .max(1000)
      .nullable()
      .default(DEFAULT_SETTINGS.pauseAfter)
      .describe('questions in a row that fail by an outage before the run pauses; null: never'),
    probeSeconds: z
      .number()
      .positive()
      .max(86_400)
      .default(DEFAULT_SETTINGS.probeSeconds)
      .describe('between two questions that are asked in such a pause'),
  });

/** Input with every default filled in, those of the method's options included. */
export type Batch = z.output<typeof batchInput> & {
  concurrency: number;
  /** Whether its questions are started with search attributes: the server has them. */
  labelled?: true;
};

/**
 * What a caller passes.
 *
 * @example { run: 'nq-sure', method: 'sure', dataset: '/data/nq.jsonl.gz', corpus: 'wiki', sample: 500 }
 */
export type BatchInput = z.input<typeof batchInput>;

/**
 * @param registry The methods there are.
 * @throws Failure BadInput naming every field that is wrong.
 */
export function parseBatch(input: unknown, registry: MethodRegistry): Batch {
  const parsed = checkAgainst(batchInput, input);
  if (parsed.problems) throw badInput(parsed.problems);
  const { models, tier } = parsed.data;
  const method = methodNamed(parsed.data.method, registry, 'Bad input. method');
  const schema = method.options as z.ZodType<Record<string, unknown>>;
  const options = checkAgainst(schema, parsed.data.options, ['options']);
  const problems = [
    ...unknownSteps(models, method.steps),
    ...unknownSteps(tier, method.steps && [...method.steps, 'judgeClaim'], 'tier'),
    ...(options.problems ?? []),
  ];
  if (options.problems || problems.length > 0) throw badInput(problems);
  const { concurrency } = settingsOf(parsed.data);
  const batch = { ...parsed.data, concurrency, options: options.data };
  checkWindow(batch);
  checkNoise(batch);
  // Whether any question searches the corpus is known once the data set has been read.
  const unread = (['mode', 'noise'] as const).filter((name) => batch[name] !== undefined);
  if (unread.length > 0 && searchesNothing(method, batch.options)) {
    throw badInput(
      unread.map(
        (name) => `${name}: has no effect: with these options the method searches nothing`,
      ),
    );
  }
  return batch;
}

/** Calls that go one by one are as many as there are questions under way. */
function checkWindow({ concurrency, transport: batches }: Batch): void {
  if (batches || concurrency <= WIDEST_ONE_BY_ONE) return;
  throw badInput([
    `concurrency: is ${concurrency}; at most ${WIDEST_ONE_BY_ONE} where calls do not go by batch`,
  ]);
}

const WIDEST_ONE_BY_ONE = 500;

/** The share of noise would be another one if a question did not take all of its passages. */
function checkNoise({ noise, method, options }: Batch): void {
  const { passages } = options;
  if (noise !== undefined && passages === undefined) {
    throw badInput([`noise: has no effect: ${method} reads no passages`]);
  }
  if (noise === undefined || typeof passages !== 'number' || passages >= noise.count) return;
  throw new Failure(
    'BadInput',
    `Bad input. noise.count: is ${noise.count}, but the method takes ${passages} (options.passages); make them the same`,
  );
}

/** What may differ between two starts of one run: it says how fast, and how patiently, not what. */
type Operation = keyof BatchSettings | 'acceptChange' | 'tier' | 'transport';

/** The part of a batch that makes its results what they are; the same for all starts of a run. */
export function identityOf(batch: Batch): Omit<Batch, Operation | 'limits'> & { limits: object } {
  const { concurrency, budgetUsd, requestsPerMinute, tokensPerMinute, ...others } = batch;
  const { tier, transport, acceptChange, pauseAfter, probeSeconds, ...rest } = others;
  const { limits: all, ...identity } = rest;
  const { outageSeconds, ...limits } = all;
  return { ...identity, limits };
}
