import { z } from 'zod';
import { defineDataset } from '../define-dataset.js';
import { id, orWritten, text, texts, unused } from '../parts.js';

/** Its answers are a list that is written as JSON in a text. */
export const popqa = defineDataset({
  name: 'popqa',
  source: 'PopQA',
  schema: z.strictObject({
    id,
    question: text,
    possible_answers: orWritten(texts),
    ...{ subj: unused, prop: unused, obj: unused },
    ...{ subj_id: unused, prop_id: unused, obj_id: unused },
    ...{ s_aliases: unused, o_aliases: unused, s_uri: unused, o_uri: unused },
    ...{ s_wiki_title: unused, o_wiki_title: unused, s_pop: unused, o_pop: unused },
  }),
  question: ({ id, question, possible_answers }) => ({ id, question, answers: possible_answers }),
  example: {
    ...{ id: 7, subj: 'Bridge', prop: 'builder', obj: 'Ada', s_aliases: '["B"]' },
    ...{ question: 'Who built the bridge?', possible_answers: '["Ada", "A. B."]' },
  },
});
