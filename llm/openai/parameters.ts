/** Which parameters a model gets, and what a server that refuses one of them wants instead. */
import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions';
import type { Failure } from '../../core/failure.js';
import {
  type Completion,
  type CompletionRequest,
  PARAMETERS,
  type Parameter,
} from '../language-model.js';
import { type CallContext, failure, type ProviderAnswer } from '../provider-failure.js';

/** The parameters that some models refuse and a request can omit, with their names in a request. */
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
export type Refusable = keyof typeof NAMES;
export const REFUSABLE = Object.keys(NAMES) as Refusable[];

/** The client's type knows only the models of its release. */
type ReasoningEffort = NonNullable<ChatCompletionCreateParamsNonStreaming['reasoning_effort']>;

/** Those of a request, by their usual names. */
export interface Settings
  extends Partial<Record<'max_tokens' | 'temperature' | 'top_p' | 'seed', number>> {
  stop?: string[];
  reasoning_effort?: ReasoningEffort;
  logprobs?: true;
  service_tier?: 'flex';
}

export interface ChatBody extends Settings {
  model: string;
  messages: CompletionRequest['messages'];
  max_completion_tokens?: number;
  response_format?: {
    type: 'json_schema';
    json_schema: { name: string; schema: Record<string, unknown>; strict: true };
  };
}

/** What OpenAI's reasoning models are known to refuse, so that their first call succeeds. */
const REFUSED_BY_REASONING: readonly Refusable[] = [
  'max_tokens',
  'temperature',
  'top_p',
  'stop',
  'logprobs',
];

/** Tells whether it is a reasoning model: o1, o3, o4-mini, gpt-5; not gpt-5-chat. */
export function isReasoningModel(model: string): boolean {
  return /^(ft:)?(o[1-9]\d*|gpt-([5-9]|\d{2,})(\.\d+)?)(-|:|$)/.test(model) && !/-chat/.test(model);
}

/** Returns what is refused by a model before the server has said anything. */
export function refusedFromTheStart(model: string, isOpenAi: boolean): readonly Refusable[] {
  return isOpenAi && isReasoningModel(model) ? REFUSED_BY_REASONING : [];
}

/** Returns the settings of a request that the model does not refuse. */
export function settingsOf(request: CompletionRequest, refused: ReadonlySet<Refusable>): Settings {
  const sent = REFUSABLE.filter((name) => !refused.has(name));
  const values = sent.map((name) => [name, request[NAMES[name]]] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/**
 * Returns the parameters that a request asks for and the model refuses. The limit of tokens is not
 * one of them: it is sent under another name.
 */
export function unsupportedOf(
  request: CompletionRequest,
  refused: ReadonlySet<Refusable>,
): Parameter[] {
  const names = new Set<string>([...refused].map((name) => NAMES[name]));
  return PARAMETERS.filter((name) => names.has(name) && request[name] !== undefined);
}

/** Returns a completion that names the parameters that it came without, each once. */
export function withUnsupported(
  completion: Completion,
  parameters: readonly Parameter[],
): Completion {
  const unsupported = PARAMETERS.filter((name) => parameters.includes(name));
  return unsupported.length === 0 ? completion : { ...completion, unsupported };
}

/**
 * Returns the request in the API's terms, without what the model refuses.
 *
 * @param reasoningAllowance Tokens on top of `maxTokens`.
 */
export function toBody(
  request: CompletionRequest,
  refused: ReadonlySet<Refusable>,
  reasoningAllowance: number,
): ChatBody {
  const { model, messages, maxTokens, schema } = request;
  const { max_tokens, ...settings } = settingsOf(request, refused);
  return {
    model,
    messages: messages.map(({ role, content }) => ({ role, content })),
    [max_tokens === undefined ? 'max_completion_tokens' : 'max_tokens']:
      maxTokens + reasoningAllowance,
    ...settings,
    ...(schema && {
      response_format: {
        type: 'json_schema' as const,
        json_schema: { name: schema.name, schema: { ...schema.schema }, strict: true as const },
      },
    }),
  };
}

/** What a request was sent with, as far as a server may refuse it. */
export type Sent = Partial<Record<Refusable | 'response_format', unknown>>;

/** Stands for a request that nobody has at hand: a refusal names the parameter. */
export const EVERYTHING: Sent = Object.fromEntries(
  [...REFUSABLE, 'response_format'].map((name) => [name, true]),
);

/**
 * Returns what an answer means that refuses the schema, or a parameter, which the next request
 * leaves out; undefined for every other answer.
 */
export function refusalIn(
  answer: ProviderAnswer | undefined,
  sent: Sent,
  context: CallContext,
): { failure: Failure; refused?: Refusable } | undefined {
  if (!answer) return undefined;
  const { status, message: said } = answer;
  if (sent.response_format !== undefined && refusesSchema(answer)) {
    return { failure: failure('SchemaRefused', context, { status, said }) };
  }
  const refused = refusedParameter(answer, sent);
  if (!refused) return undefined;
  return {
    refused,
    failure: failure('ParameterRefused', context, { status, said, retryAfterMs: 0 }),
  };
}

type Refusal = Pick<ProviderAnswer, 'status' | 'code' | 'param' | 'message'>;

/**
 * Returns the parameter of this body that a server said it does not support, if that is what it
 * said.
 *
 * OpenAI names it in `param`; others only in the message.
 */
export function refusedParameter(answer: Refusal, body: Sent): Refusable | undefined {
  if (answer.status !== 400 && answer.status !== 422) return undefined;
  if (body.service_tier !== undefined && refusesTier(answer)) return 'service_tier';
  const unsupported =
    /unsupported|not supported|(does not|doesn't|do not) support|unrecognized|unknown (parameter|field|name|argument)|unexpected keyword|extra (inputs|fields)|extra_forbidden|deprecated for|cannot both/i;
  if (!unsupported.test(`${answer.code} ${answer.message}`)) return undefined;
  const sent = REFUSABLE.filter((name) => name !== 'service_tier' && body[name] !== undefined);
  const named = sent.find((name) => answer.param === name);
  if (named || answer.param) return named;
  // Of "temperature and top_p cannot both be set", top_p is the one a request can do without.
  return [...sent].reverse().find((name) => new RegExp(`\\b${name}\\b`).test(answer.message));
}

/** Tells whether the tier was refused, which has other words than a parameter. */
function refusesTier({ param, message }: Refusal): boolean {
  return param === 'service_tier' || /service[_ ]tier|\bflex\b/i.test(message);
}

/**
 * Tells whether a server said that it does not take the JSON schema of a request: not this one, or
 * none. An answer that does not keep to the schema is another thing, which the next attempt may
 * heal.
 */
export function refusesSchema(answer: Refusal): boolean {
  if (![400, 422, 501].includes(answer.status) || answer.code === 'json_validate_failed') {
    return false;
  }
  const named = answer.param.startsWith('response_format');
  return (
    named || /response[_ ]format|json[_ ]schema|structured outputs?|grammar/i.test(answer.message)
  );
}
