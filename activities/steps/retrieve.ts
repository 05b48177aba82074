/** The retrieval step: a query in, references to passages out. */

import type { PassageRef } from '../../core/vocabulary.js';
import { rankSupplied } from '../../retrieval/rank-supplied.js';
import type { RetrieveInput, Source } from '../../steps/other/retrieve.js';
import type { RetrieveActivity } from '../../workflows/activities/question.js';
import type { Ports } from '../runtime/ports.js';
import { providerCall } from '../runtime/provider-call.js';
import { searching } from '../runtime/searching.js';

/** Makes the retrieve activity; best passage first, fewer than `count` where there are fewer. */
export function retrieveActivity(ports: Ports): RetrieveActivity {
  return (input, source, bounds) =>
    providerCall(bounds, (signal) => retrieved(input, source, ports, signal));
}

/** Searches; a text without a kept vector is embedded where the mode needs it. */
export async function retrieved(
  { query, count }: RetrieveInput,
  source: Source,
  { corpora, passages, embeddings }: Pick<Ports, 'corpora' | 'embeddings' | 'passages'>,
  signal: AbortSignal,
): Promise<PassageRef[]> {
  const { mode } = source;
  const found = await searching(async () =>
    'supplied' in source
      ? rankSupplied(source.supplied, { query, count, mode }, passages, embeddings, signal)
      : (await corpora.open(source.corpus)).search(query, count, mode, signal),
  );
  return found.map((ref) => ({ ...ref, score: rounded(ref.score) }));
}

/** Engines compute scores in 32 bits: what comes after seven digits is noise, and stays in histories. */
function rounded(score: number): number {
  return Number(score.toPrecision(7));
}
