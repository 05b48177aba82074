import { z } from 'zod';
import type { FinalReading } from '../../../core/citations.js';
import type { PassageRef } from '../../../core/vocabulary.js';
import { baseView, section, text } from '../../../report/views/parts.js';
import { defineMethod } from '../../define-method.js';
import { answerForm, readCount } from '../../options.js';

export interface HydeChain extends FinalReading {
  /** What the search was made with; null when it could not be read, and the question was used. */
  hypothesis: string | null;
  passages: PassageRef[];
}

export const hydeMethod = defineMethod({
  name: 'hyde',
  title: 'HyDE: search with a hypothetical passage, then read',
  source:
    'Gao et al., ACL 2023, as described in LLatrieval (Li et al., NAACL 2024), section 4.1 "Query Rewriting"',
  options: z.strictObject({ passages: readCount, answerForm }),
  cites: ({ answerForm }) => (answerForm === 'short' ? undefined : answerForm),
  view: (chain: HydeChain, context) => [
    ...section('Hypothetical passage', text(chain.hypothesis)),
    ...baseView(chain, context),
  ],
  steps: ['hypotheticalPassage', 'read', 'answerWithCitations'],
  callsFormula: '2',
  figures:
    'correctness/citation F1, gpt-3.5-turbo-0301, cited answers, k=5: ASQA 56.8/59.8, QAMPARI 16.2/23.4, ELI5 15.2/66.7',
});
