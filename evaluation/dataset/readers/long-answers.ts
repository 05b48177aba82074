/** Data sets of questions with long answers, or with several wanted answers. */
import { z } from 'zod';
import { defineDataset } from '../define-dataset.js';
import { groups, id, retrieved, text, texts, unique, unused } from '../record-fields.js';

const asqaFields = {
  qa_pairs: z.array(
    z.strictObject({
      short_answers: texts,
      ...unused('context', 'question', 'wikipage'),
    }),
  ),
  annotations: z.array(z.strictObject({ long_answer: text, ...unused('knowledge') })).default([]),
  ...unused('wikipages'),
};

function referencesOf({ qa_pairs, annotations }: z.output<z.ZodObject<typeof asqaFields>>) {
  return {
    answerGroups: qa_pairs.map(({ short_answers }) => short_answers),
    longAnswers: annotations.map(({ long_answer }) => long_answer),
    answerKind: 'long' as const,
  };
}

/**
 * Data set declaration for ASQA. The short answers are answer groups, the long ones reference
 * texts. The official file is a map by id; in other files the record has the id.
 */
export const asqa = defineDataset({
  name: 'asqa',
  source: 'ASQA',
  schema: z.strictObject({ ...asqaFields, sample_id: id.optional(), ambiguous_question: text }),
  question: ({ sample_id, ambiguous_question, ...references }) => ({
    id: sample_id,
    question: ambiguous_question,
    ...referencesOf(references),
  }),
});

/**
 * Data set declaration for ASQA as ALCE publishes it, with retrieved passages. The answers of all
 * annotators are reference texts.
 */
export const alceAsqa = defineDataset({
  name: 'alce-asqa',
  source: 'ALCE, ASQA',
  schema: z.strictObject({
    ...asqaFields,
    sample_id: id,
    question: text,
    answer: text,
    docs: retrieved.optional(),
  }),
  question({ sample_id, question, answer, docs, ...given }) {
    const references = referencesOf(given);
    const longAnswers = unique([answer, ...references.longAnswers]);
    return { id: sample_id, question, ...references, longAnswers, passages: docs };
  },
});

/**
 * Data set declaration for QAMPARI. Every answer of the list is wanted, by its name or any of its
 * aliases.
 */
export const qampari = defineDataset({
  name: 'qampari',
  source: 'QAMPARI',
  schema: z.strictObject({
    qid: id,
    question_text: text,
    answer_list: z.array(
      z.strictObject({
        answer_text: z.string().trim(),
        aliases: texts.default([]),
        ...unused('aid', 'answer_url', 'proof'),
      }),
    ),
    ...unused('entities'),
  }),
  question: ({ qid, question_text, answer_list }) => ({
    id: qid,
    question: question_text,
    answerKind: 'list',
    answerGroups: answer_list.map(({ answer_text, aliases }) =>
      unique([answer_text, ...aliases]).filter(Boolean),
    ),
  }),
});

/** Data set declaration for ELI5 on Hugging Face. The replies are reference texts. */
export const eli5 = defineDataset({
  name: 'eli5',
  source: 'ELI5 on Hugging Face',
  schema: z.strictObject({
    q_id: id,
    title: text,
    answers: z.strictObject({
      text: texts,
      ...unused('a_id', 'score', 'text_urls'),
    }),
    ...unused('selftext', 'document', 'subreddit', 'url', 'category', 'title_urls'),
    ...unused('selftext_urls', 'answers_urls'),
  }),
  question: ({ q_id, title, answers }) => ({
    id: q_id,
    question: title,
    longAnswers: answers.text,
    answerKind: 'long',
  }),
});

/**
 * Data set declaration for QAMPARI as ALCE publishes it, with retrieved passages. Every answer
 * group is wanted.
 */
export const alceQampari = defineDataset({
  name: 'alce-qampari',
  source: 'ALCE, QAMPARI',
  schema: z.strictObject({ id, question: text, answers: groups, docs: retrieved.optional() }),
  question: ({ id, question, answers, docs }) => ({
    id,
    question,
    answerGroups: answers,
    answerKind: 'list',
    passages: docs,
  }),
});

/**
 * Data set declaration for ELI5 as ALCE publishes it, with retrieved passages. The answer is a
 * reference text; its claims are those of claim recall.
 */
export const alceEli5 = defineDataset({
  name: 'alce-eli5',
  source: 'ALCE, ELI5',
  schema: z.strictObject({
    id: id.optional(),
    question: text,
    ...unused('question_ctx'),
    answer: text,
    claims: texts,
    docs: retrieved.optional(),
  }),
  question: ({ id, question, answer, claims, docs }) => ({
    id,
    question,
    longAnswers: [answer],
    claims,
    answerKind: 'long',
    passages: docs,
  }),
});

const pair = z.strictObject({ ...unused('question'), answer: texts });
const annotation = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('singleAnswer'), answer: texts }),
  z.strictObject({ type: z.literal('multipleQAs'), qaPairs: z.array(pair) }),
]);
type Annotation = z.output<typeof annotation>;

const columns = z
  .strictObject({
    type: z.array(z.enum(['singleAnswer', 'multipleQAs'])),
    answer: z.array(texts),
    qaPairs: z.array(z.strictObject({ ...unused('question'), answer: z.array(texts) })),
  })
  .transform(({ type, answer, qaPairs }) =>
    type.map(
      (one, i): Annotation =>
        one === 'singleAnswer'
          ? { type: one, answer: answer[i] ?? [] }
          : { type: one, qaPairs: (qaPairs[i]?.answer ?? []).map((names) => ({ answer: names })) },
    ),
  );

/**
 * Data set declaration for AmbigQA, full and light. The answers of all annotators are joined by
 * common names, to one answer with several names or to several wanted answers.
 */
export const ambigqa = defineDataset({
  name: 'ambigqa',
  source: 'AmbigQA, full and light',
  schema: z.strictObject({
    id,
    question: text,
    annotations: z.union([z.array(annotation), columns]),
    ...unused('viewed_doc_titles', 'used_queries', 'nq_answer', 'nq_doc_title'),
  }),
  question({ id, question, annotations }) {
    const answers = annotations.flatMap((one) =>
      one.type === 'singleAnswer' ? [one.answer] : one.qaPairs.map(({ answer }) => answer),
    );
    const wanted = joined(answers);
    return wanted.length === 1
      ? { id, question, answers: wanted.flat() }
      : { id, question, answerGroups: wanted, answerKind: 'list' };
  },
});

/** Joins answers that have a name in common. */
function joined(answers: readonly string[][]): string[][] {
  return answers.reduce<string[][]>((wanted, names) => {
    const same = wanted.filter((one) => one.some((name) => names.includes(name)));
    const others = wanted.filter((one) => !same.includes(one));
    return [...others, unique([...same.flat(), ...names])];
  }, []);
}
