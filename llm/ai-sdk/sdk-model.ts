/**
 * The used part of the AI SDK's model interface (specifications v2 and v3), declared here so that
 * only users of such models need the SDK's package.
 */

/** A language model of the AI SDK, reduced to the members that are used (specifications 2 and 3). */
export interface AiSdkLanguageModel {
  readonly specificationVersion: string;
  /** Provider and kind, such as "anthropic.messages". */
  readonly provider: string;
  readonly modelId: string;
  /** Makes one request; the result is read as v2 or v3. */
  doGenerate(options: AiSdkCall): PromiseLike<unknown>;
}

/** A message of a prompt, in the format of the AI SDK. */
export type AiSdkMessage =
  | { role: 'system'; content: string }
  | { role: 'user' | 'assistant'; content: { type: 'text'; text: string }[] };

/** A request to a model, in the format of the AI SDK. */
export interface AiSdkCall {
  prompt: AiSdkMessage[];
  maxOutputTokens?: number;
  temperature?: number;
  topP?: number;
  seed?: number;
  stopSequences?: string[];
  responseFormat?: { type: 'json'; name: string; schema: Record<string, unknown> };
  /** Options by the name of the provider that understands them. */
  providerOptions?: Record<string, Record<string, string | number>>;
  abortSignal: AbortSignal;
}
