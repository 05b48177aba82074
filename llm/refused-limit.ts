/** Determines the token limit that a server accepts after it refused ours. Pure. */

import type { CompletionRequest } from './language-model.js';

/**
 * The output token limit of a sent request, the answer's part of it in tokens, and the length of
 * the prompt in characters.
 */
export interface SentLimit {
  /** Maximum number of output tokens, for thoughts and answer together. */
  tokens: number;
  /** The part of these tokens for the answer alone. */
  answer: number;
  /** Length of the prompt in characters. */
  chars: number;
}

/**
 * The limits of a model that follow from a refused token limit: `most`, the highest limit for the
 * next request, in tokens. If the server named the size of its context, also `context`, that size
 * in tokens, and `tokensPerChar`, the tokens per character of the prompt.
 */
export type LimitChange =
  | { most: number }
  | { context: number; tokensPerChar: number; most: number };

/**
 * Returns the output token limit to send with a request (`tokens`), with the answer's part of it
 * in tokens (`answer`) and the length of the prompt in characters (`chars`). The limit is
 * `maxTokens` plus the allowance, within the model's known limits.
 *
 * @param allowance Tokens for thoughts, in addition to those of the answer.
 * @param known Limits learned from earlier refusals.
 */
export function limitFor(
  { maxTokens: answer, messages }: Pick<CompletionRequest, 'maxTokens' | 'messages'>,
  allowance: number,
  known: ModelLimits,
): SentLimit {
  const chars = messages.reduce((sum, { content }) => sum + content.length, 0);
  const asked = { tokens: answer + allowance, answer, chars };
  return { ...asked, tokens: limitWithin(known, asked) };
}

/** Token limits of a model, learned from refused requests; unknown ones are absent. */
export interface ModelLimits {
  /** Maximum number of output tokens of a request. */
  most?: number;
  /** Size of the context in tokens, for prompt and output together. */
  context?: number;
  /** Tokens per character of a prompt. */
  tokensPerChar?: number;
}

/** Smallest limit that is requested, in tokens. */
const LEAST = 16;

const NAME =
  /max[_ ]?(?:completion|output|new|gen(?:eration)?)?[_ ]?tokens|maximum tokens|num_predict|(?:output|completion) tokens/i;
const SIZE =
  /too (?:large|big|high|many|long)|exceed|at most|maximum|less|lower|smaller|below|<|>|range|between|must be|greater|more than|larger|limit/i;

/** Patterns of the prompt's tokens in error messages. */
const PROMPT = [
  /(\d+)\W{0,3}(?:input|inputs|prompt|message|messages)\W{0,2} ?tokens/i,
  /(\d+)(?: tokens)? (?:in|from|of|for) (?:the |your )?(?:input|inputs|prompt|messages?|text)/i,
  /(?:input|prompt)[_ ]?(?:tokens?|length|size)\D{0,5}(\d+)/i,
  /(?:input|prompt|messages?)\W{0,3}(?:has|have|of|is|contains?)?(?: at least)? ?\(?(\d+) tokens/i,
  /(\d+) ?\+ ?\d+ ?>/,
];
const TOTAL = /(?:requested|total(?: of)?|sum)\D{0,30}(\d+)/gi;

/** Matches a status, which is not a number of tokens: "Error code: 400". */
const STATUS = /\b(?:http|status|code)\W{0,3}[45]\d\d\b/gi;

/** Matches a number, also with separators between its thousands. */
const NUMBER = /(?<![\w.-])(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?![\w-]|\.\d)/g;

/**
 * Returns what an error teaches that refuses the output token limit of a request, with the limit
 * for the next request as `most`. Undefined if the error is about something else, such as a prompt
 * that leaves too few tokens for half of the answer, or if the next limit would be below 16.
 *
 * The new limit is what the prompt leaves of the context if the server names the tokens of both;
 * otherwise the largest number below the refused limit that it names; if it names none, half of
 * the refused limit.
 */
export function limitChangeIn(
  message: string,
  params: readonly string[],
  { tokens, answer, chars }: SentLimit,
): LimitChange | undefined {
  const text = message.replace(STATUS, '').replace(NUMBER, (number) => number.replaceAll(',', ''));
  const numbers = [...text.matchAll(NUMBER)].map(([number]) => Number(number));
  const prompt = promptIn(text, tokens);
  if (prompt !== undefined) {
    // A number between the prompt alone and the whole request is the context that it did not fit
    // into.
    const between = numbers.filter(
      (number) => number > prompt && number < prompt + tokens && number !== tokens,
    );
    const context = Math.max(...between);
    const most = context - prompt;
    if (between.length === 0 || most < Math.ceil(answer / 2)) return undefined;
    return { context, tokensPerChar: prompt / Math.max(chars, 1), most };
  }
  const isNamed = params.some((param) => NAME.test(param)) || NAME.test(text);
  if (!isNamed || !SIZE.test(text)) return undefined;
  const stated = numbers.filter((number) => number < tokens && number >= LEAST);
  const largest = stated.length > 0 ? Math.max(...stated) : Math.floor(tokens / 2);
  const most = isExclusive(text, largest) ? largest - 1 : largest;
  return most < LEAST ? undefined : { most };
}

/** Returns the tokens of the prompt as the server counts them; undefined if it does not say. */
function promptIn(text: string, tokens: number): number | undefined {
  for (const pattern of PROMPT) {
    const [, prompt] = pattern.exec(text) ?? [];
    if (prompt !== undefined) return Number(prompt);
  }
  const totals = [...text.matchAll(TOTAL)].map(([, total]) => Number(total));
  const total = totals.find((one) => one > tokens);
  return total === undefined ? undefined : total - tokens;
}

function isExclusive(text: string, number: number): boolean {
  const before = `(?:(?:less|lower|smaller) than|below|under)\\s*\\W?${number}\\b`;
  return new RegExp(`${before}|\\b${number}\\W{0,2}exclusive`, 'i').test(text);
}

/**
 * Returns a model's known token limits, updated with what the refusal of a request's limit taught:
 * of two limits the smaller one stays, of two numbers of tokens per character the larger one. A
 * refusal that names the size of the context does not change `most`, the limit of output tokens.
 */
export function withLimitChange(known: ModelLimits, change: LimitChange): ModelLimits {
  if (!('context' in change))
    return { ...known, most: Math.min(known.most ?? Infinity, change.most) };
  return {
    ...known,
    context: Math.min(known.context ?? Infinity, change.context),
    tokensPerChar: Math.max(known.tokensPerChar ?? 0, change.tokensPerChar),
  };
}

/**
 * Returns the wanted limit in tokens, as far as the model accepts it. The prompt's tokens are
 * estimated from its characters, so at least half of the answer's tokens are always allowed.
 */
function limitWithin(known: ModelLimits, { tokens, answer, chars }: SentLimit): number {
  const { most = Infinity, context = Infinity, tokensPerChar = 0 } = known;
  const left = context - Math.ceil(chars * tokensPerChar);
  return Math.min(tokens, most, Math.max(left, Math.ceil(answer / 2)));
}
