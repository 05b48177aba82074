/** Reads the usage and cost in an answer, in the terms of all providers. Pure. */

import type { TokenUsage } from './language-model.js';
import { countOrZero, type Fields, fields } from './response-fields.js';

/**
 * The usage that a provider's answer reports about a call: its tokens (null if not reported), its
 * cost in US dollars (absent if not stated), and whether the model thought.
 */
export interface ReportedUsage {
  /**
   * Usage; null unless the answer reports the prompt, and the completion or the total. Missing
   * counts are unknown, not 0.
   */
  usage: TokenUsage | null;
  /** Whether the model spent tokens on thinking. */
  thinks: boolean;
  /** Cost in US dollars, as the provider reports it; absent if it does not. */
  statedUsd?: number;
}

/** Counts in an answer, of any type; undefined if missing. */
interface Counts {
  prompt: unknown;
  completion: unknown;
  total?: unknown;
  cached?: unknown;
  written?: unknown;
  reasoning?: unknown;
  /** Audio tokens in the prompt. */
  audio?: unknown;
  /** Whether the prompt has audio without a token count. */
  hasUncountedAudio?: boolean;
}

/**
 * Returns what the `usage` field of a chat completions answer reports: `usage`, the numbers of
 * tokens, null if some are missing; `thinks`, whether the model spent tokens on thinking; and
 * `statedUsd`, the cost in US dollars, absent if the field has none.
 *
 * Providers put the details of prompt and completion in several places. If two differ, the larger
 * count is taken, because the other one is a default of 0.
 */
export function readUsage(value: unknown): ReportedUsage {
  const usage = fields(value);
  const prompt = fields(usage.prompt_tokens_details ?? usage.input_tokens_details);
  const completion = fields(usage.completion_tokens_details ?? usage.output_tokens_details);
  return {
    ...usageOf({
      prompt: usage.prompt_tokens ?? usage.input_tokens,
      completion: usage.completion_tokens ?? usage.output_tokens,
      total: usage.total_tokens,
      cached: largest(
        prompt.cached_tokens,
        usage.cached_tokens,
        usage.prompt_cache_hit_tokens,
        usage.cache_read_input_tokens,
      ),
      written: largest(
        prompt.cache_write_tokens,
        prompt.cache_creation_tokens,
        usage.cache_creation_input_tokens,
      ),
      reasoning: largest(completion.reasoning_tokens, usage.reasoning_tokens),
      audio: prompt.audio_tokens,
      hasUncountedAudio: countOrZero(usage.prompt_audio_seconds) > 0,
    }),
    ...statedCost(usage),
  };
}

/**
 * Returns `usage`, the numbers of tokens computed from the counts of an answer by the same rules
 * for every provider, and `thinks`, whether the model spent tokens on thinking. The usage is null
 * if the prompt tokens are unknown, or both the completion and the total.
 *
 * Completion tokens are at least the total minus the prompt, because some providers count thinking
 * only in the total. If the difference equals the audio in the prompt, it is not thinking.
 */
export function usageOf(counts: Counts): Omit<ReportedUsage, 'statedUsd'> {
  const { prompt, completion, total, reasoning, hasUncountedAudio } = counts;
  const thought = countOrZero(reasoning);
  if (!isCount(prompt)) return { usage: null, thinks: thought > 0 };
  const written = isCount(completion) ? completion : undefined;
  const rest = isCount(total) ? total - prompt : undefined;
  if (written === undefined && (isPresent(completion) || rest === undefined || rest < 0)) {
    return { usage: null, thinks: thought > 0 };
  }
  const completionTokens = written ?? rest ?? 0;
  const excess = excessOf(
    completionTokens,
    rest,
    thought,
    hasUncountedAudio ? undefined : countOrZero(counts.audio),
  );
  const cachedPromptTokens = Math.min(countOrZero(counts.cached), prompt);
  const writtenPromptTokens = Math.min(countOrZero(counts.written), prompt - cachedPromptTokens);
  return {
    usage: {
      promptTokens: prompt,
      cachedPromptTokens,
      ...(writtenPromptTokens > 0 && { writtenPromptTokens }),
      completionTokens: completionTokens + excess,
    },
    thinks: thought > 0 || excess > 0,
  };
}

/**
 * Returns the number of thinking tokens that are missing in the completion's count.
 *
 * @param completionTokens Completion tokens as reported.
 * @param rest Total minus prompt; undefined without a total.
 * @param thought Thinking tokens as reported.
 * @param audio Audio tokens in the prompt; undefined if there is audio of unknown size.
 */
function excessOf(
  completionTokens: number,
  rest: number | undefined,
  thought: number,
  audio: number | undefined,
): number {
  // Without a total, thinking that exceeds the completion cannot be a part of it.
  if (rest === undefined) return thought > completionTokens ? thought : 0;
  const excess = Math.max(0, rest - completionTokens);
  return audio === undefined || excess === audio ? 0 : excess;
}

/** xAI's ticks in a US dollar. */
const TICKS = 1e10;

/**
 * Returns the cost that a provider reports in US dollars, as `{ statedUsd }`; an empty object if it
 * reports none, another currency, or no valid amount. Reads OpenRouter's `cost`, plus what the
 * provider behind it charges to a key of your own; xAI's ticks; DeepInfra's estimate; Perplexity's
 * total.
 */
export function statedCost(value: unknown): Pick<ReportedUsage, 'statedUsd'> {
  const usage = fields(value);
  const { currency = fields(usage.cost).currency ?? 'USD' } = usage;
  if (String(currency).toUpperCase() !== 'USD') return {};
  const cost = amount(usage.cost) ?? amount(fields(usage.cost).total_cost);
  const behind = usage.is_byok === true ? fields(usage.cost_details).upstream_inference_cost : 0;
  const ticks = amount(usage.cost_in_usd_ticks ?? usage.costInUsdTicks);
  const statedUsd =
    (cost === undefined ? undefined : cost + (amount(behind) ?? 0)) ??
    (ticks === undefined ? undefined : ticks / TICKS) ??
    amount(usage.estimated_cost);
  return statedUsd === undefined ? {} : { statedUsd };
}

/** Returns an amount of at least 0; undefined for other values. Some gateways send it as text. */
function amount(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return isCount(number) ? number : undefined;
}

function largest(...values: readonly unknown[]): number {
  return Math.max(...values.map(countOrZero));
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

/**
 * Returns the `usage` field of an answer that generates nothing, such as embeddings, in the form
 * that `readUsage` reads: 0 completion tokens, and all reported tokens as the prompt's.
 *
 * @param prompt Prompt tokens if the field has none.
 */
export function promptOnly(value: unknown, prompt?: unknown): Fields {
  const { prompt_tokens, input_tokens, total_tokens, ...usage } = fields(value);
  const read = prompt_tokens ?? input_tokens ?? total_tokens ?? prompt;
  return { ...usage, prompt_tokens: read, completion_tokens: 0 };
}
