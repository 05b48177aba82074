/**
 * Span attributes of a request to a model, by OpenTelemetry's conventions for generative AI. Pure.
 */
import { Failure } from '../../core/failure.js';
import { isImpossible } from '../../core/usage.js';
import type { Completion, Paid, TokenUsage } from '../../llm/language-model.js';
import type { ModelRequest } from '../observe/call-spans.js';
import type { Observation } from '../observe/observation.js';
import { type Attributes, definedAttributes } from './attributes.js';

/** The conventions' names of providers, by host or by the name that a client library uses. */
const PROVIDERS: readonly [name: string, is: RegExp][] = [
  ['azure.ai.openai', /\.openai\.azure\.com$|^azure([-.]|$)/],
  [
    'azure.ai.inference',
    /\.(services|models)\.ai\.azure\.com$|^models\.inference\.ai\.azure\.com$/,
  ],
  ['anthropic', /^api\.anthropic\.com$|^anthropic([-.]|$)/],
  ['aws.bedrock', /^bedrock(-[a-z]+)?\..*\.amazonaws\.com$|^(amazon-)?bedrock([-.]|$)/],
  ['gcp.vertex_ai', /(^|[.-])aiplatform\.googleapis\.com$|^(google\.)?vertex([-.]|$)/],
  ['gcp.gemini', /^generativelanguage\.googleapis\.com$|^google\.generative-ai$/],
  ['gcp.gen_ai', /^google$/],
  ['cohere', /^api\.cohere\.(ai|com)$|^cohere([-.]|$)/],
  ['deepseek', /^api\.deepseek\.com$|^deepseek([-.]|$)/],
  ['groq', /^api\.groq\.com$|^groq([-.]|$)/],
  ['ibm.watsonx.ai', /\.ml\.cloud\.ibm\.com$|^watsonx([-.]|$)/],
  ['mistral_ai', /^api\.mistral\.ai$|^mistral([-.]|$)/],
  ['moonshot_ai', /^api\.moonshot\.(ai|cn)$|^moonshot(ai)?([-.]|$)/],
  ['openai', /^(\w+\.)?api\.openai\.com$|^openai([-.]|$)/],
  ['perplexity', /^api\.perplexity\.ai$|^perplexity([-.]|$)/],
  ['x_ai', /^api\.x\.ai$|^xai([-.]|$)/],
];

/**
 * Returns the name of a model request's span: the operation, followed by the model if it is known.
 */
export function spanName({ operation, model }: ModelRequest): string {
  return model === '' ? operation : `${operation} ${model}`;
}

/**
 * Returns the span attributes of a model request that is about to be sent: operation, provider,
 * model, and host and port of the server if the provider is a URL. The provider of an unknown host
 * is "openai", the name of its API.
 */
export function requestAttributes({ operation, provider, model }: ModelRequest): Attributes {
  const url = URL.canParse(provider) ? new URL(provider) : undefined;
  const server = url?.hostname ? url : undefined;
  const named = server?.hostname ?? provider;
  const [name] = PROVIDERS.find(([, is]) => is.test(named)) ?? [server ? 'openai' : provider];
  return definedAttributes({
    'gen_ai.operation.name': operation,
    'gen_ai.provider.name': name,
    'gen_ai.request.model': model,
    'server.address': server?.hostname,
    'server.port': server && Number(server.port || (server.protocol === 'http:' ? 80 : 443)),
  });
}

/**
 * Returns the span attributes of an answer: served model, how it ended, and tokens. The answer may
 * come unchecked from a custom model; impossible counts are left out.
 */
export function answerAttributes(answer: Paid & Partial<Completion>): Attributes {
  const { usage, servedModel, end } = Object(answer) as Partial<Completion>;
  return definedAttributes({
    'gen_ai.response.model': servedModel,
    'gen_ai.response.finish_reasons': end && [finishReason(end)],
    ...(usage && !isImpossible(usage) && tokens(usage)),
  });
}

/**
 * Returns the span attributes of an answer that came from a batch: served model, how it ended, and
 * tokens unless they were not counted.
 */
export function batchedAttributes({ usage, served, finish }: Observation): Attributes {
  return definedAttributes({
    'gen_ai.response.model': served,
    'gen_ai.response.finish_reasons': finish && [finishReason(finish)],
    ...(usage && !usage.uncounted && tokens(usage)),
  });
}

/**
 * Returns the span attributes of a failed request: the type of failure, "content_filter" or "error"
 * as the reason of its end, and the tokens that the provider reported.
 */
export function errorAttributes(error: unknown): Attributes {
  const { type, spent } = error instanceof Failure ? error : { spent: undefined, type: undefined };
  return definedAttributes({
    'error.type': type ?? (error instanceof Error ? error.name : '_OTHER'),
    'gen_ai.response.finish_reasons': [type === 'ContentRefused' ? 'content_filter' : 'error'],
    'gen_ai.usage.input_tokens': spent?.promptTokens,
    'gen_ai.usage.output_tokens': spent?.completionTokens,
  });
}

/**
 * Returns how the generation ended, in the conventions' words. A word of the provider that is not a
 * plain name becomes "unknown", since spans contain no text.
 */
function finishReason(end: Completion['end']): string {
  if (end === 'finished') return 'stop';
  if (end === 'cut') return 'length';
  return /^[\w.-]+$/.test(end.unknown) ? end.unknown : 'unknown';
}

/** Returns the token counts; the input includes cache reads and writes. */
function tokens(usage: TokenUsage): Record<string, unknown> {
  return {
    'gen_ai.usage.input_tokens': usage.promptTokens,
    'gen_ai.usage.output_tokens': usage.completionTokens,
    'gen_ai.usage.cache_read.input_tokens': usage.cachedPromptTokens,
    'gen_ai.usage.cache_write.input_tokens': usage.writtenPromptTokens,
  };
}
