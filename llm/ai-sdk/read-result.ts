/** Reads the result of an AI SDK model, of specification v2 or v3. Pure. */

import { parseJson } from '../../core/canonical-json.js';
import type { Failure } from '../../core/failure.js';
import type { PricedTier } from '../../core/model-price.js';
import { endOf, type ReportedEnd, reportedEnd } from '../generation-end.js';
import { type Completion, PARAMETERS, type Parameter } from '../language-model.js';
import { firstChoice, hostOf, readCompletion } from '../openai/chat-completion.js';
import { billOf, type Pricing } from '../prices.js';
import { type CallContext, failure } from '../provider-failure.js';
import { type ReportedUsage, statedCost, usageOf } from '../read-usage.js';
import { countOrZero, type Fields, fields, nonEmptyText } from '../response-fields.js';

/**
 * Returns the completion in the result of an AI SDK call: its text, how it ended, its usage and its
 * cost.
 *
 * @param asked The service tier that was asked for; undefined for the usual tier, "refused" if the
 * provider refused the tier. The tier that served decides the price.
 * @throws Failure MalformedResponse if there is no content, if the generation broke off, or if it
 * has no text and called a tool; ContentRefused if the model or a filter refused.
 */
export function readResult(
  value: unknown,
  context: CallContext,
  pricing: Pricing,
  asked?: PricedTier | 'refused',
): Completion {
  const result = fields(value);
  const parts = Array.isArray(result.content) ? result.content.map(fields) : [];
  const textOf = (kind: string) =>
    parts.map(({ type, text }) => (type === kind ? String(text ?? '') : '')).join('');
  const response = fields(result.response);
  const { servedModel, thinks, paid } = readResultBill(result, context, pricing, asked);
  const text = textOf('text');
  const end = endOf(reportedEndOf(result, parts), text, paid, context);
  if (!Array.isArray(result.content)) {
    throw failure('MalformedResponse', context, { reply: 'a result with no content in it' });
  }
  return {
    text,
    end,
    ...((thinks || textOf('reasoning').trim() !== '') && { thinking: 'some' as const }),
    ...paid,
    servedModel,
    fingerprint: nonEmptyText(fields(response.body).system_fingerprint) ?? null,
    ...hostOf(fields(response.body)),
  };
}

/**
 * Returns the `servedModel` of an AI SDK result (the requested one if it names none), as `paid`
 * its usage and cost, and as `thinks` whether the model spent tokens on thinking. `asked` is as in
 * `readResult`.
 */
export function readResultBill(
  value: unknown,
  context: CallContext,
  pricing: Pricing,
  asked?: PricedTier | 'refused',
) {
  const result = fields(value);
  const servedModel = nonEmptyText(fields(result.response).modelId) ?? context.model;
  const { thinks, ...reported } = readUsage(result);
  const tier = { served: servedTier(result), asked };
  const paid = billOf(reported, [servedModel, context.model], pricing, tier);
  return { servedModel, thinks, paid };
}

/**
 * Returns the service tier that served the call, as the provider names it; undefined if it names
 * none. OpenAI's provider reports it in its metadata or leaves it in the answer's body.
 */
function servedTier({ providerMetadata, response }: Fields): string | undefined {
  const reply = Object.values(fields(providerMetadata)).map((one) => fields(one).serviceTier);
  return [...reply, fields(fields(response).body).service_tier]
    .map(nonEmptyText)
    .find((one) => one);
}

/**
 * Returns the parsed body of the provider's HTTP answer; undefined if the AI SDK result does not
 * contain it.
 */
export function bodyOf(value: unknown): unknown {
  return fields(fields(value).response).body;
}

/** Returns the warnings of an AI SDK result as sentences, such as "seed is not supported". */
export function readWarnings(value: unknown): string[] {
  return warningsIn(value).map((warning) => {
    const what = nonEmptyText(warning.feature) ?? nonEmptyText(warning.setting);
    const why = nonEmptyText(warning.details) ?? nonEmptyText(warning.message);
    return [what && `${what} is not supported`, why].filter(Boolean).join(': ');
  });
}

