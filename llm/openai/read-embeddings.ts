import type { Embeddings } from '../embedding-model.js';
import { fields } from '../fields.js';
import type { Pricing } from '../prices.js';
import { type CallContext, failure } from '../provider-failure.js';
import { readAnswer, readBill } from './answer.js';

/**
 * Returns the embeddings in an answer with status 200, in the order of the texts.
 *
 * @param count How many texts were sent.
 * @throws Failure MalformedResponse unless there is one vector of numbers a text, all of the same
 *   length, or what an error sent with status 200 stands for.
 */
export function readEmbeddings(
  body: unknown,
  count: number,
  context: CallContext,
  pricing: Pricing,
): Embeddings {
  const answer = readAnswer(body, context);
  const vectors = new Map<number, number[]>();
  for (const [position, item] of (Array.isArray(answer.data) ? answer.data : []).entries()) {
    const { index, embedding } = fields(item);
    if (!isVector(embedding)) continue;
    vectors.set(typeof index === 'number' ? index : position, embedding);
  }
  const ordered = Array.from({ length: count }, (_, position) => vectors.get(position) ?? []);
  const [{ length } = []] = ordered;
  if (length === 0 || ordered.some((vector) => vector.length !== length)) {
    const said = `It holds ${vectors.size} vectors for ${count} texts, or vectors that differ in length.`;
    throw failure('MalformedResponse', context, { said: typeof body === 'string' ? body : said });
  }
  // Nothing is written, so that most servers name the prompt's tokens alone.
  const told = { completion_tokens: 0, ...fields(answer.usage) };
  const { usage, costUsd } = readBill({ ...answer, usage: told }, context, pricing);
  return { vectors: ordered, usage, costUsd };
}

function isVector(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((one) => Number.isFinite(one));
}
