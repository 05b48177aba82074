/** Texts that steps are given by reference: named by the step that writes one, read by the next. */
import { Failure } from '../../core/failure.js';
import { sha256Of } from '../../core/sha256.js';
import type { ResponseCache } from '../../llm/response-cache.js';
import { isTextRef, replaced, type TextRef, textRefsIn } from '../../steps/text-ref.js';

/** In UTF-16 units. A reference has some 120, and stands beside the text and in the next input. */
const SHORTEST = 300;

/**
 * Returns where a value stands in the response it was read from; undefined where it does not stand
 * there as it is, or where a reference would save nothing.
 *
 * @param key Under which the response is kept.
 */
export function textRef(value: unknown, key: string, response: string): TextRef | undefined {
  if (typeof value !== 'string' || value.length < SHORTEST) return undefined;
  const from = response.indexOf(value);
  if (from < 0) return undefined;
  return { response: key, from, to: from + value.length, sha256: sha256Of(value, 12) };
}

/**
 * An input with its texts in place of the references to them.
 *
 * @throws Failure UnknownText where a response is no longer in the store as it was; what the store
 *   throws when it cannot be read.
 */
export async function withTexts<I>(input: I, responses: Pick<ResponseCache, 'text'>): Promise<I> {
  const refs = new Map(textRefsIn(input).map((ref) => [ref.sha256, ref]));
  if (refs.size === 0) return input;
  const read = [...refs].map(async ([hash, ref]) => [hash, await textOf(ref, responses)] as const);
  const texts = new Map(await Promise.all(read));
  return replaced(input, (part) => (isTextRef(part) ? texts.get(part.sha256) : undefined)) as I;
}

async function textOf(
  { response, from, to, sha256 }: TextRef,
  responses: Pick<ResponseCache, 'text'>,
): Promise<string> {
  const text = (await responses.text(response))?.slice(from, to);
  if (text !== undefined && sha256Of(text, 12) === sha256) return text;
  throw new Failure(
    'UnknownText',
    `The response ${response}, of which a text is to be read, is not in the store as it was.`,
  );
}
