/** Reads how long a provider asks us to wait, in all the forms providers use. */

/** Gives a header by its name in lower case. */
export type HeaderLookup = (name: string) => string | null | undefined;

/** Longer than this is a clock error or a timestamp in the wrong unit, not a wait. */
const ABSURD_MS = 365 * 24 * 3_600_000;

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/**
 * Returns the wait a provider asked for, in milliseconds, or undefined when it named none that
 * makes sense.
 *
 * Looks at `retry-after-ms`, then `retry-after` (seconds or a date), then, for a 429 only, OpenAI's
 * `x-ratelimit-reset-*`. A form that cannot be read, or says "now", falls through to the next: who
 * refuses and asks for no wait has named none.
 *
 * @param now Milliseconds since the epoch, for dates.
 * @param maxMs Waits longer than this become this.
 */
export function retryAfterMs(
  header: HeaderLookup,
  { status, now, maxMs }: { status: number; now: number; maxMs: number },
): number | undefined {
  const wait =
    parseMilliseconds(header('retry-after-ms')) ??
    parseRetryAfter(header('retry-after'), now) ??
    (status === 429 ? rateLimitReset(header) : undefined);
  return wait === undefined ? undefined : Math.min(Math.ceil(wait), maxMs);
}

/** `retry-after-ms`: a number of milliseconds. */
export function parseMilliseconds(value: string | null | undefined): number | undefined {
  const text = value?.trim() ?? '';
  return /^\d+(\.\d+)?$/.test(text) ? sensible(Number(text)) : undefined;
}

/** `retry-after`: seconds, also decimal, or a date. A date that has passed names no wait. */
export function parseRetryAfter(value: string | null | undefined, now: number): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return sensible(Number(text) * 1000);
  const date = parseDate(text);
  return date === undefined ? undefined : sensible(date - now);
}

/** Returns a duration as in `x-ratelimit-reset-tokens`: "1m30s", "250ms", "7.66s". */
export function parseDuration(value: string | null | undefined): number | undefined {
  const text = value?.trim() ?? '';
  if (!/^(\d+(\.\d+)?(ms|[smhd]))+$/.test(text)) return undefined;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/([\d.]+)(ms|[smhd])/g)) {
    total += Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS];
  }
  return sensible(total);
}

/**
 * Returns the reset of the limit that was hit. A limit with nothing remaining surely was; when none
 * says so, the shorter reset is the better guess, because each is the time until its window is full
 * again.
 */
function rateLimitReset(header: HeaderLookup): number | undefined {
  const limits = ['requests', 'tokens'].flatMap((kind) => {
    const wait = parseDuration(header(`x-ratelimit-reset-${kind}`));
    if (wait === undefined) return [];
    return [{ wait, spent: header(`x-ratelimit-remaining-${kind}`)?.trim() === '0' }];
  });
  const spent = limits.filter((limit) => limit.spent).map((limit) => limit.wait);
  if (spent.length > 0) return Math.max(...spent);
  return limits.length > 0 ? Math.min(...limits.map((limit) => limit.wait)) : undefined;
}

/** Reads the date forms of HTTP and RFC 3339; `Date.parse` also reads "5 apples". */
function parseDate(text: string): number | undefined {
  const http = /^(\w{3}, \d{2} \w{3} \d{4}|\w{6,9}, \d{2}-\w{3}-\d{2}) \d{2}:\d{2}:\d{2} GMT$/;
  const asctime = /^\w{3} \w{3} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/;
  const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;
  // asctime names no zone and means UTC.
  const parsed = asctime.test(text) ? Date.parse(`${text} GMT`) : Date.parse(text);
  if (!http.test(text) && !asctime.test(text) && !rfc3339.test(text)) return undefined;
  return Number.isNaN(parsed) ? undefined : parsed;
}

function sensible(ms: number): number | undefined {
  return ms > 0 && ms <= ABSURD_MS ? ms : undefined;
}
