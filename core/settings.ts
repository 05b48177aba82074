/** The settings: environment variables that durable-rag reads. Pure. */
import { z } from 'zod';
import { Failure } from './failure.js';
import { httpAddress } from './http-address.js';
import { correctedName } from './options/nearest.js';
import { nonEmpty } from './options/ranges.js';
import { describeAllowed, fieldAt, fieldOf } from './options/schema-fields.js';
import { ROLES } from './roles.js';
import { serverUrl } from './server-url.js';

/** Largest value of `limits.callTimeoutSeconds`, in seconds. */
export const LONGEST_CALL_SECONDS = 3600;

const text = (description: string) => nonEmpty.optional().describe(description);
const secret = (description: string) => text(description).meta({ isSecret: true });
const url = (description: string) =>
  z
    .url({ protocol: /^https?$/ })
    .refine((value) => serverUrl(value) !== undefined)
    .optional()
    .describe(description)
    .meta({ takes: 'an http or https URL' });
const port = (description: string) =>
  z.coerce
    .number()
    .int()
    .min(1)
    .max(65_535)
    .describe(description)
    .meta({ takes: 'a port from 1 to 65535' });
const seconds = (description: string) =>
  z.coerce.number().min(0).describe(description).meta({ unit: 'seconds' });
const whole = (least: number) => z.coerce.number().int().min(least);

/**
 * Schema of the environment variables that workers read; clients and commands read some of them
 * too.
 */
