/** Additional fields in the body of a model call, and what they must not contain. Pure. */
import { z } from 'zod';
import { SECRET_PATTERNS } from '../key-shapes.js';
import type { ExtraBody, Judge, StepModels } from '../step-models.js';
import { BadInput, type Problem } from './problems.js';

const OF_MODELS = 'name it in models';
const MESSAGES = 'write the prompt into a prompt set (prompts)';
const LIMIT = 'set maxTokens in models';
const OUTPUTS = 'set outputs to "schema" for answers in JSON';
const LOGPROBS = 'a step asks for them if it reads them';
const ONE_ANSWER = 'a call reads one answer, as a whole';
const NO_TOOLS = 'a step reads a text, and no calls of tools';
const OF_CLIENT = 'use openAiModel, see docs/adapters.md';

/** Fields that durable-rag sets itself, with advice for those who try to set them. */
const TAKEN: Readonly<Record<string, string>> = {
  model: OF_MODELS,
  models: `${OF_MODELS}: otherwise another model could answer`,
  messages: MESSAGES,
  prompt: MESSAGES,
  max_tokens: LIMIT,
  max_completion_tokens: LIMIT,
  max_new_tokens: LIMIT,
  max_output_tokens: LIMIT,
  n_predict: LIMIT,
  num_predict: LIMIT,
  temperature: 'set temperature in models',
  top_p: 'set topP in models',
  reasoning_effort: 'set reasoningEffort in models',
  seed: 'set seed',
  stop: 'a step says where its answer ends',
  response_format: OUTPUTS,
  json_schema: OUTPUTS,
  logprobs: LOGPROBS,
  top_logprobs: LOGPROBS,
  service_tier: 'set tier',
  stream: ONE_ANSWER,
  stream_options: ONE_ANSWER,
  n: ONE_ANSWER,
  best_of: ONE_ANSWER,
  echo: ONE_ANSWER,
  tools: NO_TOOLS,
  tool_choice: NO_TOOLS,
  functions: NO_TOOLS,
  function_call: NO_TOOLS,
  extra_body: 'give its fields by themselves',
  extra_headers: OF_CLIENT,
  extra_query: OF_CLIENT,
};

/** Pattern of names of fields that contain a secret, in any spelling. */
const SECRET_NAMES =
  /^(token|authorization|proxy_authorization|cookie|bearer)$|(^|_)(api_?key|access_key|secret_key|private_key|(access|auth|api|bearer|session)_token|secret|client_secret|password|passwd|credentials?)$/;

/** Patterns of headers and addresses with a secret, and of keys with a recognisable form. */
const SECRET_FORMS = [
  /^(bearer|basic)\s+\S{8,}/i,
  /:\/\/[^\s/@]+:[^\s/@]+@/,
  /[?&][\w-]*(key|token|secret|password|sig)[\w-]*=[^\s&]/i,
  ...SECRET_PATTERNS.map(({ source }) => new RegExp(source)),
];

/** Fields for an identifier or a hash, which looks like a key but is not one. */
const IDENTIFIERS = new Set(['user', 'safety_identifier', 'prompt_cache_key', 'session_id']);

/** Pattern of keys without a recognisable form: a long word of letters and digits. */
const LONG_WORD = /(?=[A-Za-z0-9]*\d)(?=[A-Za-z0-9]*[A-Za-z])[A-Za-z0-9]{32,}/;

/** Maximum length of the fields as JSON, since the history of every call contains them. */
const MOST_CHARACTERS = 4000;

/**
 * Schema of additional fields in the body of model calls. Refuses fields that durable-rag sets
 * itself, names and values that look like secrets, values that are not JSON, and more than 4,000
 * characters.
 */
export const extraBody = z
  .record(z.string(), z.unknown())
  .superRefine((body, { addIssue }) => {
    for (const { path, message } of problemsIn(body)) {
      addIssue({ code: 'custom', path: [...path], message });
    }
  })
  .describe(
    'fields of your own in the body of every model call, such as {"enable_thinking":false}; none may contain a secret',
  );

