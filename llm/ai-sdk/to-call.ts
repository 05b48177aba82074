/** A request in the AI SDK's terms, without what the model refuses. Pure. */
import type { CompletionRequest, Message } from '../language-model.js';
import { refusedParameter } from '../openai/parameters.js';
import type { ProviderAnswer } from '../provider-failure.js';
import type { AiSdkCall, AiSdkMessage } from './language-model.js';

/** What a model may refuse and can do without, by the name it has in most APIs. */
export type Setting = 'temperature' | 'top_p' | 'seed' | 'service_tier';

export type Settings = Partial<Record<Exclude<Setting, 'service_tier'>, number>> & {
  service_tier?: 'flex';
};

/** The settings of a request that the model does not refuse. */
export function settingsOf(request: CompletionRequest, refused: ReadonlySet<Setting>): Settings {
  const { temperature, topP, seed, tier } = request;
  return {
    ...(refused.has('temperature') ? {} : { temperature }),
    ...(refused.has('top_p') || topP === undefined ? {} : { top_p: topP }),
    ...(refused.has('seed') || seed === undefined ? {} : { seed }),
    ...(refused.has('service_tier') || tier === undefined ? {} : { service_tier: tier }),
  };
}

const SETTINGS = ['temperature', 'top_p', 'seed', 'service_tier'] as const;

/** The setting that a provider said it does not support, if that is what it said. */
export function refusedSetting(answer: ProviderAnswer, sent: Settings): Setting | undefined {
  const refused = refusedParameter(answer, sent);
  return SETTINGS.find((setting) => setting === refused);
}

export function toCall(
  { messages, maxTokens }: CompletionRequest,
  { top_p, service_tier, ...settings }: Settings,
  reasoningAllowance: number,
): Omit<AiSdkCall, 'abortSignal'> {
  return {
    prompt: messages.map(toMessage),
    maxOutputTokens: maxTokens + reasoningAllowance,
    ...settings,
    ...(top_p === undefined ? {} : { topP: top_p }),
    // Options have the name of the provider that they are for; the others pass them over.
    ...(service_tier && { providerOptions: { openai: { serviceTier: service_tier } } }),
  };
}

function toMessage({ role, content }: Message): AiSdkMessage {
  return role === 'system'
    ? { role, content }
    : { role, content: [{ type: 'text', text: content }] };
}
