/** Plans the documents of a question, and pairs them with the results. Pure. */

import type { DocumentPlan } from '../../steps/generate-document.js';
import type { DemonstrationSetRef } from '../../steps/other/demonstration-set.js';
import { documentCount } from './document-count.js';
import type { GeneratedDocument, GenreadOptions } from './options.js';

/** Returns one plan for each document (GenRead 3.1, 3.2); the order decides ties and Recall@K. */
export function planDocuments(
  chosen: GenreadOptions,
  set: DemonstrationSetRef | null,
): DocumentPlan[] {
  const numbers = Array.from({ length: documentCount(chosen) }, (_, i) => i + 1);
  switch (chosen.generation) {
    case 'zeroShot':
      return [{}];
    case 'sampled':
      return numbers.map((sample) => ({ sample }));
    case 'humanPrompts':
      return numbers.map((humanPrompt) => ({ humanPrompt }));
    case 'clustered':
      return set === null
        ? []
        : numbers.slice(0, set.clusters).map((number) => ({
            demonstrations: { set: set.id, cluster: number - 1 },
          }));
  }
}

/** Pairs the plans with their documents; an unreadable document is left out. */
export function generatedDocuments(
  plans: readonly DocumentPlan[],
  texts: readonly string[],
): GeneratedDocument[] {
  return plans.flatMap(({ demonstrations, ...plan }, i) => {
    const text = texts[i] ?? '';
    if (text === '') return [];
    return [{ text, ...plan, ...(demonstrations ? { cluster: demonstrations.cluster } : {}) }];
  });
}
