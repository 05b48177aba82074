import { z } from 'zod';
import { defineDataset } from '../define-dataset.js';
import { asPassages, id, text, texts, unused } from '../parts.js';

/** Three classes, yes, no and maybe, all scored as classes. */
export const pubmedqa = defineDataset({
  name: 'pubmedqa',
  source: 'PubMedQA on Hugging Face',
  schema: z.strictObject({
    pubid: id,
    question: text,
    context: z.strictObject({
      contexts: texts,
      ...{ labels: unused, meshes: unused, reasoning_required_pred: unused },
      reasoning_free_pred: unused,
    }),
    long_answer: text,
    final_decision: z.enum(['yes', 'no', 'maybe']),
  }),
  question: ({ pubid, question, context, long_answer, final_decision }) => ({
    ...{ id: pubid, question, answers: [final_decision], answerKind: 'label' },
    ...{ longAnswers: [long_answer], passages: asPassages(context.contexts) },
  }),
  example: {
    ...{ pubid: 21, question: 'Does the bridge hold?', final_decision: 'maybe' as const },
    ...{ context: { contexts: ['It sank once.'], labels: ['RESULTS'], meshes: [] } },
    long_answer: 'It may hold.',
  },
});
