/** What every method is started with, and how a bad input is refused. */
import { z } from 'zod';
import type { OwnMethod } from '../method.js';
import { TIERS, type Tiers } from '../tier.js';
import { badInput, checkAgainst } from './checked.js';
import { idleRetrieval, USUAL_CORPUS } from './idle-retrieval.js';
import { nearest } from './nearest.js';
import { unknownSteps } from './step-models.js';

const question = z
  .string()
  .trim()
  .min(1, 'is empty; ask something')
  .max(20_000, { error: (issue) => `is ${length(issue.input)} characters long; at most 20000` });

const suppliedPassage = z.strictObject({
  title: z.string().default('').describe('shown to the model above the text'),
  text: z.string().trim().min(1, 'is empty'),
});

const retrieval = z.strictObject({
  corpus: z.string().min(1).default(USUAL_CORPUS).describe('name of the index to search'),
  mode: z
    .enum(['bm25', 'dense', 'hybrid'])
    .optional()
    .describe(
      'how the corpus, or the passages that come with the question, are searched; left out, "bm25", and those passages as they stand for the question itself: the others need embeddings',
    ),
  passages: z
    .array(suppliedPassage)
    .min(1, 'is empty; leave it out to search a corpus')
    .optional()
    .describe('passages that come with the question, best first, used in place of a corpus'),
});

const limits = z.strictObject({
  reasks: z
    .int()
    .min(0)
    .max(10)
    .default(2)
    .describe('how often an unreadable output is asked again before the documented fallback'),
  attempts: z
    .int()
    .min(1)
    .max(1000)
    .default(6)
    .describe('how often a failing provider is tried for one call, refusals for rate not counted'),
  refusals: z
    .int()
    .min(1)
    .max(100_000)
    .default(200)
    .describe('how often one call may be refused for rate before the question fails'),
  outageSeconds: z
    .number()
    .min(0)
    .max(86_400)
    .default(300)
    .describe('how long a provider that is away or overloaded is waited for, for one call'),
  callTimeoutSeconds: z.number().min(1).max(3600).default(300).describe('time one call may take'),
});

const labels = z.strictObject({
  run: z.string().min(1).optional(),
  dataset: z.string().min(1).optional(),
});

const tierName = z.enum(TIERS);

/** A name alone is that of all steps. */
const tier = z
  .union(
    [tierName.transform((name): Tiers => ({ default: name })), z.record(z.string(), tierName)],
    {
      error: ({ input }) =>
        `must be one of ${TIERS.join(', ')}, or name one of them for each step${wrongTier(input)}`,
    },
  )
  .optional();

/** The part of the input that is the same for every method. */
export const commonInput = z.strictObject({
  question,
  retrieval: retrieval.prefault({}),
  models: z
    .record(z.string(), z.string().min(1))
    .default({})
    .describe('model by step name; "default" for the steps not named'),
  tier: tier.describe('"flex" waits for room at a lower price; for all steps, or by step name'),
  prompts: z.string().min(1).default('default').describe('name of the prompt set'),
  seed: z.int().min(0).default(0).describe('decides everything random about an answer'),
  cache: z.boolean().default(true).describe('false pays for every call again'),
  limits: limits.prefault({}),
  labels: labels.prefault({}).describe('what search attributes find the question by'),
});

/** Input with every default filled in. */
export type CompleteInput<O> = z.output<typeof commonInput> & { options: O };

/**
 * What a caller passes: a question, and whatever should differ from the defaults.
 *
 * @example { question: 'Who composed the Goldberg Variations?', options: { candidates: 3 } }
 */
export type MethodInput<O> = z.input<typeof commonInput> & { options?: Partial<O> };

/** What decides which input a method takes. */
export type InputRules<O> = Pick<OwnMethod<O>, 'options'> &
  Partial<Pick<OwnMethod<O>, 'steps' | 'searches'>>;

/**
 * Fills in defaults and refuses what does not fit.
 *
 * @param method Where it names no steps, `models` may name any.
 * @param ofBatch A batch names its corpus to every question, also where the method searches none.
 * @throws Failure BadInput naming every field that is wrong and what it should be.
 */
export function parseInput<O>(
  { options, steps, ...method }: InputRules<O>,
  input: unknown,
  ofBatch = false,
): CompleteInput<O> {
  const schema = commonInput.extend({ options: z.prefault(options, {} as never) });
  const checked = checkAgainst(schema, input);
  const problems = checked.problems ?? [
    ...unknownSteps(checked.data.models, steps),
    ...unknownSteps(checked.data.tier, steps, 'tier'),
    ...(ofBatch ? [] : idleRetrieval(input, checked.data.options, method)),
  ];
  if (!checked.problems && problems.length === 0) return checked.data as CompleteInput<O>;
  throw badInput(problems);
}

/** Which of the steps that are named has no tier that there is. */
function wrongTier(input: unknown): string {
  const entries = typeof input === 'string' ? [['', input]] : Object.entries(Object(input));
  const wrong = entries.find(([, name]) => !TIERS.some((tier) => tier === name));
  if (wrong === undefined) return '';
  const [step, name] = wrong;
  const meant = typeof name === 'string' ? nearest(name, TIERS) : undefined;
  const said = step === '' ? `not ${JSON.stringify(name)}` : `${step} has ${JSON.stringify(name)}`;
  return `; ${said}${meant === undefined ? '' : `; did you mean ${meant}?`}`;
}

function length(value: unknown): number {
  return typeof value === 'string' ? value.length : 0;
}
