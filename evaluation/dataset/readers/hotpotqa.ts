import { z } from 'zod';
import { BadRecord, defineDataset } from '../define-dataset.js';
import { articles, id, markedByTitle, supportingTitles, text, unused } from '../parts.js';

const fields = {
  _id: id.optional(),
  id: id.optional(),
  question: text,
  answer: text,
  context: articles,
  supporting_facts: supportingTitles.optional(),
  type: unused,
};

/** The official file, and as columns. Gold passages are told by their titles. */
export const hotpotqa = defineDataset({
  name: 'hotpotqa',
  source: 'HotpotQA',
  schema: z.strictObject({ ...fields, level: unused }),
  question: read,
  example: {
    ...{ _id: 'h1', question: 'Who built the bridge?', answer: 'Ada', type: 'bridge' },
    ...{ context: [['Bridge', ['Ada ', 'built it.']]], supporting_facts: [['Bridge', 0]] },
  },
});

export const twoWiki = defineDataset({
  name: '2wikimultihopqa',
  source: '2WikiMultihopQA',
  schema: z.strictObject({
    ...fields,
    ...{ evidences: unused, evidences_id: unused, answer_id: unused, entity_ids: unused },
  }),
  question: read,
  example: {
    ...{ _id: 'w1', question: 'Who built the bridge?', answer: 'Ada', type: 'compositional' },
    ...{ context: [['Bridge', ['Ada built it.']]], supporting_facts: [['Bridge', 0]] },
    evidences: [['Bridge', 'builder', 'Ada']],
  },
});

function read(record: z.output<z.ZodObject<typeof fields>>) {
  const given = record._id ?? record.id;
  if (given === undefined) throw new BadRecord('_id: is missing');
  const { question, answer, context, supporting_facts } = record;
  return {
    ...{ id: given, question, answers: [answer] },
    passages: markedByTitle(context, supporting_facts),
  };
}
