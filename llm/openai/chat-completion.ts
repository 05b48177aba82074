/** The body of a chat completions request, and the completion that its answer contains. Pure. */
import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions';
import type { PricedTier } from '../../core/model-price.js';
import { endOf, reportedEnd, spentOf } from '../generation-end.js';
import {
  type Completion,
  type CompletionRequest,
  PARAMETERS,
  type Parameter,
} from '../language-model.js';
import type { Pricing } from '../prices.js';
import { type CallContext, failure } from '../provider-failure.js';
import { REFUSABLE, REFUSABLE_NAMES, type Refusable } from '../refused-parameter.js';
import { type Fields, fields, nonEmptyText } from '../response-fields.js';
import { readAnswer, readBill } from './answer.js';

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
export function knownRefusals(model: string, isOpenAi: boolean): readonly Refusable[] {
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
  const values = sent.map((name) => [name, request[REFUSABLE_NAMES[name]]] as const);
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
  const names = new Set<string>([...refused].map((name) => REFUSABLE_NAMES[name]));
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
  const { max_tokens, ...others } = parametersToSend(request, refused);
  return {
    // Placed first, so that none of them replaces ours.
    ...extraBody,
    model,
    messages: messages.map(({ role, content }) => ({ role, content })),
    [max_tokens === undefined ? 'max_completion_tokens' : 'max_tokens']: limit,
    ...others,
    ...(schema && {
      response_format: {
        type: 'json_schema' as const,
        json_schema: { name: schema.name, schema: { ...schema.schema }, strict: true as const },
      },
    }),
  };
}

/**
 * Returns the completion in the body of a chat completions answer with status 200.
 *
 * @param asked The tier asked for, if not the usual one: "refused" if the endpoint has no flex
 * tier.
 * @throws Failure MalformedResponse if there is no choice, if the generation broke off, or if it
 * has no text and called a tool; ContentRefused if the model or a filter refused; the failure of an
 * error sent with status 200.
 */
export function readCompletion(
  body: unknown,
  context: CallContext,
  pricing: Pricing,
  asked?: PricedTier | 'refused',
): Completion {
  const answer = readAnswer(body, context, () =>
    spentOf(readBill(fields(body), context, pricing, asked).paid),
  );
  const choice = firstChoice(answer);
  const message = fields(choice.message);
  const text = contentText(message.content);
  const { servedModel, thinks, paid } = readBill(answer, context, pricing, asked);
  // Filters may answer without any message.
  const end = endOf(reportedEnd(choice), text, paid, context);
  if (typeof choice.message !== 'object' || choice.message === null) {
    const reply = typeof body === 'string' ? body : 'a JSON body with no choice in it';
    throw failure('MalformedResponse', context, { reply });
  }
  const logprob = logprobOf(choice.logprobs);
  return {
    text,
    end,
    ...((thinks || thoughtApart(message)) && { thinking: 'some' as const }),
    ...(logprob === undefined ? {} : { logprob }),
    servedModel,
    ...paid,
    fingerprint: nonEmptyText(answer.system_fingerprint) ?? null,
    ...hostOf(answer),
  };
}

/**
 * Returns `{ host }`, the name of the provider behind a router; an empty object if the answer
 * names none.
 */
export function hostOf({ provider }: Fields): Pick<Completion, 'host'> {
  const host = nonEmptyText(provider);
  return host === undefined ? {} : { host };
}

/**
 * Returns the fields of the first choice in a chat completion response (`choices[0]`); an empty
 * object if it has none.
 */
export function firstChoice({ choices }: Fields): Fields {
  return fields(Array.isArray(choices) ? choices[0] : undefined);
}

/** Returns whether the answer has thoughts besides the text. */
function thoughtApart({ content, ...message }: Fields): boolean {
  const beside = message.reasoning_content ?? message.reasoning;
  const inParts = Array.isArray(content) && content.some((part) => !isText(fields(part)));
  return inParts || (typeof beside === 'string' && beside.trim() !== '');
}

/** Returns the sum of the tokens' log probabilities; undefined unless every token has one. */
function logprobOf(value: unknown): number | undefined {
  const { content } = fields(value);
  if (!Array.isArray(content) || content.length === 0) return undefined;
  const logprobs = content.map((token) => fields(token).logprob);
  return logprobs.every((logprob) => typeof logprob === 'number')
    ? Math.min(
        0,
        logprobs.reduce((sum, logprob) => sum + logprob, 0),
      )
    : undefined;
}

/** Returns the content as text. Some servers send a list of parts, with thoughts among them. */
function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map(fields)
    .map((part) => (isText(part) ? part.text : ''))
    .filter((text) => typeof text === 'string')
    .join('');
}

/** Returns whether a part is text; thoughts have another type. */
function isText({ type }: Fields): boolean {
  return typeof type !== 'string' || !/^(thinking|reasoning)/.test(type);
}
