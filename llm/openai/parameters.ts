/** Which parameters a model gets, and what a server that refuses one of them wants instead. */
import type { CompletionRequest } from '../language-model.js';

/** The parameters some models refuse. */
export type Refusable =
  | 'max_tokens'
  | 'temperature'
  | 'top_p'
  | 'seed'
  | 'logprobs'
  | 'service_tier';

/** The body of a chat completions request. */
export interface ChatBody {
  model: string;
  messages: CompletionRequest['messages'];
  max_tokens?: number;
  max_completion_tokens?: number;
  temperature?: number;
  top_p?: number;
  seed?: number;
  logprobs?: true;
  service_tier?: 'flex';
}

/** What OpenAI's reasoning models are known to refuse, so that their first call succeeds. */
const REFUSED_BY_REASONING: readonly Refusable[] = [
  'max_tokens',
  'temperature',
  'top_p',
  'logprobs',
];

/** True for o1, o3, o4-mini, gpt-5, gpt-5.1 and their like, also dated; not for gpt-5-chat. */
export function isReasoningModel(model: string): boolean {
  return /^(ft:)?(o[1-9]\d*|gpt-([5-9]|\d{2,})(\.\d+)?)(-|:|$)/.test(model) && !/-chat/.test(model);
}

/** What is refused by a model before the server has said anything. */
export function refusedFromTheStart(model: string, isOpenAi: boolean): readonly Refusable[] {
  return isOpenAi && isReasoningModel(model) ? REFUSED_BY_REASONING : [];
}

/**
 * The request in the API's terms, without what the model refuses.
 *
 * @param reasoningAllowance Tokens on top of `maxTokens`.
 */
export function toBody(
  request: CompletionRequest,
  refused: ReadonlySet<Refusable>,
  reasoningAllowance: number,
): ChatBody {
  const { model, messages, maxTokens, temperature, topP, seed, logprobs, tier } = request;
  return {
    model,
    messages: messages.map(({ role, content }) => ({ role, content })),
    [refused.has('max_tokens') ? 'max_completion_tokens' : 'max_tokens']:
      maxTokens + reasoningAllowance,
    ...(refused.has('temperature') ? {} : { temperature }),
    ...(refused.has('top_p') || topP === undefined ? {} : { top_p: topP }),
    ...(refused.has('seed') || seed === undefined ? {} : { seed }),
    ...(refused.has('logprobs') || logprobs === undefined ? {} : { logprobs }),
    ...(refused.has('service_tier') || tier === undefined ? {} : { service_tier: tier }),
  };
}

/**
 * The parameter of this body that a server said it does not support, if that is what it said.
 *
 * OpenAI names it in `param`; others only in the message.
 */
export function refusedParameter(
  answer: { status: number; code: string; param: string; message: string },
  body: Partial<Record<Refusable, unknown>>,
): Refusable | undefined {
  if (answer.status !== 400 && answer.status !== 422) return undefined;
  if (body.service_tier !== undefined && refusesTier(answer)) return 'service_tier';
  const unsupported =
    /unsupported|not supported|(does not|doesn't|do not) support|unrecognized|unknown (parameter|field|name|argument)|unexpected keyword|extra (inputs|fields)|extra_forbidden|deprecated for|cannot both/i;
  if (!unsupported.test(`${answer.code} ${answer.message}`)) return undefined;
  const sent = (['max_tokens', 'temperature', 'top_p', 'seed', 'logprobs'] as const).filter(
    (name) => body[name] !== undefined,
  );
  const named = sent.find((name) => answer.param === name);
  if (named || answer.param) return named;
  // Of "temperature and top_p cannot both be set", top_p is the one a request can do without.
  return [...sent].reverse().find((name) => new RegExp(`\\b${name}\\b`).test(answer.message));
}

/** Whether a refusal is of the tier: a model without it is refused in other words than a parameter. */
function refusesTier({ param, message }: { param: string; message: string }): boolean {
  return param === 'service_tier' || /service[_ ]tier|\bflex\b/i.test(message);
}
