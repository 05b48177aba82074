import { z } from 'zod';
import { BadRecord, defineDataset } from '../define-dataset.js';
import { id, ofClass, text, unique, unused } from '../parts.js';

const side = z.enum(['SUPPORT', 'CONTRADICT']);
const CLASS = { SUPPORT: 'SUPPORTS', CONTRADICT: 'REFUTES' } as const;

/** The class stands with the evidence; without any there is not enough information. */
export const scifact = defineDataset({
  name: 'scifact',
  source: 'SciFact',
  schema: z.strictObject({
    id,
    claim: text,
    evidence: z.record(z.string(), z.array(z.strictObject({ label: side, sentences: unused }))),
    cited_doc_ids: unused,
  }),
  question({ id, claim, evidence }) {
    const [found, ...others] = unique(
      Object.values(evidence)
        .flat()
        .map(({ label }) => CLASS[label]),
    );
    if (others.length > 0) throw new BadRecord('evidence: has several classes for one claim');
    return { id, question: claim, ...ofClass(found ?? 'NOT ENOUGH INFO') };
  },
  example: {
    ...{ id: 2, claim: 'The bridge holds.', cited_doc_ids: [13] },
    evidence: { 13: [{ sentences: [4], label: 'CONTRADICT' as const }] },
  },
});
