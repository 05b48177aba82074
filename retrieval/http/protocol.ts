import { z } from 'zod';
import { Failure } from '../../core/failure.js';
import { inOurWords } from '../../core/options/checked.js';
import type { SearchMode } from '../../core/vocabulary.js';

/** A search. The service answers with at most `k` passages, best first. */
export interface SearchRequest {
  query: string;
  k: number;
  /** Sent only to a service that reads modes. */
  mode?: SearchMode;
}

/** A look-up. The service answers with the passages it has of these, in any order. */
export interface LookupRequest {
  ids: readonly string[];
}

const found = z.object({
  id: z.string().min(1),
  title: z.string().nullish(),
  text: z.string().nullish(),
  score: z.number().nullish(),
});
const answer = z.object({ passages: z.array(found) });

/**
 * Returns the distinct passages in an answer. Those without a score get 1/rank.
 *
 * @throws Failure MalformedResponse if it is not JSON; Incompatible for another shape.
 */
export function readPassages(body: string, from: string) {
  const parsed = answer.safeParse(parseJson(body, from), { error: inOurWords(answer) });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue === undefined ? '' : ` (${issue.path.join('.')}: ${issue.message})`;
    throw new Failure(
      'Incompatible',
      `${from} answers in another form than {"passages":[{"id","title","text","score"}]}${where}. ` +
        'Let it answer in this form, or put a service before it that does.',
    );
  }
  const distinct = new Map<string, z.output<typeof found>>();
  for (const passage of parsed.data.passages) {
    if (!distinct.has(passage.id)) distinct.set(passage.id, passage);
  }
  // A search may leave out the text; a look-up returns it.
  return [...distinct.values()].map(({ id, title, text, score }, place) => ({
    id,
    title: title ?? '',
    text: text ?? undefined,
    score: score ?? 1 / (place + 1),
  }));
}

function parseJson(body: string, from: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new Failure('MalformedResponse', `${from} gave an answer that is not JSON.`, { cause });
  }
}
