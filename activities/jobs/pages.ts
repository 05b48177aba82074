/** What travels by id in a clustering job: pages of questions, and of pairs. */

import type { QuestionDocument } from '../../core/demonstration-sets.js';
import type { ContentStore } from '../../stores/content-store.js';
import type { OnPage } from '../../workflows/activities/clusters.js';

export interface TrainQuestion {
  question: string;
  answers: string[];
}

/** @throws Failure BadInput when the page is not in the store. */
export async function readQuestionPage(texts: ContentStore, id: string): Promise<TrainQuestion[]> {
  return JSON.parse(await texts.get(id)) as TrainQuestion[];
}

/** @throws Failure BadInput when the page is not in the store. */
export async function readQuestion(texts: ContentStore, { page, k }: OnPage): Promise<string> {
  const found = (await readQuestionPage(texts, page))[k];
  if (!found) throw new RangeError(`There is no question ${k} on ${page}.`);
  return found.question;
}

/** @throws Failure BadInput when the page is not in the store. */
export async function readPairPage(texts: ContentStore, id: string): Promise<QuestionDocument[]> {
  return JSON.parse(await texts.get(id)) as QuestionDocument[];
}

/** What is embedded of a pair: question and document on one line (GenRead 3.2.2, step 2). */
export function pairText({ question, document }: QuestionDocument): string {
  return `${question} ${document}`.replace(/\s+/g, ' ').trim();
}
