/** The schema and the check of a run's input. */
import { z } from 'zod';
import { type MethodRegistry, methodNamed } from '../method-registry.js';
import { NAME_PATTERN, NAME_RULE } from '../name.js';
import { checkAgainst, parsedBy } from '../options/checked.js';
import { searchesNothing } from '../options/idle-retrieval.js';
import { commonInput, judge, tenant } from '../options/input.js';
import { BadInput, badInput } from '../options/problems.js';
import { between, nonEmpty, positive, whole } from '../options/ranges.js';
import { unknownSteps } from '../options/unknown-steps.js';
import { MOST_IN_FLIGHT } from '../provider-batches.js';
import { untilDecided } from '../study/until-decided.js';
import type { SearchMode } from '../vocabulary.js';
import { datasetInput } from './dataset-input.js';
import { DEFAULT_SETTINGS, settingsOf } from './run-settings.js';
import { transport } from './transport-input.js';

const runName = z.string().regex(NAME_PATTERN, { error: NAME_RULE });

const noise = z
  .strictObject({
    ratio: between(0, 1)
      .describe('share of the passages that contain no answer')
      .meta({ flag: '--noise <shares>', flagGroup: 'Questions', flagTakes: 'sweep' }),
    kind: z
      .enum(['top', 'random'])
      .default('top')
      .describe(
        '"top": the best-ranked passages without an answer; "random": passages found for other questions',
      )
      .meta({ flag: '--noise-kind <kind>', flagGroup: 'Questions' }),
    count: whole(1, 100).default(5).describe('k, passages of a question'),
    depth: whole(1, 1000).default(100).describe('passages retrieved to choose from'),
  })
  .refine(({ ratio, count }) => Math.abs(Math.round(ratio * count) - ratio * count) < 1e-9, {
    path: ['ratio'],
    error: ({ input }) =>
      `must give a whole number of passages out of ${Object(input).count} (noise.count, which --input FILE can set)`,
  })
  .refine(({ count, depth }) => count <= depth, {
    path: ['depth'],
    error: 'must be at least count, because the passages are chosen from these',
  });

/** The parent run of a fork, and the step it is forked at. */
const fork = z.strictObject({
  run: runName.describe('run whose calls are reused'),
  at: nonEmpty
    .optional()
    .describe('step whose calls are repeated; left out, only calls without a record are made')
    .meta({ flag: '--at <step>' }),
  where: z
    .enum(['wrong'])
    .optional()
    .describe('only questions with a wrong answer; gives no comparison')
    .meta({ flag: '--where <state>' }),
  question: nonEmpty
    .optional()
    .describe('id of the only question that is forked')
    .meta({ flag: '--question <id>' }),
  address: nonEmpty.optional().describe('only this call of the step, for that question'),
  output: z.unknown().optional().describe('output of that call, instead of a model call'),
  perfect: z
    .literal(true)
    .optional()
    .describe(
      'the step gives its perfect output, derived from the accepted answers; questions without records are left out',
    )
    .meta({ flag: '--perfect' }),
});

/**
 * The field `fork` of a run: its parent run, the step or call at which it departs from it, an
 * output (given, or derived from the accepted answers) to use there, and the questions that it
 * covers.
 */
export type Fork = z.output<typeof fork>;

/**
 * The part of its questions that a run of a tune asks (`of`): half A, on which the tune searches,
 * half B, which confirms its result, or all, if another data set confirms. Further the field whose
 * questions stay in one half (`cluster`), and the name of the claim to confirm (`claim`).
 */
export type RunHalf = NonNullable<RunSpec['half']>;

/**
 * Schema of the input of a run; its result has the defaults of all fields but `options` and
 * `concurrency`, which depend on the method and the transport.
 */
