/** Reads the wait that a provider asks for, in all forms that providers use. */

/** Headers by their names in lower case, such as fetch's `Headers`. */
export interface ResponseHeaders {
  get(name: string): string | null | undefined;
  keys(): Iterable<string>;
}

/** Empty headers. */
export const NO_HEADERS: ResponseHeaders = new Map<string, string>();

/**
 * Longest wait that is believed: a longer one is a clock error or a timestamp in the wrong unit.
 */
const ABSURD_MS = 365 * 24 * 3_600_000;

/** Numbers above these are times since 1970, in seconds and in milliseconds. */
const TIME_SECONDS = 1e9;
const TIME_MS = 1e12;

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Matches sentences such as "Please try again in 6m0s" and "Please retry after 20 seconds". */
const STATED =
  /\b(?:again|retry) (?:in|after) (?:about )?(\d[\d.]*) ?(milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|h)((?:\d[\d.]*(?:ms|[smh]))*)\b/i;

const RESET = /^x-ratelimit-reset(?=-|$)/;

/** Places of a wait, in the order in which they are read. */
interface WaitsNamed {
  headers: ResponseHeaders;
  /** Wait in the body, in milliseconds. */
  waitMs?: number | undefined;
  /** Headers of another server, repeated in the body. */
  inner?: ResponseHeaders;
  message?: string;
}

/**
 * Returns the wait that a provider asked for, in milliseconds; undefined if it asked for none that
 * makes sense.
 *
 * Reads `retry-after-ms`, then `retry-after` (seconds or a date), then the body, then, only for a
 * refused rate, the message and `x-ratelimit-reset*`. A value that cannot be read, is not positive
 * or lies in the past counts as missing.
 *
 * @param isRate Whether the request was refused because of a rate limit.
 * @param now Milliseconds since 1970, for dates.
 * @param maxMs Longest wait in milliseconds; longer ones are shortened to it.
 */
export function retryAfterMs(
  { headers, waitMs, inner = NO_HEADERS, message = '' }: WaitsNamed,
  { isRate, now, maxMs }: { isRate: boolean; now: number; maxMs: number },
): number | undefined {
  const asked = (from: ResponseHeaders) =>
    parseMilliseconds(from.get('retry-after-ms')) ?? parseRetryAfter(from.get('retry-after'), now);
  const wait =
    asked(headers) ??
    waitMs ??
    asked(inner) ??
    (isRate
      ? (statedIn(message) ?? rateLimitReset(headers, now) ?? rateLimitReset(inner, now))
      : undefined);
  return wait === undefined ? undefined : Math.min(Math.ceil(wait), maxMs);
}

/** Returns the value of `retry-after-ms`, a number of milliseconds; undefined if it is not one. */
function parseMilliseconds(value: string | null | undefined): number | undefined {
  return parseNumber(value, 1);
}

/**
 * Returns the value of `retry-after` in milliseconds: seconds, also decimal, or a date. Undefined
 * for a past date and for any other text.
 */
function parseRetryAfter(value: string | null | undefined, now: number): number | undefined {
  const text = value?.trim() ?? '';
  const date = parseTime(text) ?? parseDate(text);
  return date === undefined ? parseWait(text) : sensible(date - now);
}

/**
 * Returns a duration in milliseconds, as in `x-ratelimit-reset-tokens`: "1m30s", "250ms", "7.66s".
 * Undefined for any other text.
 */
function parseDuration(value: string | null | undefined): number | undefined {
  const text = value?.trim() ?? '';
  if (!/^(\d+(\.\d+)?(ms|[smhd]))+$/.test(text)) return undefined;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/([\d.]+)(ms|[smhd])/g)) {
    total += Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS];
  }
  return sensible(total);
}

/**
 * Returns a wait in milliseconds; undefined if it cannot be read, is not positive, or is longer
 * than a year.
 *
 * @param value A duration ("1m30s"), or a number of units.
 * @param unitMs The unit in milliseconds. @default 1000, seconds
 */
export function parseWait(value: string, unitMs = 1000): number | undefined {
  return parseNumber(value, unitMs) ?? parseDuration(value);
}

function parseNumber(value: string | null | undefined, unitMs: number): number | undefined {
  const text = value?.trim() ?? '';
  return isNumber(text) ? sensible(Number(text) * unitMs) : undefined;
}

/**
 * Returns the milliseconds since 1970 in a number that is too large to be a wait; undefined for
 * smaller numbers.
 */
function parseTime(text: string): number | undefined {
  const value = isNumber(text) ? Number(text) : 0;
  if (value <= TIME_SECONDS) return undefined;
  return value > TIME_MS ? value : value * 1000;
}

function isNumber(text: string): boolean {
  return /^\d+(\.\d+)?$/.test(text);
}

/** Returns the wait that a sentence asks for, in milliseconds; undefined if it asks for none. */
function statedIn(message: string): number | undefined {
  const [, amount, unit = '', rest = ''] = STATED.exec(message) ?? [];
  if (amount === undefined) return undefined;
  const short = /^m(s|illi)/i.test(unit) ? 'ms' : unit.charAt(0).toLowerCase();
  return parseDuration(`${amount}${short}${rest.toLowerCase()}`);
}

/**
 * Returns the time until the exceeded rate limit is reset, in milliseconds; undefined if no header
 * states one. A limit with nothing remaining was surely exceeded; if no header says so, the shorter
 * reset is the better guess, since each is the time until its window is full again.
 */
function rateLimitReset(headers: ResponseHeaders, now: number): number | undefined {
  const names = [...headers.keys()].filter((name) => RESET.test(name));
  const limits = names.flatMap((name) => {
    const wait = parseRetryAfter(headers.get(name), now);
    const remaining = headers.get(name.replace(RESET, 'x-ratelimit-remaining'));
    return wait === undefined ? [] : [{ wait, spent: remaining?.trim() === '0' }];
  });
  const spent = limits.filter((limit) => limit.spent).map((limit) => limit.wait);
  if (spent.length > 0) return Math.max(...spent);
  return limits.length > 0 ? Math.min(...limits.map((limit) => limit.wait)) : undefined;
}

/**
 * Returns the milliseconds since 1970 of a date in a form of HTTP or RFC 3339; undefined for any
 * other text. `Date.parse` would also read "5 apples".
 */
function parseDate(text: string): number | undefined {
  const http = /^(\w{3}, \d{2} \w{3} \d{4}|\w{6,9}, \d{2}-\w{3}-\d{2}) \d{2}:\d{2}:\d{2} GMT$/;
  const asctime = /^\w{3} \w{3} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;
  const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;
  // asctime has no time zone and means UTC.
  const parsed = asctime.test(text) ? Date.parse(`${text} GMT`) : Date.parse(text);
  if (!http.test(text) && !asctime.test(text) && !rfc3339.test(text)) return undefined;
  return Number.isNaN(parsed) ? undefined : parsed;
}

/** Returns a wait in milliseconds; undefined if it is not positive or longer than a year. */
function sensible(ms: number): number | undefined {
  return ms > 0 && ms <= ABSURD_MS ? ms : undefined;
}
