/**
 * The part of the AI SDK's model interface (specifications v2 and v3) that is used here, in our own
 * words, so that nobody needs the SDK's package who brings no model.
 */

export interface AiSdkLanguageModel {
  readonly specificationVersion: string;
  /** "anthropic.messages" and the like. */
  readonly provider: string;
  readonly modelId: string;
  /** Makes one request; its result is read as v2 or v3. */
  doGenerate(options: AiSdkCall): PromiseLike<unknown>;
}

export type AiSdkMessage =
  | { role: 'system'; content: string }
  | { role: 'user' | 'assistant'; content: { type: 'text'; text: string }[] };

export interface AiSdkCall {
  prompt: AiSdkMessage[];
  maxOutputTokens?: number;
  temperature?: number;
  topP?: number;
  seed?: number;
  stopSequences?: string[];
  responseFormat?: { type: 'json'; name: string; schema: Record<string, unknown> };
  /** By the name of the provider that knows them. */
  providerOptions?: Record<string, Record<string, string | number>>;
  abortSignal: AbortSignal;
}