export const workerSettings = z.object({
  OPENAI_API_KEY: secret('key of the endpoint'),
  OPENAI_BASE_URL: url(
    'any endpoint with chat completions, with or without `/chat/completions` at its end',
  ).meta({ otherwise: "OpenAI's" }),
  DURABLE_RAG_MODEL: z
    .string()
    .default('gpt-4o-mini')
    .describe('model of the steps for which a question sets none'),
  DURABLE_RAG_EXTRA_BODY: text(
    'JSON object of fields of your own in the body of every model call, such as `{"enable_thinking":false}`',
  ).meta({ otherwise: 'none', option: 'extraBody' }),
  DURABLE_RAG_EMBEDDING_MODEL: text(
    'model of embeddings; `local` is all-MiniLM-L6-v2 on this machine',
  ).meta({
    otherwise: '`text-embedding-3-small`; `local` if neither this nor an endpoint is set',
  }),
  OPENAI_EMBEDDING_BASE_URL: url(
    'endpoint of embeddings, with or without `/embeddings` at its end',
  ).meta({ otherwise: '`OPENAI_BASE_URL`' }),
  OPENAI_EMBEDDING_API_KEY: secret('its key').meta({
    otherwise: '`OPENAI_API_KEY`, unless `OPENAI_EMBEDDING_BASE_URL` names another endpoint',
  }),
  DURABLE_RAG_EMBEDDING_DIMENSIONS: whole(1)
    .optional()
    .describe('length of the vectors, for models that can shorten them')
    .meta({ otherwise: "the model's" }),
  DURABLE_RAG_RERANK_URL: url(
    '/rerank endpoint of a cross-encoder (Jina, Cohere, vLLM, llama.cpp), with or without `/rerank` at its end',
  ),
  DURABLE_RAG_RERANK_MODEL: text('its model, to be set with the URL'),
  DURABLE_RAG_RERANK_API_KEY: secret('its key, if it needs one'),
  DURABLE_RAG_STORE: text(
    'store of responses, vectors, data sets and supplied passages: a folder, `redis://`, `rediss://`, `postgres://`',
  ).meta({ otherwise: '`store` in the home' }),
  DURABLE_RAG_ENCRYPTION_KEYS: secret(
    '`ID:KEY,ID:KEY`, each of 32 bytes in base64 (`openssl rand -base64 32`): payloads and the store are encrypted with the first and decrypted with any. Workers, clients and the command line need the same',
  ).meta({ otherwise: 'no encryption' }),
  DURABLE_RAG_DEPLOYMENT: z
    .string()
    // Part of names of indices, rows of tables and keys.
    .regex(/^(?=.{1,20}$)[a-z0-9]+(?:-[a-z0-9]+)*$/)
    .optional()
    .describe(
      'name of this deployment. Deployments that share a store have separate parts of it, token limits, runs (in a folder: `NAME--runs` in the home) and task queues (`durable-rag-NAME`)',
    )
    .meta({ takes: 'lower-case letters and digits, with single "-" between, at most 20' }),
  DURABLE_RAG_SEARCH: z
    .enum(['lancedb', 'elasticsearch'])
    .optional()
    .describe('search engine')
    .meta({
      flag: '--search <engine>',
      flagGroup: 'Search',
      otherwise: 'elasticsearch if its address is set, else lancedb',
    }),
  ELASTICSEARCH_URL: url('address of Elasticsearch').meta({ otherwise: "the local stack's" }),
  ELASTICSEARCH_CLOUD_ID: text('id in Elastic Cloud, instead of an address'),
  ELASTICSEARCH_API_KEY: secret('API key'),
  ELASTICSEARCH_USERNAME: text('user, instead of an API key'),
  ELASTICSEARCH_PASSWORD: secret('password of that user'),
  ELASTICSEARCH_CA_FINGERPRINT: text('the certificate authority to trust: its SHA-256').meta({
    otherwise: "the system's",
  }),
  ELASTICSEARCH_CA_FILE: text('the same as a file in PEM'),
  DURABLE_RAG_CORPORA: text("folder of LanceDB's indexes").meta({
    otherwise: '`corpora` in the home',
  }),
  DURABLE_RAG_RESULTS: text('folder of the runs, or `store`: in the store').meta({
    otherwise: '`runs` in the home',
  }),
  DURABLE_RAG_PROMPTS: text('folder with a folder for each prompt set'),
  DURABLE_RAG_PRICES: text('JSON file that extends the price table'),
  DURABLE_RAG_TENANTS: text(
    'JSON file of tenants, each with `weight` and `budgetUsdPerDay`; `*` is every other tenant',
  ).meta({ otherwise: 'each has weight 1 and no budget' }),
  DURABLE_RAG_TASK_QUEUE: text('queue of the workers').meta({
    flag: '--task-queue <name>',
    otherwise: 'durable-rag, with the name of the deployment',
  }),
  DURABLE_RAG_ONLY: z
    .string()
    .transform((names) => names.split(',').map((name) => name.trim()))
    .pipe(z.array(z.enum(ROLES)))
    .transform((names) => ROLES.filter((role) => names.includes(role)))
    .optional()
    .describe('the parts that the worker serves')
    .meta({
      flag: '--only <parts>',
      option: 'only',
      otherwise: 'all',
      takes: `one or more of ${ROLES.join(', ')}, separated by commas`,
    }),
  DURABLE_RAG_VERSIONED: z
    .enum(['true', 'false'])
    .default('false')
    .transform((value) => value === 'true')
    .describe('questions keep the version of the workers that they begin with; see: deploy')
    .meta({ flag: '--versioned', option: 'versioned' }),
  DURABLE_RAG_CONCURRENCY: z
    .union([whole(1), z.literal('auto')])
    .default(100)
    .describe(
      'concurrent model calls of one worker (searches, for a worker that serves only retrieval), or auto: up to 80 % of memory and processor',
    )
    .meta({ flag: '--concurrency <n>', option: 'limits.concurrency' }),
  DURABLE_RAG_TPM: whole(1)
    .optional()
    .describe('token limit per minute, unless one was set with limits or a run')
    .meta({ otherwise: 'no limit' }),
  DURABLE_RAG_MAX_RETRY_AFTER: seconds(
    'longest `Retry-After` that is followed; one below a second never shortens the usual wait',
  ).default(60),
  DURABLE_RAG_REASONING_ALLOWANCE: whole(0)
    .optional()
    .describe('tokens added to every call for models that think')
    .meta({
      otherwise:
        '8192 for models known to think, and for others after the first reply that shows it',
    }),
  DURABLE_RAG_GRACE: seconds(
    'time that a stopped worker (SIGTERM, Ctrl-C) waits for its calls',
  ).default(LONGEST_CALL_SECONDS),
  DURABLE_RAG_HTTP: z
    .string()
    .transform((value, { addIssue }) => {
      const address = httpAddress(value);
      if (!address) addIssue('is not an address');
      return address ?? z.NEVER;
    })
    .optional()
    .describe('address at which a worker serves health and metrics, such as 9464 or 0.0.0.0:9464')
    .meta({
      flag: '--http <address>',
      otherwise: 'none',
      takes: 'a port, or a host and a port such as 0.0.0.0:9464',
    }),
  DURABLE_RAG_LOG_FORMAT: z
    .enum(['json', 'text'])
    .optional()
    .describe('log format of dev and worker')
    .meta({
      flag: '--log-format <format>',
      otherwise: 'text on a terminal; else JSON for worker, text for dev',
    }),
});

/**
 * Schema of the environment variables for commands and for the programs that they start on this
 * machine, such as Temporal and the local model.
 */
