/** HyDE (LLatrieval, section 4.1; Gao et al., ACL 2023). */

import { z } from 'zod';
import type { FinalReading } from '../../../core/citations.js';
import { chainPassages } from '../../../core/passages-read.js';
import type { Conclusion } from '../../../core/result.js';
import type { PassageRef } from '../../../core/vocabulary.js';
import { baseView, section, text } from '../../../report/views/section-parts.js';
import { defineMethod } from '../../define-method.js';
import { answerForm, readCount } from '../options.js';
import { readBest } from '../read-best.js';

const options = z.strictObject({ passages: readCount, answerForm });

interface HydeChain extends FinalReading {
  /** The text that the search used; null if it could not be read and the question was used. */
  hypothesis: string | null;
  passages: PassageRef[];
}

export const hyde = defineMethod({
  module: import.meta.url,
  name: 'hyde',
  title: 'HyDE: search with a hypothetical passage, then read',
  source:
    'Gao et al., ACL 2023, as described in LLatrieval (Li et al., NAACL 2024), section 4.1 "Query Rewriting"',
  options,
  passagesRead: chainPassages,
  cites: ({ answerForm }) => (answerForm === 'short' ? undefined : answerForm),
  view: (chain: HydeChain, context) => [
    ...section('Hypothetical passage', text(chain.hypothesis)),
    ...baseView(chain, context),
  ],
  figures:
    'correctness/citation F1, gpt-3.5-turbo-0301, cited answers, k=5: ASQA 56.8/59.8, QAMPARI 16.2/23.4, ELI5 15.2/66.7',

  /** Writes a passage that might answer the question, searches with it, and reads the results. */
  async algorithm(asked): Promise<Conclusion<HydeChain>> {
    const { question, options, step } = asked;
    const hypothesis = await step.hypotheticalPassage({ question });
    const query = hypothesis ?? question;
    const passages = await step.retrieve({ query, count: options.passages });

    const best = passages.map(({ id }) => id);
    return readBest(asked, best, { hypothesis, passages });
  },
});
