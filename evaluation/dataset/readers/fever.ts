import { z } from 'zod';
import { defineDataset } from '../define-dataset.js';
import { claimClass, id, ofClass, text, unused } from '../parts.js';

/** FEVER and FEVEROUS: the class is the answer; the evidence names places and has no text. */
export const fever = defineDataset({
  name: 'fever',
  source: 'FEVER and FEVEROUS',
  schema: z.strictObject({
    id,
    claim: text,
    label: claimClass,
    ...{ evidence: unused, verifiable: unused },
    ...{ annotator_operations: unused, challenge: unused, expected_challenge: unused },
  }),
  question: ({ id, claim, label }) => ({ id, question: claim, ...ofClass(label) }),
  example: {
    ...{ id: 3, verifiable: 'VERIFIABLE', label: 'REFUTES', claim: 'Bo built the bridge.' },
    evidence: [[[1, 2, 'Bridge', 0]]],
  },
});

const evidence = z.array(z.strictObject({ text, section_header: unused }));

export const foolMeTwice = defineDataset({
  name: 'fool-me-twice',
  source: 'FoolMeTwice',
  schema: z.strictObject({
    id,
    text,
    label: claimClass,
    gold_evidence: evidence,
    retrieved_evidence: evidence.default([]),
    ...{ wikipedia_page: unused, category: unused },
    ...{ correct_votes: unused, total_votes: unused, total_likes: unused },
  }),
  question: ({ id, text, label, gold_evidence, retrieved_evidence }) => ({
    ...{ id, question: text, ...ofClass(label) },
    passages: [
      ...gold_evidence.map((one) => ({ title: '', text: one.text, isGold: true })),
      ...retrieved_evidence.map((one) => ({ title: '', text: one.text })),
    ],
  }),
  example: {
    ...{ id: 'f1', text: 'Ada built the bridge.', label: 'SUPPORTS', wikipedia_page: 'Bridge' },
    gold_evidence: [{ text: 'Ada did.', section_header: 'History' }],
    retrieved_evidence: [{ text: 'Boats went over.', section_header: 'History' }],
  },
});