export const runInput = commonInput
  .pick({ models: true, extraBody: true, outputs: true, tier: true, prompts: true })
  .extend(commonInput.pick({ seed: true, cache: true, limits: true }).shape)
  .extend(commonInput.pick({ budgetPerQuestionUsd: true }).shape)
  .extend({
    run: runName
      .describe('name of the run; starting it again joins it')
      .meta({ flag: '--name <run>', otherwise: 'made of the flags and the contents' }),
    method: nonEmpty.describe('see: durable-rag methods').meta({
      flag: '--method <name>',
      flagGroup: 'Method',
      takes: 'the name of a method; "durable-rag methods" lists them',
    }),
    options: z.record(z.string(), z.unknown()).default({}).describe('options of the method'),
    ...datasetInput.shape,
    limit: whole(1)
      .optional()
      .describe('number of questions, from the beginning of the file')
      .meta({ flag: '--limit <n>', flagGroup: 'Questions' }),
    sample: whole(1)
      .optional()
      .describe('number of questions, drawn at random by sampleSeed')
      .meta({ flag: '--sample <n>', flagGroup: 'Questions' }),
    sampleSeed: whole(0)
      .default(0)
      .describe('draws the sample and the noise passages; independent of the seed')
      .meta({ flag: '--sample-seed <n>', flagGroup: 'Questions' }),
    half: z
      .strictObject({
        of: z
          .enum(['A', 'B', 'all'])
          .describe(
            'half A, on which a tune searches, or half B, which confirms; "all" is a separate data set',
          ),
        cluster: nonEmpty.optional().describe('field whose questions stay in one half'),
        claim: nonEmpty
          .optional()
          .describe('name of the claim; leaves out questions that have confirmed another one'),
      })
      .optional()
      .describe('only the questions of a half, in a drawn order; used by tunes'),
    shuffle: z
      .boolean()
      .optional()
      .describe('asks the questions in an order drawn by sampleSeed; used by studies'),
    corpus: nonEmpty
      .optional()
      .describe('index to search for questions that come without passages')
      .meta({ flag: '--corpus <name>', flagGroup: 'Search' }),
    mode: z
      .enum(['bm25', 'dense', 'hybrid', 'given'])
      .optional()
      .describe(
        'how passages are searched; "given" leaves those of a question in the order of the file',
      )
      .meta({ flag: '--mode <mode>', flagGroup: 'Search' }),
    ownPassages: z
      .boolean()
      .default(true)
      .describe('uses passages that come with a question instead of the corpus')
      .meta({
        flag: '--no-own-passages',
        flagGroup: 'Search',
        flagSays: 'search the corpus also for questions that come with passages',
      }),
    requireAnswers: z
      .boolean()
      .optional()
      .describe('false: questions without gold answers are asked too, and have no scores'),
    noise: noise.optional().describe('replaces a share of the passages by ones without an answer'),
    judge: judge.optional().meta({
      flag: '--judge <model>',
      flagGroup: 'Scores',
      flagSays: 'model that judges claims, citations and rubrics; none when left out',
    }),
    metrics: z
      .array(nonEmpty)
      .optional()
      .describe('metrics of your own, by name; all that the workers have when left out')
      .meta({ flag: '--metrics <names>', flagGroup: 'Scores' }),
    transport,
    concurrency: whole(1, MOST_IN_FLIGHT)
      .optional()
      .describe('maximum number of questions in flight')
      .meta({
        flag: '--concurrency <n>',
        flagGroup: 'Limits',
        otherwise: '20, and with batches as many as fill one',
      }),
    fork: fork.optional().describe('reuses the calls of another run, see docs/what-if.md'),
    study: z
      .strictObject({
        name: runName.describe('name of the study'),
        method: nonEmpty.describe('name of the method in its table'),
        dataset: nonEmpty.describe('name of the data set in its table'),
        model: nonEmpty.describe('name of the model in its table'),
        place: whole(0).describe('position of its cell in the study, from 0'),
        repeat: whole(1).describe('number of the repeat, from 1'),
        baseline: nonEmpty.optional().describe('method that others are compared with'),
        metrics: z
          .array(nonEmpty)
          .optional()
          .describe('metrics that are compared (default: the main metric of each data set)'),
        cluster: nonEmpty
          .optional()
          .describe('field; questions with the same value are treated as one draw'),
        untilDecided: untilDecided
          .optional()
          .describe('rule by which the study stops once it is decided; fixed before it begins'),
        definition: z
          .record(z.string(), z.unknown())
          .optional()
          .describe('content of the study file; stored with the first of its runs'),
        comparisons: whole(1)
          .optional()
          .describe(
            'number of comparisons with the baseline in the whole study, for the correction',
          ),
        tune: z
          .record(z.string(), z.unknown())
          .optional()
          .describe('the tune that it belongs to, as it was started; see docs/tune.md'),
      })
      .optional()
      .describe('place of a run in its study, see docs/studies.md'),
    upTo: whole(1).optional().describe('maximum number of questions that are asked in this start'),
    retryBefore: whole(0)
      .optional()
      .describe(
        'does not repeat questions that failed after this time, in milliseconds since 1970',
      ),
    retryUnreadable: z
      .boolean()
      .optional()
      .describe('repeats unreadable answers, as another sample, like failed questions'),
    endsAtPause: z
      .boolean()
      .optional()
      .describe('ends instead of waiting in a pause until a person resumes it'),
    costsSeen: z
      .strictObject({ usd: z.number().min(0), questions: whole(0) })
      .optional()
      .describe('known costs of its questions, from a study with a budget'),
    command: z
      .string()
      .optional()
      .describe('command line that started it, without secrets; shown in manifest and report'),
    acceptChange: z
      .boolean()
      .optional()
      .describe('continues a run although it differs; its manifest records from which point')
      .meta({ flag: '--accept-change' }),
    onlyJudge: z
      .boolean()
      .optional()
      .describe('only judges the answers of a stored run; no question is asked'),
    tenant,
    budgetUsd: positive()
      .optional()
      .describe('budget at which the run pauses')
      .meta({ flag: '--budget-usd <x>', flagGroup: 'Limits', unit: 'US dollars' }),
    requestsPerMinute: positive()
      .optional()
      .describe('maximum number of model calls per minute, of all runs together')
      .meta({ flag: '--rpm <n>', flagGroup: 'Limits' }),
    tokensPerMinute: positive()
      .optional()
      .describe('maximum number of tokens per minute, of all runs together')
      .meta({ flag: '--tpm <n>', flagGroup: 'Limits' }),
    pauseAfter: whole(1, 1000)
      .nullable()
      .default(DEFAULT_SETTINGS.pauseAfter)
      .describe(
        'number of consecutive failures because of an outage after which the run pauses; null: never',
      )
      .meta({ flag: '--pause-after <n>', flagGroup: 'Limits' }),
    pauseIfFirst: whole(1, 1000)
      .nullable()
      .default(DEFAULT_SETTINGS.pauseIfFirst)
      .describe(
        'number of first questions after which the run pauses if all of them failed with a bad request or a prompt that is too long; null: never',
      )
      .meta({ flag: '--pause-if-first <n>', flagGroup: 'Limits' }),
    probeSeconds: positive(86_400)
      .default(DEFAULT_SETTINGS.probeSeconds)
      .describe('time between two questions that are asked during such a pause')
      .meta({ unit: 'seconds' }),
  });

