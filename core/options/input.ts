/** The schema of a question's input, which is the same for every method except its options. */
import { z } from 'zod';
import type { Method } from '../method.js';
import { OUTPUT_FORMS, REASONING_EFFORTS, type StepDefaults } from '../step-models.js';
import { tenantName } from '../tenants.js';
import { TIERS } from '../tier.js';
import { parsedBy } from './checked.js';
import { extraBody } from './extra-body.js';
import { DEFAULT_CORPUS, unusedRetrievalProblems } from './idle-retrieval.js';
import { between, nonEmpty, positive, whole } from './ranges.js';
import { unknownSteps } from './unknown-steps.js';

const question = z
  .string()
  .trim()
  .min(1, 'is empty; ask something')
  .max(20_000, { error: (issue) => `is ${length(issue.input)} characters long; at most 20000` });

const suppliedPassage = z.strictObject({
  title: z.string().default('').describe('shown to the model above the text'),
  text: z.string().trim().min(1, 'is empty'),
  id: z
    .union([nonEmpty, z.int().transform(String)], 'must be a text, or a whole number up to 2^53')
    .optional()
    .describe('your own id, stored in addition to the one that the store assigns'),
  score: z.number().optional().describe("your retriever's, higher is better"),
});

const retrieval = z.strictObject({
  corpus: nonEmpty
    .default(DEFAULT_CORPUS)
    .describe('name of the index to search')
    .meta({ flag: '--corpus <name>', flagGroup: 'Search' }),
  mode: z
    .enum(['bm25', 'dense', 'hybrid'])
    .optional()
    .describe(
      'search mode; "dense" and "hybrid" need embeddings; left out, "bm25", and passages that come with the question keep their order for the question itself',
    )
    .meta({ flag: '--mode <mode>', flagGroup: 'Search' }),
  passages: z
    .array(suppliedPassage)
    .min(1, 'is empty; leave it out to search a corpus')
    .optional()
    .describe('passages that come with the question, best first, used in place of a corpus'),
});

const limits = z.strictObject({
  reasks: whole(0, 10)
    .default(2)
    .describe(
      'maximum number of times that an unreadable output is asked again before the documented fallback',
    ),
  attempts: whole(1, 1000)
    .default(6)
    .describe(
      'maximum number of attempts of one call that fail at the provider; refusals by its rate limit do not count',
    ),
  refusals: whole(1, 100_000)
    .default(200)
    .describe(
      "maximum number of times that the provider's rate limit refuses one call before the question fails",
    ),
  outageSeconds: between(0, 86_400)
    .default(300)
    .describe('how long one call waits for a provider that is unreachable or overloaded')
    .meta({ unit: 'seconds' }),
  callTimeoutSeconds: between(1, 3600)
    .default(300)
    .describe('timeout of one call')
    .meta({ unit: 'seconds' }),
});

/** Schema of the name of the tenant of a question or a run; optional. */
export const tenant = tenantName
  .optional()
  .describe('tenant whose share of the rate limit and whose daily budget the calls use')
  .meta({ flag: '--tenant <name>', flagGroup: 'Limits' });

const labels = z.strictObject({
  run: nonEmpty.optional(),
  dataset: nonEmpty.optional(),
  tenant,
});

/** Schema of one name for each step; a single name applies to all steps. */
function byStep<const N extends string>(names: readonly N[]) {
  const name = z.enum(names);
  return z
    .union([name.transform((all) => ({ default: all })), z.record(z.string(), name)])
    .transform((named): Readonly<Record<string, N>> => ({ ...named }));
}

const modelWithParameters = z.strictObject({
  model: nonEmpty,
  temperature: between(0, 2).optional(),
  topP: z.number().gt(0).max(1).optional(),
  reasoningEffort: z.enum(REASONING_EFFORTS).optional(),
  maxTokens: whole(1, 200_000).optional(),
  extraBody: extraBody.optional(),
});

/**
 * Schema of models by step name: each the name of a model, or parameters with or without a name.
 */
export const models = z
  .record(z.string(), z.union([nonEmpty, modelWithParameters.partial({ model: true })]))
  .describe(
    'model by step name, or { model, temperature, topP, reasoningEffort, maxTokens, extraBody }, which replace the parameters of the step; "default" for steps that are not named',
  );

/** Schema of the judge: the name of a model, or a name with parameters. */
export const judge = z
  .union([nonEmpty, modelWithParameters])
  .describe(
    'model that judges claims, citations and rubrics, or { model, temperature, topP, reasoningEffort, maxTokens, extraBody }; none when left out',
  );

