/** Puts the questions of a page beside their documents. */

import type { QuestionDocument } from '../../core/demonstration-sets.js';
import { hasAnswer } from '../../core/has-answer.js';
import type { KeepPairsInput, KeptPairs } from '../../workflows/activities/clusters.js';
import type { Ports } from '../runtime/ports.js';
import { readQuestionPage } from './pages.js';

export async function keepPairs(
  { page, documents, onlyWithAnswer }: KeepPairsInput,
  { texts }: Pick<Ports, 'texts'>,
): Promise<KeptPairs> {
  const pairs: QuestionDocument[] = [];
  let withoutAnswer = 0;
  for (const [k, { question, answers }] of (await readQuestionPage(texts, page)).entries()) {
    const id = documents[k] ?? null;
    if (id === null) continue;
    const document = await texts.get(id);
    if (onlyWithAnswer && !hasAnswer(document, answers)) withoutAnswer++;
    else pairs.push({ question, document });
  }
  return { id: await texts.put(JSON.stringify(pairs)), pairs: pairs.length, withoutAnswer };
}
