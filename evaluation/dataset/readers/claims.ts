/** Data sets of claims, which are answered by a class such as SUPPORTS. */
import { z } from 'zod';
import { BadRecord, defineDataset } from '../define-dataset.js';
import { claimAnswer, claimClass, id, text, unique, unused } from '../record-fields.js';

/**
 * Data set declaration for FEVER and FEVEROUS. The claim is the question and its class the answer;
 * the evidence has no text and is ignored.
 */
export const fever = defineDataset({
  name: 'fever',
  source: 'FEVER and FEVEROUS',
  schema: z.strictObject({
    id,
    claim: text,
    label: claimClass,
    ...unused('evidence', 'verifiable', 'annotator_operations', 'challenge', 'expected_challenge'),
  }),
  question: ({ id, claim, label }) => ({ id, question: claim, ...claimAnswer(label) }),
});

const evidence = z.array(z.strictObject({ text, ...unused('section_header') }));

/**
 * Data set declaration for FoolMeTwice. The class is the answer; the gold evidence comes first
 * among the passages, then the retrieved one.
 */
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
    ...claimAnswer(label),
    passages: [
      ...gold_evidence.map((one) => ({ title: '', text: one.text, isGold: true })),
      ...retrieved_evidence.map((one) => ({ title: '', text: one.text })),
    ],
  }),
});

const side = z.enum(['SUPPORT', 'CONTRADICT']);
const CLASS = { SUPPORT: 'SUPPORTS', CONTRADICT: 'REFUTES' } as const;

/**
 * Data set declaration for SciFact. The class stated with the evidence is the answer, and NOT
 * ENOUGH INFO if there is no evidence; records have no passages.
 */
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
    return { id, question: claim, ...claimAnswer(found ?? 'NOT ENOUGH INFO') };
  },
});
