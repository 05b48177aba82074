/** HyDE: options. Pure. */
import { z } from 'zod';
import type { Method } from '../method.js';
import type { PassageRef } from '../vocabulary.js';
import { answerForm, type FinalReading, planReading, readCount } from './final-reading.js';

const options = z.strictObject({ passages: readCount, answerForm });

export type HydeOptions = z.output<typeof options>;

/** A passage that might answer the question is what the search is made with. */
export const hydeMethod: Method<HydeOptions> = {
  name: 'hyde',
  title: 'HyDE: search with a hypothetical passage, then read',
  source:
    'Gao et al., ACL 2023, as described in LLatrieval (Li et al., NAACL 2024), section 4.1 "Query Rewriting"',
  options,
  steps: ['hypotheticalPassage', 'read', 'answerWithCitations'],
  callsFormula: '2',
  calls: () => 2,
  plan: (chosen, given) => [
    { step: 'hypotheticalPassage', input: { question: given.question } },
    { step: 'retrieve', input: { query: given.output('hypotheticalPassage') } },
    planReading(chosen, given),
  ],
  figures:
    'correctness/citation F1, gpt-3.5-turbo-0301, cited answers, k=5: ASQA 56.8/59.8, QAMPARI 16.2/23.4, ELI5 15.2/66.7',
};

export interface HydeChain extends FinalReading {
  /** What the search was made with; null when it could not be read, and the question was used. */
  hypothesis: string | null;
  passages: PassageRef[];
}
