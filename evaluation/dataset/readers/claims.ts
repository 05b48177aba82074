/** Data sets of claims, each answered by its class. */
import { z } from 'zod';
import { BadRecord, defineDataset } from '../define-dataset.js';
import { claimClass, id, ofClass, text, unique, unused } from '../record-fields.js';

/** FEVER and FEVEROUS: the class is the answer; the evidence names places and has no text. */
export const fever = defineDataset({
  name: 'fever',
  source: 'FEVER and FEVEROUS',
  schema: z.strictObject({
    id,
    claim: text,
    label: claimClass,
    ...unused('evidence', 'verifiable', 'annotator_operations', 'challenge', 'expected_challenge'),
  }),
  question: ({ id, claim, label }) => ({ id, question: claim, ...ofClass(label) }),
});

const evidence = z.array(z.strictObject({ text, ...unused('section_header') }));

export const foolMeTwice = defineDataset({
  name: 'fool-me-twice',
  source: 'FoolMeTwice',
  ranked: false,
  schema: z.strictObject({
    id,
    text,
    label: claimClass,
    gold_evidence: evidence,
    retrieved_evidence: evidence.default([]),
    ...unused('wikipedia_page', 'category', 'correct_votes', 'total_votes', 'total_likes'),
  }),
  question: ({ id, text, label, gold_evidence, retrieved_evidence }) => ({
    id,
    question: text,
    ...ofClass(label),
    passages: [
      ...gold_evidence.map((one) => ({ title: '', text: one.text, isGold: true })),
      ...retrieved_evidence.map((one) => ({ title: '', text: one.text })),
    ],
  }),
});

const side = z.enum(['SUPPORT', 'CONTRADICT']);
const CLASS = { SUPPORT: 'SUPPORTS', CONTRADICT: 'REFUTES' } as const;

/** The class is given with the evidence; without any there is not enough information. */
export const scifact = defineDataset({
  name: 'scifact',
  source: 'SciFact',
  schema: z.strictObject({
    id,
    claim: text,
    evidence: z.record(
      z.string(),
      z.array(z.strictObject({ label: side, ...unused('sentences') })),
    ),
    ...unused('cited_doc_ids'),
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
});