export const localSettings = z.object({
  DURABLE_RAG_HOME: text(
    'folder of downloads, data, indexes and logs, created for its owner alone (0700). An existing one keeps its mode, with a warning if others can read it',
  ).meta({ otherwise: '`~/.durable-rag`' }),
  DURABLE_RAG_LOCAL_MODEL: z
    .string()
    .toLowerCase()
    .pipe(z.enum(['1.5b', '0.5b']))
    .default('1.5b')
    .describe('size of the model: 1.5b (1.1 GB), or 0.5b (478 MB, for a look only)')
    .meta({ takes: '1.5b or 0.5b' }),
  DURABLE_RAG_TEMPORAL_PORT: port('port of Temporal on 127.0.0.1').default(7233),
  DURABLE_RAG_UI_PORT: port("port of Temporal's UI")
    .optional()
    .meta({ otherwise: "1000 above Temporal's" }),
  DURABLE_RAG_MODEL_PORT: port('port of the model').default(8089),
  DURABLE_RAG_ELASTICSEARCH_PORT: port('port of Elasticsearch').default(9280),
  DURABLE_RAG_FETCH_LIMIT: z.coerce
    .number()
    .positive()
    .default(50)
    .describe('largest file of data that is fetched by its address, also unpacked')
    .meta({ unit: 'GB' }),
  HF_ENDPOINT: url('hub of `hf:` addresses').meta({ otherwise: '`https://huggingface.co`' }),
  HF_TOKEN: secret('token for the hub, sent to that host alone'),
  DURABLE_RAG_MIRRORS: text(
    "`off` refuses packages of others on the Python index. They are used only if the makers' own source is not reachable or has no such file, named first with their publisher, and checked against the pinned sha256",
  ).meta({ otherwise: 'allowed' }),
  MAVEN_MIRROR_URL: text('Maven repository that the local Elasticsearch is fetched from').meta({
    otherwise: 'the mirror in `~/.m2/settings.xml`, else Maven Central',
  }),
  DURABLE_RAG_UI_URL: text("address of the Temporal UI, if it cannot be derived from the server's"),
});

const all = z.object({ ...workerSettings.shape, ...localSettings.shape });
const fields = fieldOf(all);

/** The checked values of the environment variables that durable-rag reads, by name. */
export type Settings = z.output<typeof all>;
/** The name of an environment variable that durable-rag reads. */
export type SettingName = keyof Settings;
/**
 * The names of all environment variables that durable-rag reads, in the order of their declaration.
 */
export const SETTING_NAMES = Object.keys(all.shape) as SettingName[];

/**
 * Returns the declaration of a setting as JSON schema with metadata (`field`), and its allowed
 * values in words (`takes`, "text" if any are allowed).
 */
export function settingField(name: SettingName) {
  const field = fieldAt(fields, [name]) ?? {};
  return { field, takes: describeAllowed(field) ?? 'text' };
}

/**
 * Reads and checks all settings from environment variables, and returns them by name, with defaults
 * for those not set.
 *
 * @throws Failure BadInput naming each variable that is invalid, or whose name looks misspelt.
 * Other unknown variables are ignored, since the surrounding program may read them.
 */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  refuseVariables(unknownVariables(env).filter(({ meant }) => meant !== undefined));
  return checked(all, env);
}

/**
 * Reads one setting from environment variables, without checking others; returns its value, or its
 * default if it is not set.
 *
 * @throws Failure BadInput if it is invalid.
 */
export function setting<N extends SettingName>(env: NodeJS.ProcessEnv, name: N): Settings[N] {
  const one = checked(z.object({ [name]: all.shape[name] }), { [name]: env[name] });
  return (one as unknown as Settings)[name];
}

/**
 * Returns the values of all secret settings that are set, Temporal's included, and additionally
 * each part of a comma-separated list of keys, without its id; some values can occur twice.
 */
export function secretsIn(env: NodeJS.ProcessEnv): string[] {
  const names = SETTING_NAMES.filter((name) => settingField(name).field.isSecret);
  return [...names, ...TEMPORAL_SECRETS].flatMap((name) => {
    const value = env[name] ?? '';
    const keys = value.split(',').map((one) => one.slice(one.indexOf(':') + 1));
    return [value, ...keys].filter((one) => one !== '');
  });
}

/** Returns checked settings. Error messages contain no values, since some are secrets. */
function checked<S extends z.ZodType>(schema: S, env: NodeJS.ProcessEnv): z.output<S> {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => isSet(value)));
  const parsed = schema.safeParse(set);
  if (parsed.success) return parsed.data;
  const wrong = new Set(parsed.error.issues.map(({ path }) => path[0] as SettingName));
  const messages = [...wrong].map((name) => {
    const { field, takes } = settingField(name);
    const [flag] = field.flag?.split(' ') ?? [];
    return `${name}${flag ? ` (${flag})` : ''} must be ${takes}`;
  });
  throw new Failure('BadInput', `${messages.join('; ')}.`);
}