// Settings that can change while the run is running; null removes a limit.
const { concurrency, budgetUsd, requestsPerMinute, tokensPerMinute } = runInput.shape;
const { pauseAfter, pauseIfFirst } = runInput.shape;
/**
 * Schema of a change to the settings of a running run; null removes a limit, and absent fields stay
 * unchanged.
 */
export const settingsInput = z.object({
  concurrency: setting(concurrency.unwrap(), concurrency),
  budgetUsd: setting(budgetUsd.unwrap().nullable(), budgetUsd),
  requestsPerMinute: setting(requestsPerMinute.unwrap().nullable(), requestsPerMinute),
  tokensPerMinute: setting(tokensPerMinute.unwrap().nullable(), tokensPerMinute),
  pauseAfter: setting(pauseAfter.unwrap(), pauseAfter),
  pauseIfFirst: setting(pauseIfFirst.unwrap(), pauseIfFirst),
});

/**
 * Returns the schema of a setting, with the description and flag of the input's field. Left out,
 * the setting stays unchanged.
 */
function setting<T extends z.ZodType>(takes: T, field: z.ZodType): z.ZodOptional<T> {
  const { otherwise: _, ...meta } = field.meta() ?? {};
  return takes.optional().meta(meta);
}

/** The checked input of a run, with all defaults, including those of the method's options. */
export type RunSpec = z.output<typeof runInput> & {
  concurrency: number;
  /**
   * Set if its questions have search attributes, because the Temporal server has registered them.
   */
  labelled?: true;
  /** Name of its data set; absent until the run has opened it. */
  datasetName?: string;
};

/** The checked input of a run whose questions are stored: `dataset` is their hash. */
export type StoredRunSpec = RunSpec & { dataset: string };

/**
 * The input of a run as a caller writes it, without defaults.
 *
 * @example { run: 'nq-sure', method: 'sure', dataset: 'nq', corpus: 'wiki', sample: 500 }
 */
export type RunInput = z.input<typeof runInput>;

/**
 * Returns a copy of an input with the word "input" in place of a list of questions, for display and
 * memos; unchanged if it names a data set.
 */
export function withoutQuestions<I extends { dataset: RunInput['dataset'] }>(input: I): I {
  return typeof input.dataset === 'string' ? input : { ...input, dataset: 'input' };
}

/**
 * Checks the input of a run, and returns it with all defaults.
 *
 * @param registry Methods that the input may name.
 * @throws Failure BadInput naming the wrong fields; some are found only once the others are right.
 */
