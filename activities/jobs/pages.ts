/** Pages of questions and of pairs, which a clustering job passes by id. */

import type { QuestionDocument } from '../../core/demonstration-sets.js';
import type { ContentStore } from '../../stores/content-store.js';
import type { OnPage } from '../../workflows/activities/clusters.js';

export interface TrainQuestion {
  question: string;
  answers: string[];
}

/** Reads a page by its id. @throws Failure BadInput if it is not in the store. */
export async function readPage<T>(texts: ContentStore, id: string): Promise<T[]> {
  return JSON.parse(await texts.get(id)) as T[];
}

/** Reads one question of a page. @throws Failure BadInput if the page is not in the store. */
export async function readQuestion(texts: ContentStore, { page, k }: OnPage): Promise<string> {
  const found = (await readPage<TrainQuestion>(texts, page))[k];
  if (!found) throw new RangeError(`There is no question ${k} on ${page}.`);
  return found.question;
}

/**
 * Returns the text of a pair to embed: question and document on one line (GenRead 3.2.2, step 2).
 */
export function pairText({ question, document }: QuestionDocument): string {
  return `${question} ${document}`.replace(/\s+/g, ' ').trim();
}