/**
 * Schema of output forms by step name. A single form is accepted too; its result is `{ default:
 * form }`.
 */
export const outputs = byStep(OUTPUT_FORMS).describe(
  '"schema" asks for JSON whose schema the endpoint enforces, "text" for the form of the papers; for all steps, or by step name; left out, "text"',
);

/**
 * Checks a worker's default models, output forms and body fields, and returns them parsed, as
 * `models` and `outputs` by step name and `extraBody`; each is absent if not given.
 *
 * @param steps Names of all known steps.
 * @throws Failure BadInput naming every field that is wrong.
 */
export function parseStepDefaults(
  defaults: { models?: unknown; outputs?: unknown; extraBody?: unknown },
  steps: readonly string[],
): StepDefaults {
  const schema = z.object({
    models: models.optional(),
    outputs: outputs.optional(),
    extraBody: extraBody.optional(),
  });
  return parsedBy(schema, defaults, (given) => unknownSteps(given, steps, 'any method'));
}

/** Schema of the input that is the same for every method: all fields except `options`. */
export const commonInput = z.strictObject({
  question,
  retrieval: retrieval.prefault({}),
  models: models.default({}).meta({
    flag: '--model <name>',
    flagGroup: 'Model',
    flagSets: 'default',
    flagSetsIn: 'model',
    otherwise: 'DURABLE_RAG_MODEL',
  }),
  extraBody: extraBody.optional().meta({
    flag: '--extra-body <field=value>',
    flagGroup: 'Model',
    flagTakes: 'pairs',
    flagSays: 'a field of your own in the body of every model call, again and again',
    otherwise: 'DURABLE_RAG_EXTRA_BODY',
  }),
  outputs: outputs
    .optional()
    .meta({ flag: '--outputs <form>', flagGroup: 'Model', flagSets: 'default', otherwise: 'text' }),
  tier: byStep(TIERS)
    .optional()
    .describe('"flex" is cheaper and may wait for capacity; for all steps, or by step name')
    .meta({
      flag: '--tier <tier>',
      flagGroup: 'Model',
      flagSets: 'default',
      otherwise: 'standard',
    }),
  prompts: z
    .union([nonEmpty, z.record(z.string(), nonEmpty)])
    .default('default')
    .describe('name of the prompt set; for all steps, or by step name')
    .meta({ flag: '--prompts <name>', flagGroup: 'Model' }),
  seed: whole(0)
    .default(0)
    .describe('seed of everything random about an answer')
    .meta({ flag: '--seed <n>', flagGroup: 'Model' }),
  cache: z
    .boolean()
    .default(true)
    .describe('uses cached responses of earlier calls; false pays for every call again')
    .meta({ flag: '--no-cache', flagGroup: 'Model', flagSays: 'pay for every call again' }),
  limits: limits.prefault({}),
  budgetPerQuestionUsd: positive()
    .optional()
    .describe('a question that has cost this much fails without further calls')
    .meta({ flag: '--budget-per-question-usd <x>', flagGroup: 'Limits', unit: 'US dollars' }),
  labels: labels
    .prefault({})
    .describe('values of the search attributes by which the question is found'),
});

/** The checked input of a question, with all defaults. */
export type CompleteInput<O> = z.output<typeof commonInput> & { options: O };

/**
 * The input of a question as a caller writes it: the question, with the settings that differ from
 * their defaults.
 *
 * @example { question: 'Who composed the Goldberg Variations?', options: { candidates: 3 } }
 */
export type MethodInput<O> = z.input<typeof commonInput> & { options?: Partial<O> };

/** The fields of a method that decide which input is valid. */
type InputRules<O> = Pick<Method<O>, 'options'> &
  Partial<Pick<Method<O>, 'name' | 'steps' | 'searches'>>;

/**
 * Checks the input of a question, and returns it with all defaults.
 *
 * @param method Its options and steps. Without steps, step names are not checked.
 * @param ofRun Whether a run asks the question. Then fields of `retrieval` that have no effect are
 * no error, because the run sets them for every question.
 * @throws Failure BadInput naming every field that is wrong and what it should be.
 */
export function parseInput<O>(
  { options, steps, name = 'this method', ...method }: InputRules<O>,
  input: unknown,
  ofRun = false,
): CompleteInput<O> {
  const schema = commonInput.extend({ options: z.prefault(options, {} as never) });
  return parsedBy(schema, input, (data) => [
    ...unknownSteps(data, steps, name),
    ...(ofRun ? [] : unusedRetrievalProblems(input, data.options, method)),
  ]) as CompleteInput<O>;
}

function length(value: unknown): number {
  return typeof value === 'string' ? value.length : 0;
}
