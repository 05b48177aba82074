/** Data sets in the formats of evaluation tools. */
import { z } from 'zod';
import { BadRecord, defineDataset } from '../define-dataset.js';
import { asPassages, id, text, texts, unused } from '../record-fields.js';

/**
 * Returns the retrieved contexts as passages, with the needed ones marked as gold. If there are no
 * retrieved ones, returns the needed ones.
 */
function marked(retrieved: readonly string[] | undefined, needed: readonly string[] | undefined) {
  if (!retrieved) return asPassages(needed, true);
  if (!needed) return asPassages(retrieved);
  return retrieved.flatMap((one) => asPassages([one], needed.includes(one)));
}

/**
 * Data set declaration for RAGAS's test sets. The reference is the answer; a model's response is
 * ignored.
 */
export const ragas = defineDataset({
  name: 'ragas',
  source: 'RAGAS',
  schema: z.strictObject({
    user_input: text,
    reference: text,
    retrieved_contexts: texts.optional(),
    reference_contexts: texts.optional(),
    ...unused('response', 'rubrics', 'multi_responses', 'synthesizer_name'),
    ...unused('retrieved_context_ids', 'reference_context_ids', 'persona_name', 'query_style'),
    ...unused('query_length'),
  }),
  question: ({ user_input, reference, retrieved_contexts, reference_contexts }) => ({
    question: user_input,
    answers: [reference],
    passages: marked(retrieved_contexts, reference_contexts),
  }),
});

/**
 * Data set declaration for test sets of RAGAS before 0.2. The ground truths are the answers; a
 * model's answer is ignored.
 */
export const ragasOld = defineDataset({
  name: 'ragas-0.1',
  source: 'RAGAS before 0.2',
  schema: z.strictObject({
    question: text,
    ground_truth: text.optional(),
    ground_truths: texts.optional(),
    contexts: texts.optional(),
    ...unused('answer', 'evolution_type', 'episode_done', 'metadata'),
  }),
  question({ question, ground_truth, ground_truths, contexts }) {
    const answers = ground_truths ?? (ground_truth === undefined ? undefined : [ground_truth]);
    if (answers) return { question, answers, passages: asPassages(contexts) };
    throw new BadRecord('ground_truth: is missing, and answer is the output of a model');
  },
});

/**
 * Data set declaration for DeepEval's test sets. The expected output is the answer; the actual
 * output is ignored.
 */
export const deepeval = defineDataset({
  name: 'deepeval',
  source: 'DeepEval',
  schema: z.strictObject({
    input: text,
    expected_output: text,
    context: texts.optional(),
    retrieval_context: texts.optional(),
    ...unused('actual_output', 'name', 'comments', 'additional_metadata', 'tools_called'),
    ...unused('expected_tools', 'source_file', 'custom_column'),
  }),
  question: ({ input, expected_output, context, retrieval_context }) => ({
    question: input,
    answers: [expected_output],
    passages: marked(retrieval_context, context),
  }),
});

/**
 * Data set declaration for AutoRAG's test sets. Records have only the ids of passages, which are
 * in a separate corpus, and these are ignored.
 */
export const autoRag = defineDataset({
  name: 'autorag',
  source: 'AutoRAG',
  schema: z.strictObject({
    qid: id,
    query: text,
    generation_gt: texts,
    ...unused('retrieval_gt', 'metadata'),
  }),
  question: ({ qid, query, generation_gt }) => ({
    id: qid,
    question: query,
    answers: generation_gt,
  }),
});

/**
 * Data set declaration for LlamaIndex's labelled RAG data sets. The reference contexts are gold
 * passages.
 */
export const llamaIndex = defineDataset({
  name: 'llama-index',
  source: "LlamaIndex's labelled RAG data sets",
  ranked: false,
  schema: z.strictObject({
    query: text,
    reference_answer: text,
    reference_contexts: texts.optional(),
    ...unused('query_by', 'reference_answer_by'),
  }),
  question: ({ query, reference_answer, reference_contexts }) => ({
    question: query,
    answers: [reference_answer],
    passages: asPassages(reference_contexts, true),
  }),
});