export function parseRun(input: unknown, registry: MethodRegistry): RunSpec {
  const given = parsedBy(runInput, input);
  const { models, tier, outputs, prompts } = given;
  const method = methodNamed(given.method, registry, 'method');
  const schema = method.options as z.ZodType<Record<string, unknown>>;
  const options = checkAgainst(schema, given.options, ['options']);
  const judged = method.steps && [...method.steps, 'judgeClaim'];
  const problems = [
    ...unknownSteps({ models }, method.steps, given.method),
    ...unknownSteps({ tier, outputs, prompts }, judged, given.method),
    ...(options.problems ?? []),
  ];
  if (options.problems || problems.length > 0) throw new BadInput(problems);
  const { concurrency } = settingsOf(given);
  const spec = { ...given, concurrency, options: options.data };
  checkWindow(spec);
  checkNoise(spec);
  // It is not known before reading the data set whether a question searches the corpus.
  const unread = (['mode', 'noise'] as const).filter((name) => spec[name] !== undefined);
  if (unread.length > 0 && searchesNothing(method, spec.options)) {
    const message = 'has no effect: with these options the method searches nothing';
    throw new BadInput(unread.map((name) => ({ path: [name], message })));
  }
  return spec;
}

/** Refuses more questions in flight than are allowed without batches. */
function checkWindow({ concurrency, transport: batches }: RunSpec): void {
  if (batches || concurrency <= WIDEST_ONE_BY_ONE) return;
  throw badInput(
    'concurrency',
    ({ nameOf }) =>
      `must be at most ${WIDEST_ONE_BY_ONE} unless calls go by batch (${nameOf(['transport'])}), not ${concurrency}`,
  );
}

const WIDEST_ONE_BY_ONE = 500;

/**
 * Refuses noise with more passages than the method takes, since its share of noise would change.
 */
function checkNoise({ noise, method, options }: RunSpec): void {
  const { passages } = options;
  if (noise !== undefined && passages === undefined) {
    throw badInput('noise', `has no effect: ${method} reads no passages`);
  }
  if (noise === undefined || typeof passages !== 'number' || passages >= noise.count) return;
  throw badInput(
    'noise.count',
    `is ${noise.count}, but the method takes ${passages} (options.passages); make them the same`,
  );
}

/** Fields that apply to one start of a run and are not stored with it. */
const START_ONLY = [
  'acceptChange',
  'onlyJudge',
  'retryUnreadable',
  'retryBefore',
  'upTo',
  'endsAtPause',
  'costsSeen',
] as const;
type StartOnly = (typeof START_ONLY)[number];

/**
 * Splits an input into the fields that apply to this start only (`start`) and those that are stored
 * with the run (`kept`).
 */
export function splitStartFields<I extends Pick<RunSpec, StartOnly>>(
  input: I,
): { start: Pick<RunSpec, StartOnly>; kept: Omit<I, StartOnly> } {
  const entries = Object.entries(input);
  const isStartOnly = ([name]: [string, unknown]) =>
    (START_ONLY as readonly string[]).includes(name);
  return {
    start: Object.fromEntries(entries.filter(isStartOnly)),
    kept: Object.fromEntries(entries.filter((entry) => !isStartOnly(entry))) as Omit<I, StartOnly>,
  };
}

/**
 * Fields that may differ between two starts of one run: they change its speed and limits, not its
 * results.
 */
const OPERATION = [
  ...START_ONLY,
  'concurrency',
  'requestsPerMinute',
  'tokensPerMinute',
  'budgetUsd',
  'budgetPerQuestionUsd',
  'pauseAfter',
  'pauseIfFirst',
  'probeSeconds',
  'command',
  'study',
  'tier',
  'transport',
] as const;
type Operation = (typeof OPERATION)[number] | 'limits';

/**
 * Returns the mode in which a run searches a corpus or ranks a question's own passages; undefined
 * if the run sets none, or sets "given", by which a question's own passages keep the order of the
 * file.
 */
export function searchModeOf({ mode }: Pick<RunSpec, 'mode'>): SearchMode | undefined {
  return mode === 'given' ? undefined : mode;
}

/**
 * Returns the fields of a run that decide its results, without those that change only speed, limits
 * or display. All starts of a run must agree in them, unless a change is accepted.
 */
export function identityOf(spec: RunSpec): Omit<RunSpec, Operation> & { limits: object } {
  const { outageSeconds, ...limits } = spec.limits;
  const identity: Partial<RunSpec> = { ...spec };
  for (const name of OPERATION) delete identity[name];
  return { ...(identity as Omit<RunSpec, Operation>), limits };
}
