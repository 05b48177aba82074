/** References to texts in stored responses, which one step returns and the next reads. */
import { Failure } from '../../core/failure.js';
import { sha256Of } from '../../core/sha256.js';
import type { ResponseCache } from '../../llm/response-cache.js';
import { isTextRef, replaceParts, type TextRef, textRefsIn } from '../../steps/text-ref.js';

/**
 * Shortest text that is passed by reference, in UTF-16 units. A reference itself has some 120, in
 * the output and again in the next input.
 */
const SHORTEST = 300;

/**
 * Returns a reference to a part of a stored response, which replaces the text in histories.
 * Undefined if the value is not a text from the response, or is too short to gain from it.
 *
 * @param key Key of the response in the cache.
 * @param response Text of the whole response.
 */
export function textRef(value: unknown, key: string, response: string): TextRef | undefined {
  if (typeof value !== 'string' || value.length < SHORTEST) return undefined;
  const from = response.indexOf(value);
  if (from < 0) return undefined;
  return { response: key, from, to: from + value.length, sha256: sha256Of(value, 12) };
}

/**
 * Returns a step's input with each text reference replaced by its text.
 *
 * @throws Failure UnknownText if a response is missing or changed; errors of reading the store.
 */
export async function withTexts<I>(input: I, responses: Pick<ResponseCache, 'text'>): Promise<I> {
  const refs = new Map(textRefsIn(input).map((ref) => [ref.sha256, ref]));
  if (refs.size === 0) return input;
  const read = [...refs].map(async ([hash, ref]) => [hash, await textOf(ref, responses)] as const);
  const texts = new Map(await Promise.all(read));
  return replaceParts(input, (part) => (isTextRef(part) ? texts.get(part.sha256) : undefined)) as I;
}

async function textOf(
  { response, from, to, sha256 }: TextRef,
  responses: Pick<ResponseCache, 'text'>,
): Promise<string> {
  const text = (await responses.text(response))?.slice(from, to);
  if (text !== undefined && sha256Of(text, 12) === sha256) return text;
  throw new Failure(
    'UnknownText',
    `The response ${response}, which contains the text of a reference, is missing in the store or has changed.`,
  );
}