/** Pattern of the addresses that Kubernetes puts into variables named after a service. */
const SERVICE_LINK = /^(?:tcp|udp|sctp):\/\//;

/** Pattern of the ends of such names, as in DURABLE_RAG_PORT_80_TCP_ADDR. */
const SERVICE_NAME =
  /(?:^|_)(?:SERVICE_(?:HOST|PORT(?:_\w+)?)|PORT_\d+_(?:TCP|UDP|SCTP)(?:_\w+)?)$/;

/** Returns whether a variable has a value that is not an address set by Kubernetes. */
function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '' && !SERVICE_LINK.test(value);
}

const PREFIX = 'DURABLE_RAG_';
const TEMPORAL_PREFIX = 'TEMPORAL_';

/** Variables of Temporal's own configuration, read by `@temporalio/envconfig`. */
const TEMPORAL_NAMES = [
  'TEMPORAL_ADDRESS',
  'TEMPORAL_NAMESPACE',
  'TEMPORAL_API_KEY',
  'TEMPORAL_PROFILE',
  'TEMPORAL_CONFIG_FILE',
  'TEMPORAL_CODEC_ENDPOINT',
  'TEMPORAL_CODEC_AUTH',
  'TEMPORAL_TLS',
  'TEMPORAL_TLS_SERVER_NAME',
  'TEMPORAL_TLS_DISABLE_HOST_VERIFICATION',
  'TEMPORAL_TLS_CLIENT_CERT_PATH',
  'TEMPORAL_TLS_CLIENT_CERT_DATA',
  'TEMPORAL_TLS_CLIENT_KEY_PATH',
  'TEMPORAL_TLS_CLIENT_KEY_DATA',
  'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
  'TEMPORAL_TLS_SERVER_CA_CERT_DATA',
];

/** Those of them whose values are secrets. */
const TEMPORAL_SECRETS = [
  'TEMPORAL_API_KEY',
  'TEMPORAL_CODEC_AUTH',
  'TEMPORAL_TLS_CLIENT_KEY_DATA',
];

/**
 * The name of an environment variable that is set and begins like those of durable-rag or
 * Temporal, but is none of them, and the name that was probably meant.
 */
export interface UnknownVariable {
  name: string;
  /** The variable that was probably meant; undefined if none is similar. */
  meant?: string | undefined;
}

/**
 * Returns the environment variables that are set but not read, each with its `name` and the name
 * that was probably `meant`: those named DURABLE_RAG_... that are not settings, except those that
 * Kubernetes sets for services; and misspelt variables of Temporal, unless the right one is set
 * too.
 */
export function unknownVariables(env: NodeJS.ProcessEnv): UnknownVariable[] {
  const known = SETTING_NAMES.filter((name) => name.startsWith(PREFIX));
  const ours = unknownWith(PREFIX, known, env).filter(({ name }) => !SERVICE_NAME.test(name));
  // Other programs read variables with this prefix, and some users set the right one beside theirs.
  const slips = unknownWith(TEMPORAL_PREFIX, TEMPORAL_NAMES, env).filter(
    ({ meant }) => meant !== undefined && !isSet(env[meant]),
  );
  return [...ours, ...slips];
}

function unknownWith(
  prefix: string,
  known: readonly string[],
  env: NodeJS.ProcessEnv,
): UnknownVariable[] {
  const rest = known.map((name) => name.slice(prefix.length));
  return Object.keys(env)
    .map((name) => ({ name, upper: name.toUpperCase() }))
    .filter(({ name, upper }) => upper.startsWith(prefix) && isSet(env[name]))
    .filter(({ name }) => !known.includes(name))
    .map(({ name, upper }) => {
      const end = upper.slice(prefix.length);
      const meant = rest.includes(end) ? end : correctedName(end, rest);
      return { name, meant: meant === undefined ? undefined : prefix + meant };
    });
}

/**
 * Throws if there is any unknown variable; otherwise does nothing.
 *
 * @throws Failure BadInput with their names, and the names that were probably meant.
 */
export function refuseVariables(unknown: readonly UnknownVariable[]): void {
  if (unknown.length > 0) throw new Failure('BadInput', unknown.map(describeUnknown).join('; '));
}

/** Returns the error message about an unknown variable, without its value. */
export function describeUnknown({ name, meant }: UnknownVariable): string {
  const meaning = meant === undefined ? 'unset it' : `did you mean ${meant}?`;
  return `${name}: there is no such variable; ${meaning}`;
}
