/** A request in the AI SDK's terms, without what the model refuses. Pure. */
import type { CompletionRequest, Message } from '../language-model.js';
import type { Refusable } from '../openai/parameters.js';
import type { AiSdkCall, AiSdkMessage } from './language-model.js';

/** What a model may refuse and can do without, by the name it has in most APIs. */
export type Settings = Partial<Record<Exclude<Refusable, 'logprobs' | 'service_tier'>, number>> & {
  service_tier?: 'flex';
};

/** The settings of a request that the model does not refuse. */
export function settingsOf(request: CompletionRequest, refused: ReadonlySet<Refusable>): Settings {
  const { temperature, topP, seed, tier, maxTokens } = request;
  return {
    ...(refused.has('max_tokens') ? {} : { max_tokens: maxTokens }),
    ...(refused.has('temperature') ? {} : { temperature }),
    ...(refused.has('top_p') || topP === undefined ? {} : { top_p: topP }),
    ...(refused.has('seed') || seed === undefined ? {} : { seed }),
    ...(refused.has('service_tier') || tier === undefined ? {} : { service_tier: tier }),
  };
}

/**
 * The call of a model. What the interface has no setting for goes into options, which have the name
 * of the provider that they are for; the others pass them over. OpenAI's reads words of its own;
 * those of compatible endpoints send on what stands under their name.
 *
 * @param limit Tokens that it may take, thoughts included.
 * @param provider Of the model, as it names itself: "openai.chat".
 */
export function toCall(
  { messages }: CompletionRequest,
  { max_tokens, top_p, service_tier, ...settings }: Settings,
  limit: number,
  provider: string,
): Omit<AiSdkCall, 'abortSignal'> {
  const isRenamed = max_tokens === undefined;
  const [name = ''] = provider.split('.');
  const openai = {
    ...(isRenamed && { maxCompletionTokens: limit }),
    ...(service_tier && { serviceTier: service_tier }),
  };
  const providerOptions = {
    ...(isRenamed && { [name]: { max_completion_tokens: limit } }),
    ...(Object.keys(openai).length > 0 && { openai }),
  };
  return {
    prompt: messages.map(toMessage),
    ...(isRenamed ? {} : { maxOutputTokens: limit }),
    ...settings,
    ...(top_p === undefined ? {} : { topP: top_p }),
    ...(Object.keys(providerOptions).length > 0 && { providerOptions }),
  };
}

function toMessage({ role, content }: Message): AiSdkMessage {
  return role === 'system'
    ? { role, content }
    : { role, content: [{ type: 'text', text: content }] };
}
