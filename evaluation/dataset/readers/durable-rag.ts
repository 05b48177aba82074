/** This project's own data set format. */
import { z } from 'zod';
import { ANSWER_KINDS } from '../../../core/dataset-record.js';
import { BadRecord, defineDataset } from '../define-dataset.js';
import { groups, id, passages, text, texts, unused } from '../record-fields.js';

/**
 * Data set declaration for this project's own format. A single `answer` is the accepted answer; a
 * record that also has other answer fields is refused.
 */
export const durableRag = defineDataset({
  name: 'durable-rag',
  source: 'this project',
  schema: z.strictObject({
    id: id.optional(),
    question: text,
    answer: z.union([text, texts]).optional(),
    answers: texts.optional(),
    passages: passages.optional(),
    passagesRanked: z.literal(false).optional(),
    corpusIds: z.literal(true).optional(),
    answerKind: z.enum(ANSWER_KINDS).optional(),
    answerable: z.boolean().optional(),
    answerGroups: groups.optional(),
    label: text.optional(),
    longAnswers: texts.optional(),
    claims: texts.optional(),
    fields: z.record(z.string(), z.string()).optional(),
    ...unused('source', 'licence', 'origin'),
  }),
  question({ answer, answers, answerable, source: _, licence: __, origin: ___, ...said }) {
    const { answerGroups, claims, label, longAnswers, answerKind } = said;
    if (answer !== undefined && (answers ?? answerGroups ?? claims ?? label ?? longAnswers)) {
      throw new BadRecord(
        "answer: cannot be combined with other answers, since it could be a model's output",
      );
    }
    if (label !== undefined && answerKind !== 'label') {
      throw new BadRecord('label: needs answerKind "label", since it could mean something else');
    }
    if (answerable === false) return { ...said, answers: [], answerable };
    const given = answers ?? (answer === undefined ? undefined : [answer].flat());
    return { ...said, ...(given && { answers: given }) };
  },
});
