import { z } from 'zod';
import { inOrder } from '../../../core/passages-read.js';
import type { PassageRef } from '../../../core/vocabulary.js';
import {
  count,
  note,
  passageSection,
  section,
  table,
  titlesOf,
} from '../../../report/views/parts.js';
import { defineMethod } from '../../define-method.js';
import { passageCount } from '../../options.js';

export interface SelectionInferenceChain {
  /** In retrieval order. */
  passages: PassageRef[];
  /** Their ids, most helpful first. */
  order: string[];
  /** What was read from the first, the first two, ... passages; null when they did not suffice. */
  readings: (string | null)[];
}

export const selectionInferenceMethod = defineMethod({
  name: 'selectionInference',
  title: 'Selection-inference: rank the passages, add one after the other until they suffice',
  source:
    'Creswell et al., ICLR 2023, as described in SuRe (Kim et al., ICLR 2024), section 4.1 "Selection-inference"',
  options: z.strictObject({ passages: passageCount }),
  // The passages in the order they were added, and what they came to.
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
      ...passageSection(inOrder(passages, order)),
    ];
  },
  steps: ['rankPassages', 'infer', 'read'],
  callsFormula: '1 + the passages that were needed, 1 to N',
  figures:
    'EM/F1, ChatGPT + BM25, N=10: NQ 24.3/32.8, WebQ 17.3/28.6, 2Wiki 22.6/29.5, HotpotQA 30.8/39.6',
});
