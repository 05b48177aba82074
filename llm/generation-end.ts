/** How a generation ended: the words of all providers and their meanings. Pure. */

import type { Failure } from '../core/failure.js';
import { shortened } from '../core/shortened.js';
import { isImpossible } from '../core/usage.js';
import { hasContent, readError } from './error-answer.js';
import type { GenerationEnd, Paid } from './language-model.js';
import { type CallContext, failure } from './provider-failure.js';
import { type Fields, fields, nonEmptyText } from './response-fields.js';

/**
 * Meanings, the most serious first; if several words are given for one generation, the first row
 * counts.
 */
const ROWS = ['refused', 'broken', 'cut', 'finished'] as const;
type Row = (typeof ROWS)[number];

/**
 * Words of providers by meaning, in lower case with "_" between their parts. They come from OpenAI,
 * Azure, Anthropic, Google, Bedrock, Cohere, Mistral, DeepSeek, Moonshot, Zhipu, watsonx, Together,
 * OpenRouter, vLLM, SGLang, TGI and the AI SDK.
 */
const WORDS: Readonly<Record<Row, readonly string[]>> = {
  refused: [
    'safety',
    'image_safety',
    'recitation',
    'prohibited_content',
    'blocklist',
    'spii',
    'model_armor',
    'sensitive',
    'guardrail_intervened',
    'refusal',
    'error_toxic',
  ],
  broken: [
    'error',
    'network_error',
    'abort',
    'aborted',
    'cancelled',
    'canceled',
    'user_cancel',
    'timeout',
    'insufficient_system_resource',
    'malformed_response',
    'malformed_model_output',
    'malformed_function_call',
    'malformed_tool_use',
    'unexpected_tool_call',
  ],
  cut: [
    'length',
    'max_length',
    'max_tokens',
    'max_output_tokens',
    'model_length',
    'token_limit',
    'time_limit',
    'model_context_window_exceeded',
  ],
  finished: [
    'stop',
    'stop_sequence',
    'eos',
    'eos_token',
    'end_turn',
    'complete',
    'completed',
    'normal',
    'tool_calls',
    'tool_call',
    'tool_use',
    'function_call',
  ],
};

const ROW_OF = new Map(ROWS.flatMap((row) => WORDS[row].map((word) => [word, row] as const)));

/**
 * Matches words for a call of a tool. No tool is ever offered, so only the text beside the call can
 * be used.
 */
const CALLS_TOOL = /^(tool|function)_/;

/** HTTP status of an answer with a generation. */
const OK = 200;

/**
 * The end of a generation as the provider reports it, not yet interpreted by `endOf`: its words
 * for the end, an error, a refusal, and whether the model called a tool.
 */
export interface ReportedEnd {
  /** The words for the end, from every field that has one. */
  words: readonly unknown[];
  /** The error that a provider reports in place of an end. */
  error?: unknown;
  /** The refusal that the model wrote; absent if it did not refuse. */
  refusal?: string | undefined;
  /** Whether the model called a tool. */
  callsTool: boolean;
}

/**
 * Returns how a choice of a chat completion reports its end, not yet interpreted: its finish
 * reasons as `words`, its `error`, its `refusal` (undefined if it has none), and as `callsTool`
 * whether the model called a tool. The choice may have no message.
 */
export function reportedEnd(choice: Fields): ReportedEnd {
  const message = fields(choice.message);
  const parts = Array.isArray(message.content) ? message.content.map(fields) : [];
  const refusals = [message, choice, ...parts].map(({ refusal }) => nonEmptyText(refusal)?.trim());
  return {
    words: [choice.finish_reason, choice.native_finish_reason],
    error: choice.error,
    refusal: refusals.find(Boolean),
    callsTool: hasContent(message.tool_calls) || hasContent(message.function_call),
  };
}

/**
 * Returns how a generation ended: "finished" (also if the provider reports no end), "cut", or, if
 * the meaning of the provider's word is unknown, an object with that word.
 *
 * @param text The generated text.
 * @param paid Usage and cost as far as the provider reports them; an unusable answer is paid for as
 * well.
 * @throws Failure ContentRefused if the model or a filter refused, whatever else there is;
 * MalformedResponse if the generation broke off, or if it has no text and called a tool.
 */
export function endOf(
  { words, error, refusal, callsTool }: ReportedEnd,
  text: string,
  paid: Paid,
  context: CallContext,
): GenerationEnd {
  const reply = words.map(wordOf).filter((word) => word !== undefined);
  const normal = reply.map(normalized);
  const rows = new Set(normal.map(rowOf));
  const row = ROWS.find((one) => rows.has(one));
  if (row === 'refused' || refusal !== undefined) {
    const details = { reply: refusal ?? reply.join(', '), billed: true, spent: spentOf(paid) };
    throw failure('ContentRefused', context, details);
  }
  if (hasContent(error)) throw brokenOff(readError({ error }, OK).message, paid, context);
  if (row === 'broken') throw brokenOff(reply.join(', '), paid, context);
  if (row === 'cut') return 'cut';
  if (text.trim() === '' && (callsTool || normal.some((word) => CALLS_TOOL.test(word)))) {
    throw brokenOff('it called a tool, though none was offered', paid, context);
  }
  const [unknown] = reply;
  if (row === 'finished' || unknown === undefined) return 'finished';
  return { unknown: shortened(unknown, LONGEST_WORD) };
}

/** Maximum number of characters of an unknown word in a flag. */
const LONGEST_WORD = 80;

/** Returns the word, or the JSON of a value that is not text; undefined if there is none. */
function wordOf(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  const word = typeof value === 'string' ? value.trim() : JSON.stringify(value);
  return word === '' ? undefined : word;
}

function normalized(word: string): string {
  return word.toLowerCase().replace(/[\s-]+/g, '_');
}

/** Returns the meaning of a word in normal form; undefined if it is unknown. */
function rowOf(word: string): Row | undefined {
  return word.startsWith('content_filter') ? 'refused' : ROW_OF.get(word);
}

/**
 * Returns the failure of a generation that broke off. Its advice does not mention the endpoint's
 * URL, which is right.
 */
function brokenOff(reply: string, paid: Paid, context: CallContext): Failure {
  const what = `Model "${context.model}" at ${context.provider} broke off its answer`;
  const todo = 'It is asked again.';
  const details = { what, todo, reply, billed: true, spent: spentOf(paid) };
  return failure('MalformedResponse', context, details);
}

/**
 * Returns the tokens and the cost in US dollars (null if unknown) of an unusable answer, as one
 * attempt; undefined if the provider does not report the tokens, or reports impossible numbers.
 */
export function spentOf({ usage, costUsd }: Paid): Failure['spent'] {
  // Every prompt has tokens, so 0 means unknown.
  if (usage === null || usage.promptTokens === 0 || isImpossible(usage)) return undefined;
  const { promptTokens, completionTokens } = usage;
  return { attempts: 1, repeated: 0, promptTokens, completionTokens, costUsd };
}
