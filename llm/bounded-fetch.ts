/** Bounds how much an answer may bring, and keeps requests with keys and texts on their host. */

type Fetch = typeof fetch;

/** The bound of a chat answer, decoded; far more than any model writes. */
export const ANSWER_BYTES = 8_000_000;

/** The bound of the text of an error. */
const ERROR_BYTES = 64_000;

/**
 * The size of the pieces of a body: a server that sends single bytes would cost a hundred for each.
 */
const PIECE_BYTES = 64 * 1024;

/** A body was longer than its bound. */
export class AnswerTooLong extends Error {
  constructor(readonly bytes: number) {
    super(`It is longer than ${bytes / 1e6} MB.`);
  }
}

interface BoundedInit extends RequestInit {
  answerBytes?: number;
}

/**
 * Returns a fetch that bounds answers by their decoded bytes and follows no redirect: a 3xx is
 * given as it is, without its body. Reading a longer answer fails with AnswerTooLong, and a longer
 * error is cut.
 *
 * @param inner What sends the request. @default the global fetch
 * @param bytes Of an answer whose request names no other bound. @default 8 MB
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
    const bounded = ok ? inPieces(body, most) : inPieces(body, ERROR_BYTES, 'cut');
    return new Response(ReadableStream.from(bounded), rest);
  };
}

/** Returns the bound of one request, in the options of the `openai` client. */
export function answerOfAtMost(answerBytes: number): { fetchOptions: object } {
  return { fetchOptions: { answerBytes } };
}

export function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

/**
 * Yields a body in pieces of its own memory, each but the last one full.
 *
 * @param past What happens to a body that is longer.
 * @throws AnswerTooLong where it is not to be cut.
 */
export async function* inPieces(
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
