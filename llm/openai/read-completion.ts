/** Reads the body of a chat completions answer. Pure. */
import { APIError } from 'openai';
import type { Completion, TokenUsage } from '../language-model.js';
import { costOf, type PriceTable, priceOf } from '../prices.js';
import { type CallContext, classifyError, failure } from './classify-error.js';
import { withoutThinking } from './think.js';

/** What decides the cost of a call. */
export interface Pricing {
  prices: PriceTable;
  /** On this machine, where a model that is not in the table costs nothing. */
  isLocal: boolean;
}

type Fields = Record<string, unknown>;

/**
 * The completion in an answer with status 200.
 *
 * @throws Failure MalformedResponse without a choice, ContentRefused when the model or a filter
 *   refused, or what an error sent with status 200 stands for.
 */
export function readCompletion(body: unknown, context: CallContext, pricing: Pricing): Completion {
  const answer = fields(body);
  // Routers in front of several providers send errors with status 200.
  if (answer.error) throw errorInside(answer, context);
  const choice = fields(Array.isArray(answer.choices) ? answer.choices[0] : undefined);
  if (typeof choice.message !== 'object' || choice.message === null) {
    const said = typeof body === 'string' ? body : 'a JSON body with no choice in it';
    throw failure('MalformedResponse', context, { said });
  }
  const message = fields(choice.message);
  const content = contentText(message.content);
  if (choice.finish_reason === 'content_filter') throw failure('ContentRefused', context);
  if (content === '' && typeof message.refusal === 'string' && message.refusal !== '') {
    throw failure('ContentRefused', context, { said: message.refusal });
  }

  const { text, cut } = withoutThinking(content);
  const servedModel =
    typeof answer.model === 'string' && answer.model ? answer.model : context.model;
  const usage = readUsage(answer.usage);
  return {
    text,
    cut: cut || choice.finish_reason === 'length',
    usage: usage ?? { promptTokens: 0, cachedPromptTokens: 0, completionTokens: 0 },
    costUsd: cost(usage, [servedModel, context.model], pricing),
    servedModel,
    fingerprint: typeof answer.system_fingerprint === 'string' ? answer.system_fingerprint : null,
  };
}

/** Token counts; undefined when the answer has none. */
function readUsage(value: unknown): TokenUsage | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const usage = fields(value);
  const promptTokens = count(usage.prompt_tokens);
  const cached = fields(usage.prompt_tokens_details).cached_tokens ?? usage.prompt_cache_hit_tokens;
  return {
    promptTokens,
    cachedPromptTokens: Math.min(count(cached), promptTokens),
    completionTokens: count(usage.completion_tokens),
  };
}

/** The served name is the more exact one: an alias can move between versions of different price. */
function cost(
  usage: TokenUsage | undefined,
  models: readonly string[],
  { prices, isLocal }: Pricing,
): number | null {
  const price = models.map((model) => priceOf(model, prices)).find((found) => found !== undefined);
  if (!price) return isLocal ? 0 : null;
  return usage ? costOf(usage, price) : null;
}

function errorInside(answer: Fields, context: CallContext): Error {
  const code = Number(fields(answer.error).code);
  const status = code >= 400 && code < 600 ? code : 500;
  return classifyError(APIError.generate(status, answer, undefined, new Headers()), context);
}

/** Some servers send the content as a list of parts. */
function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part) => fields(part).text)
    .filter((text) => typeof text === 'string')
    .join('');
}

function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}
