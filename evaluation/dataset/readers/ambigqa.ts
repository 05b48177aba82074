import { z } from 'zod';
import { defineDataset } from '../define-dataset.js';
import { id, text, texts, unique, unused } from '../parts.js';

const pair = z.strictObject({ question: unused, answer: texts });
const annotation = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('singleAnswer'), answer: texts }),
  z.strictObject({ type: z.literal('multipleQAs'), qaPairs: z.array(pair) }),
]);
type Annotation = z.output<typeof annotation>;

const columns = z
  .strictObject({
    type: z.array(z.enum(['singleAnswer', 'multipleQAs'])),
    answer: z.array(texts),
    qaPairs: z.array(z.strictObject({ question: unused, answer: z.array(texts) })),
  })
  .transform(({ type, answer, qaPairs }) =>
    type.map(
      (one, i): Annotation =>
        one === 'singleAnswer'
          ? { type: one, answer: answer[i] ?? [] }
          : { type: one, qaPairs: (qaPairs[i]?.answer ?? []).map((names) => ({ answer: names })) },
    ),
  );

/** What its annotators say put together: one answer by its names, or all that are wanted. */
export const ambigqa = defineDataset({
  name: 'ambigqa',
  source: 'AmbigQA, full and light',
  schema: z.strictObject({
    id,
    question: text,
    annotations: z.union([z.array(annotation), columns]),
    ...{ viewed_doc_titles: unused, used_queries: unused, nq_answer: unused, nq_doc_title: unused },
  }),
  question({ id, question, annotations }) {
    const said = annotations.flatMap((one) =>
      one.type === 'singleAnswer' ? [one.answer] : one.qaPairs.map(({ answer }) => answer),
    );
    const wanted = joined(said);
    return wanted.length === 1
      ? { id, question, answers: wanted.flat() }
      : { id, question, answerGroups: wanted, answerKind: 'list' };
  },
  example: {
    ...{ id: 'a1', question: 'Who built the bridge?', nq_answer: ['Ada'] },
    annotations: [{ type: 'singleAnswer', answer: ['Ada', 'A. B.'] }],
  },
});

/** Answers that share a name are one. */
function joined(said: readonly string[][]): string[][] {
  return said.reduce<string[][]>((wanted, names) => {
    const same = wanted.filter((one) => one.some((name) => names.includes(name)));
    const others = wanted.filter((one) => !same.includes(one));
    return [...others, unique([...same.flat(), ...names])];
  }, []);
}
