/** Selection-inference (SuRe, section 4.1; Creswell et al., ICLR 2023). */

import { z } from 'zod';
import { chainPassages, inIdOrder } from '../../../core/passages-read.js';
import { answered, type Conclusion, concluded } from '../../../core/result.js';
import type { PassageRef } from '../../../core/vocabulary.js';
import {
  count,
  note,
  passageSection,
  section,
  table,
  titlesOf,
} from '../../../report/views/section-parts.js';
import { defineMethod } from '../../define-method.js';
import { passageCount } from '../options.js';

const options = z.strictObject({ passages: passageCount });

interface SelectionInferenceChain {
  /** Passages in retrieval order. */
  passages: PassageRef[];
  /** Their ids, most helpful first. */
  order: string[];
  /**
   * Answers read from the first passage, the first two, and so on; null if they did not suffice.
   */
  readings: (string | null)[];
}

export const selectionInference = defineMethod({
  module: import.meta.url,
  name: 'selectionInference',
  title: 'Selection-inference: rank the passages, add one after the other until they suffice',
  source:
    'Creswell et al., ICLR 2023, as described in SuRe (Kim et al., ICLR 2024), section 4.1 "Selection-inference"',
  options,
  passagesRead: chainPassages,
  // Shows the passages in the order they were added, each with the answer then.
  view(chain: SelectionInferenceChain) {
    const { passages, order, readings } = chain;
    const titleOf = titlesOf(passages);
    const rows = order
      .slice(0, readings.length)
      .map((id, i) => [`${i === 0 ? '' : '+ '}${titleOf(id)}`, readings[i] ?? 'not enough']);
    const unread = order.length - rows.length;
    return [
      ...section('Readings', [
        ...table(['Passages, one after the other', 'Answer'], rows),
        ...note(unread > 0 && `${count(unread, 'passage')} not read`),
      ]),
      ...passageSection(inIdOrder(passages, order)),
    ];
  },
  figures:
    'EM/F1, ChatGPT + BM25, N=10: NQ 24.3/32.8, WebQ 17.3/28.6, 2Wiki 22.6/29.5, HotpotQA 30.8/39.6',

  /**
   * Ranks the passages, then tries to answer from the first, the first two, and so on. After all of
   * them it asks for an answer as base does, without the option to decline.
   */
  async algorithm(asked): Promise<Conclusion<SelectionInferenceChain>> {
    const { question, options, step } = asked;
    const retrieved = await step.retrieve({ query: question, count: options.passages });
    const passages = retrieved.map(({ id }) => id);
    const ranking = passages.length < 2 ? [0] : await step.rankPassages({ question, passages });
    const order = ranking.flatMap((position) => passages[position] ?? []);

    const readings: (string | null)[] = [];
    const chain = { passages: retrieved, order, readings };
    for (let read = 1; read < order.length; read++) {
      const evidence = order.slice(0, read);
      const reading = await step.infer({ question, passages: evidence });
      readings.push(reading);
      if (reading !== null) return answered(reading, evidence, chain);
    }
    const last = await step.read({ question, passages: order, demonstrations: [] });
    readings.push(last);
    return concluded(last, order, chain);
  },
});