/** Returns whether an AI SDK result warns that the provider ignored the request's JSON schema. */
export function ignoresSchema(value: unknown): boolean {
  return unsupportedIn(value).includes('responseFormat');
}

/**
 * Returns the request's parameters that the provider ignored, according to the warnings of an AI
 * SDK result, by their names in `CompletionRequest`.
 */
export function ignoredParameters(value: unknown): Parameter[] {
  const names = unsupportedIn(value).map((name) => (name === 'stopSequences' ? 'stop' : name));
  return PARAMETERS.filter((name) => names.includes(name));
}

/**
 * Returns the names of the settings that the warnings call unsupported; v2 has them in `setting`,
 * v3 in `feature`.
 */
function unsupportedIn(value: unknown): unknown[] {
  return warningsIn(value)
    .filter(({ type }) => type === 'unsupported-setting' || type === 'unsupported')
    .map(({ feature, setting }) => feature ?? setting);
}

function warningsIn(value: unknown): Fields[] {
  const { warnings } = fields(value);
  return Array.isArray(warnings) ? warnings.map(fields) : [];
}

/**
 * Returns how a result reports its end. Version 2 has one word; version 3 has that word and the
 * provider's own. The body of the provider's answer may contain more words.
 */
function reportedEndOf(result: Fields, parts: readonly Fields[]): ReportedEnd {
  const { finishReason } = result;
  const answer = fields(bodyOf(result));
  const reply = reportedEnd(firstChoice(answer));
  const { unified, raw } = fields(finishReason);
  const word = typeof finishReason === 'string' ? finishReason : unified;
  // The SDK uses both for an unknown word and for none.
  const isVague = word === 'other' || word === 'unknown';
  const isSaidApart = raw !== undefined || answer.choices !== undefined;
  return {
    ...reply,
    words: [...reply.words, raw, isVague && isSaidApart ? undefined : word],
    callsTool: reply.callsTool || parts.some(({ type }) => type === 'tool-call'),
  };
}

/**
 * Returns the failure in a chat completions answer with status 200 (a body with `choices`) that the
 * SDK could not read, such as the refusal of a content filter. Undefined if the error contains no
 * such answer, or the answer can be read.
 */
export function failureInUnreadAnswer(error: unknown, context: CallContext): Failure | undefined {
  const { statusCode, responseBody } = fields(error);
  const body = typeof responseBody === 'string' ? parseJson(responseBody) : undefined;
  if (statusCode !== 200 || fields(body).choices === undefined) return undefined;
  try {
    readCompletion(body, context, { prices: new Map(), isLocal: false });
    return undefined;
  } catch (failure) {
    return failure as Failure;
  }
}

/**
 * Returns the usage and cost in a result. Counts are numbers in v2 and objects in v3, which also
 * contains the provider's own usage. A reported cost is in that usage, in the body, or in the
 * provider's metadata.
 */
function readUsage({ usage, providerMetadata, response }: Fields): ReportedUsage {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens, ...more } = fields(usage);
  const raw = fields(more.raw);
  const input = fields(inputTokens);
  const output = fields(outputTokens);
  const metadata = Object.values(fields(providerMetadata)).map(fields);
  const usages = [raw, fields(response).body, ...metadata].flatMap((one) => [
    fields(one).usage,
    one,
  ]);
  return {
    ...usageOf({
      prompt: isNumber(inputTokens) ? inputTokens : input.total,
      completion: isNumber(outputTokens) ? outputTokens : output.total,
      total: more.totalTokens ?? raw.total_tokens ?? raw.totalTokens ?? raw.totalTokenCount,
      cached: cachedInputTokens ?? input.cacheRead,
      written:
        input.cacheWrite ?? metadata.map((one) => one.cacheCreationInputTokens).find(countOrZero),
      reasoning: reasoningTokens ?? output.reasoning,
      audio: fields(raw.prompt_tokens_details).audio_tokens,
      hasUncountedAudio: countOrZero(raw.prompt_audio_seconds) > 0,
    }),
    ...usages.map(statedCost).find(({ statedUsd }) => statedUsd !== undefined),
  };
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}
