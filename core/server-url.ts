/** Reads the URLs of servers, whose passwords no message may show. Pure. */

/** The advice about a URL that `serverUrl` does not read, for messages. */
export const ENCODING_ADVICE =
  'write special characters of its password as %2F for /, %25 for % and so on';

/** Pattern of a URL whose password ends too early, so that the rest would be its path. */
const CUT = /^[a-z][a-z\d+.-]*:\/\/[^/?#@]*:[^/?#@]*[/?#].*@/i;

/**
 * Returns a text as a `URL` object; undefined if it is no URL, or if its user name and password
 * cannot be told from the rest, since they have characters that must be percent-encoded.
 *
 * @example serverUrl('postgres://user:12/3@host/name') // undefined: the host would be "user"
 */
export function serverUrl(text: string): URL | undefined {
  if (!URL.canParse(text) || CUT.test(text)) return undefined;
  const url = new URL(text);
  const isRead = [url.username, url.password].every((part) => percentDecoded(part) !== undefined);
  return isRead ? url : undefined;
}

/** Returns a percent-encoded text decoded; undefined if it cannot be, such as "100%". */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