type TextProblem = Problem & { message: string };

function problemsIn(body: ExtraBody): TextProblem[] {
  const at = (path: PropertyKey[], message: string): TextProblem => ({ path, message });
  if (!isJson(body)) return [at([], 'must be JSON: texts, finite numbers, lists and objects')];
  const { length } = JSON.stringify(body);
  if (length > MOST_CHARACTERS) {
    return [at([], `has ${length} characters as JSON; at most ${MOST_CHARACTERS}`)];
  }
  const taken = Object.keys(body).flatMap((name) => {
    const advice = TAKEN[snakeCase(name)];
    return advice === undefined ? [] : [at([name], `is decided by durable-rag; ${advice}`)];
  });
  const secret = textsIn(body).flatMap(({ path, text }) =>
    looksSecret(path, text) ? [at(path, SECRET)] : [],
  );
  return [...taken, ...secret];
}

const SECRET =
  'looks like a secret, which would be stored in histories and manifests; send it as a header (openAiModel, see docs/adapters.md)';

function looksSecret(path: readonly string[], text: string): boolean {
  const names = path.map(snakeCase);
  if (names.some((name) => SECRET_NAMES.test(name)) && text !== '') return true;
  if (SECRET_FORMS.some((form) => form.test(text))) return true;
  return !IDENTIFIERS.has(names[0] ?? '') && LONG_WORD.test(text);
}

/** Returns a name in snake case: "maxTokens", "Max-Tokens" and "max_tokens" are equal. */
function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase();
}

/** Returns the texts of a value, names of fields included, with their paths. */
function textsIn(value: unknown, path: string[] = []): { path: string[]; text: string }[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => {
    const inside = textsIn(one, [...path, name]);
    return Array.isArray(value) ? inside : [{ path: [...path], text: name }, ...inside];
  });
}

function isJson(value: unknown, depth = 0): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || depth > 20) return false;
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  return isPlain && Object.values(value).every((one) => isJson(one, depth + 1));
}

/** The parts of an input that can contain additional body fields. */
interface WithExtraBody {
  extraBody?: ExtraBody | undefined;
  models?: StepModels | undefined;
  judge?: Judge | undefined;
}

/** Length from which a configured secret is looked for; shorter ones may occur by chance. */
const SHORTEST_SECRET = 6;

/**
 * Throws if an additional body field of an input contains a configured secret of at least six
 * characters: its own fields, and those of its models and judge.
 *
 * @param secrets Values of the configured secrets.
 * @throws Failure BadInput naming the field, without its value.
 */
export function refuseSecrets(input: WithExtraBody, secrets: readonly string[]): void {
  const bodyOf = (model: unknown) => Object(model).extraBody as ExtraBody | undefined;
  refuseSecretsIn(['extraBody'], input.extraBody, secrets);
  refuseSecretsIn(['judge', 'extraBody'], bodyOf(input.judge), secrets);
  for (const [step, model] of Object.entries(input.models ?? {})) {
    refuseSecretsIn(['models', step, 'extraBody'], bodyOf(model), secrets);
  }
}

/**
 * Throws if a body field contains a configured secret of at least six characters.
 *
 * @param at Path of the body fields in the input.
 * @throws Failure BadInput naming the field, without its value.
 */
export function refuseSecretsIn(
  at: readonly string[],
  body: ExtraBody | undefined,
  secrets: readonly string[],
): void {
  const known = secrets.filter(({ length }) => length >= SHORTEST_SECRET);
  const found = textsIn(body).find(({ text }) => known.some((one) => text.includes(one)));
  if (!found) return;
  throw new BadInput([
    {
      path: [...at, ...found.path],
      message:
        'contains a configured secret, which would be stored in histories and manifests; leave it out',
    },
  ]);
}
