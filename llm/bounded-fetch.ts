/** Limits the size of answers, and keeps requests with keys and texts on their host. */

type Fetch = typeof fetch;

/**
 * Default limit of an answer's size, in bytes after decompression; far more than any model writes.
 */
export const ANSWER_BYTES = 8_000_000;

/** Limit of an error's text, in bytes. */
const ERROR_BYTES = 64_000;

/**
 * Size of the chunks in which a body is passed on, in bytes. A server that sends single bytes would
 * otherwise cost about a hundred bytes of memory for each.
 */
const PIECE_BYTES = 64 * 1024;

/** Error thrown if the body of an answer is longer than its limit, which is in `bytes`. */
export class AnswerTooLong extends Error {
  constructor(readonly bytes: number) {
    super(`It is longer than ${bytes / 1e6} MB.`);
  }
}

interface BoundedInit extends RequestInit {
  answerBytes?: number;
}

/**
 * Returns a fetch that limits the decoded size of answers and does not follow redirects: a 3xx is
 * returned without its body. Reading a longer answer fails with AnswerTooLong. The body of an error
 * (any other status than 2xx) is cut after 64 kB.
 *
 * @param inner Sends the request. @default the global fetch
 * @param bytes Limit of answers whose request names no other. @default 8 MB
 * @example const anthropic = createAnthropic({ fetch: boundedFetch() });
 */
export function boundedFetch(
  inner: Fetch = (url, init) => fetch(url, init),
  bytes = ANSWER_BYTES,
): Fetch {
  return async (url, init?: BoundedInit) => {
    const response = await inner(url, { ...init, redirect: 'manual' });
    const { status, statusText, headers, body, ok } = response;
    if (body === null) return response;
    const rest = { status, statusText, headers };
    if (isRedirect(status)) {
      await body.cancel();
      return new Response(null, rest);
    }
    const most = init?.answerBytes ?? bytes;
    const bounded = ok ? inChunks(body, most) : inChunks(body, ERROR_BYTES, 'cut');
    return new Response(ReadableStream.from(bounded), rest);
  };
}

/**
 * Returns the request options of the `openai` client that limit the size of one answer.
 *
 * @param answerBytes Maximum number of bytes of the decoded body.
 */
export function answerLimit(answerBytes: number): { fetchOptions: object } {
  return { fetchOptions: { answerBytes } };
}

/** Returns whether an HTTP status is a redirect (300 to 399). */
export function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

/**
 * Yields a body in chunks of 64 KiB (the last may be shorter), copied into memory of their own.
 *
 * @param most Maximum number of bytes to yield.
 * @param past "fail" throws at a longer body; "cut" ends it at the limit. @default "fail"
 * @throws AnswerTooLong if the body is longer and `past` is "fail"; chunks before that may have
 * been yielded.
 */
export async function* inChunks(
  body: AsyncIterable<Uint8Array>,
  most: number,
  past: 'fail' | 'cut' = 'fail',
): AsyncGenerator<Uint8Array> {
  let left = most;
  let piece = new Uint8Array(PIECE_BYTES);
  let filled = 0;
  for await (const bytes of body) {
    if (bytes.length > left && past === 'fail') throw new AnswerTooLong(most);
    let rest = bytes.subarray(0, left);
    left -= rest.length;
    while (filled + rest.length >= PIECE_BYTES) {
      const room = PIECE_BYTES - filled;
      piece.set(rest.subarray(0, room), filled);
      yield piece;
      piece = new Uint8Array(PIECE_BYTES);
      filled = 0;
      rest = rest.subarray(room);
    }
    piece.set(rest, filled);
    filled += rest.length;
    if (left === 0 && past === 'cut') break;
  }
  if (filled > 0) yield piece.subarray(0, filled);
}
