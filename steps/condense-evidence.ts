/** ALLIES, Retrieve: passages condensed to what bears on the question (section 4.3, appendix C.3). */
import { saysUnknown } from '../core/unknown.js';
import { readingStep } from './define.js';
import { mapped } from './outputs/output.js';
import { text } from './outputs/text.js';

export interface CondenseEvidenceInput {
  /** The original question, not the sub-query. */
  question: string;
  /** The query of the search, for people who read the history, not for the model. */
  query: string;
  /** Ids, in the order shown. */
  passages: string[];
}

const evidence = text({
  form: 'the information that bears on the question, in whole sentences',
  label: '(?:relevant )?(?:information|evidence)',
});

/** Empty when the passages hold none, and when the output stayed unreadable. */
export const condenseEvidence = readingStep<CondenseEvidenceInput, string>({
  name: 'condenseEvidence',
  label: ({ passages, query }) => `${passages.length} passages for "${query}"`,
  prompt: 'condense-evidence',
  maxTokens: 256,
  output: mapped(evidence, (said, { unknown }) => (saysUnknown(said, unknown) ? '' : said)),
  fallback: () => '',
});
