/** Decides which parameters a model gets, and which of them an error is about. Pure. */
import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions';
import {
  type Completion,
  type CompletionRequest,
  PARAMETERS,
  type Parameter,
} from '../language-model.js';

/**
 * Parameters that some models refuse and that a request can omit: names in OpenAI's API, with those
 * in `CompletionRequest`.
 */
const NAMES = {
  max_tokens: 'maxTokens',
  temperature: 'temperature',
  top_p: 'topP',
  seed: 'seed',
  stop: 'stop',
  reasoning_effort: 'reasoningEffort',
  logprobs: 'logprobs',
  service_tier: 'tier',
} as const satisfies Record<string, keyof CompletionRequest>;
/**
 * Name, in OpenAI's API, of a parameter that an endpoint may refuse and that the next request then
 * leaves out, such as "top_p".
 */
export type Refusable = keyof typeof NAMES;
/**
 * List of the parameters that an endpoint may refuse and that the next request then leaves out, by
 * their names in OpenAI's API.
 */
export const REFUSABLE = Object.keys(NAMES) as Refusable[];

/** The client's type knows only the models of its release. */
type ReasoningEffort = NonNullable<ChatCompletionCreateParamsNonStreaming['reasoning_effort']>;

/**
 * Values of the parameters in a request's body that a model may refuse, by their names in OpenAI's
 * API; a parameter that is not set is absent.
 */
export interface OpenAiParameters
  extends Partial<Record<'max_tokens' | 'temperature' | 'top_p' | 'seed', number>> {
  stop?: string[];
  reasoning_effort?: ReasoningEffort;
  logprobs?: true;
  service_tier?: 'flex';
}

interface ChatBody extends OpenAiParameters {
  model: string;
  messages: CompletionRequest['messages'];
  max_completion_tokens?: number;
  response_format?: {
    type: 'json_schema';
    json_schema: { name: string; schema: Record<string, unknown>; strict: true };
  };
}

/**
 * Parameters that OpenAI's reasoning models are known to refuse, so that their first call succeeds.
 */
const REFUSED_BY_REASONING: readonly Refusable[] = [
  'max_tokens',
  'temperature',
  'top_p',
  'stop',
  'logprobs',
];

/**
 * Returns whether a name is that of an OpenAI reasoning model: o1, o4-mini, gpt-5; not gpt-5-chat.
 */
export function isReasoningModel(model: string): boolean {
  return /^(ft:)?(o[1-9]\d*|gpt-([5-9]|\d{2,})(\.\d+)?)(-|:|$)/.test(model) && !/-chat/.test(model);
}

/**
 * Returns the parameters that a model is known to refuse although it was never called: those of
 * OpenAI's reasoning models; none for other models and endpoints.
 */
export function refusedFromTheStart(model: string, isOpenAi: boolean): readonly Refusable[] {
  return isOpenAi && isReasoningModel(model) ? REFUSED_BY_REASONING : [];
}

/**
 * Returns the parameters that a request sets and the model does not refuse, by their names in
 * OpenAI's API.
 */
export function parametersToSend(
  request: CompletionRequest,
  refused: ReadonlySet<Refusable>,
): OpenAiParameters {
  const sent = REFUSABLE.filter((name) => !refused.has(name));
  const values = sent.map((name) => [name, request[NAMES[name]]] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/**
 * Returns the parameters that a request sets and the model refuses, by their names in
 * `CompletionRequest`. The token limit is never among them, since it is then sent under another
 * name, nor is the tier, which does not change the answer.
 */
export function unsupportedOf(
  request: CompletionRequest,
  refused: ReadonlySet<Refusable>,
): Parameter[] {
  const names = new Set<string>([...refused].map((name) => NAMES[name]));
  return PARAMETERS.filter((name) => names.has(name) && request[name] !== undefined);
}

/**
 * Returns the completion with `unsupported` set to the parameters that it was made without;
 * unchanged if there are none.
 */
export function withUnsupported(
  completion: Completion,
  parameters: readonly Parameter[],
): Completion {
  const unsupported = PARAMETERS.filter((name) => parameters.includes(name));
  return unsupported.length === 0 ? completion : { ...completion, unsupported };
}

/**
 * Returns the body of a chat completions request, without the parameters that the model refuses.
 *
 * @param limit Token limit, for thoughts and answer together.
 */
export function toBody(
  request: CompletionRequest,
  refused: ReadonlySet<Refusable>,
  limit: number,
): ChatBody {
  const { model, messages, schema, extraBody } = request;
  const { max_tokens, ...settings } = parametersToSend(request, refused);
  return {
    // Placed first, so that none of them replaces ours.
    ...extraBody,
    model,
    messages: messages.map(({ role, content }) => ({ role, content })),
    [max_tokens === undefined ? 'max_completion_tokens' : 'max_tokens']: limit,
    ...settings,
    ...(schema && {
      response_format: {
        type: 'json_schema' as const,
        json_schema: { name: schema.name, schema: { ...schema.schema }, strict: true as const },
      },
    }),
  };
}

/**
 * The parts of a sent request that a server may refuse: values by the names of parameters, and by
 * "response_format".
 */
export type SentParameters = Partial<Record<Refusable | 'response_format', unknown>>;

/**
 * The sent parameters that are assumed if a request is not known: every parameter that a server
 * may refuse, each with the value true.
 */
export const ALL_SENT: SentParameters = Object.fromEntries(
  [...REFUSABLE, 'response_format'].map((name) => [name, true]),
);

/** Other names of parameters, without "_": names in other APIs, and abbreviations. */
const ALIASES: Partial<Record<Refusable, readonly string[]>> = {
  stop: ['stopsequences'],
  reasoning_effort: ['effort', 'reasoning'],
  logprobs: ['toplogprobs', 'responselogprobs'],
};

/**
 * Returns the sent parameter that an error is about, by its name in OpenAI's API; undefined if the
 * error names none of those sent.
 *
 * @param params Parameters named in fields of the answer; only if there are none, the message is
 * searched.
 * @param sent Parameters of the request.
 */
export function namedIn(
  message: string,
  params: readonly string[],
  sent: SentParameters,
): Refusable | undefined {
  const possible = REFUSABLE.filter((name) => sent[name] !== undefined);
  const ends = params.map((param) => plain(param.split('.').at(-1) ?? ''));
  const named = possible.find((name) => namesOf(name).some((one) => ends.includes(one)));
  if (named || ends.length > 0) return named;
  if (sent.service_tier !== undefined && /\bflex\b/i.test(message)) return 'service_tier';
  const places = possible
    .map((name) => ({ name, at: message.search(mentionOf(name)) }))
    .filter(({ at }) => at >= 0);
  // Of "temperature and top_p cannot both be set", the request can do without top_p.
  if (/cannot both/i.test(message)) return places.at(-1)?.name;
  return places.sort((a, b) => a.at - b.at)[0]?.name;
}

function namesOf(name: Refusable): readonly string[] {
  return [plain(name), ...(ALIASES[name] ?? [])];
}

/** Returns a pattern of the name in a sentence: "reasoning_effort", "reasoningEffort". */
function mentionOf(name: Refusable): RegExp {
  return new RegExp(`(?<![a-z0-9])${name.replace('_', '[_ -]?')}(?![a-z0-9])`, 'i');
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
