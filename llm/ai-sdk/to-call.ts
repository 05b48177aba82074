/**
 * Converts a request into a call of the AI SDK, without the parameters that the model refuses.
 * Pure.
 */
import type { CompletionRequest, Message } from '../language-model.js';
import type { Settings } from '../openai/parameters.js';
import type { AiSdkCall, AiSdkMessage } from './language-model.js';

/**
 * Returns the call of a model. Parameters without a setting in the interface become options under
 * the provider's name, which other providers ignore. OpenAI's provider reads its own names; those
 * of compatible endpoints pass on the options under theirs.
 *
 * @param provider The model's name of its provider: "openai.chat".
 */
export function toCall(
  { messages, schema }: CompletionRequest,
  { max_tokens, temperature, top_p, seed, stop, reasoning_effort, service_tier }: Settings,
  limit: number,
  provider: string,
): Omit<AiSdkCall, 'abortSignal'> {
  const isRenamed = max_tokens === undefined;
  const [name = ''] = provider.split('.');
  const effort = reasoning_effort !== undefined && { reasoningEffort: reasoning_effort };
  const openai = {
    ...effort,
    ...(isRenamed && { maxCompletionTokens: limit }),
    ...(service_tier && { serviceTier: service_tier }),
  };
  const providerOptions = {
    ...((isRenamed || effort) && {
      [name]: { ...effort, ...(isRenamed && { max_completion_tokens: limit }) },
    }),
    ...(Object.keys(openai).length > 0 && { openai }),
  };
  return {
    prompt: messages.map(toMessage),
    ...(isRenamed ? {} : { maxOutputTokens: limit }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(seed === undefined ? {} : { seed }),
    ...(top_p === undefined ? {} : { topP: top_p }),
    ...(stop && { stopSequences: stop }),
    ...(schema && { responseFormat: { type: 'json', ...schema } }),
    ...(Object.keys(providerOptions).length > 0 && { providerOptions }),
  };
}

function toMessage({ role, content }: Message): AiSdkMessage {
  return role === 'system'
    ? { role, content }
    : { role, content: [{ type: 'text', text: content }] };
}
