/** Data sets of multiple-choice questions. The text of the right choice is the answer. */
import { z } from 'zod';
import { BadRecord, defineDataset } from '../define-dataset.js';
import {
  asPassages,
  id,
  labelled,
  labelledChoice,
  number,
  text,
  texts,
  unused,
} from '../record-fields.js';

/**
 * Returns an array with the text of the choice at an index from 0. @throws BadRecord if there is
 * none.
 */
function choiceAt(choices: readonly string[], at: number, field: string): string[] {
  const choice = choices[at];
  if (choice !== undefined) return [choice];
  throw new BadRecord(`${field}: is not one of the ${choices.length} choices`);
}

const stem = z.strictObject({ stem: text, choices: labelled, ...unused('question_concept') });
const science = unused('fact1', 'humanScore', 'clarity', 'turkIdAnonymized');

/**
 * Data set declaration for the official files of ARC, CommonsenseQA and OpenBookQA, in which an
 * object contains question and choices. The answer is the text of the right choice.
 */
export const arc = defineDataset({
  name: 'arc',
  source: 'ARC, CommonsenseQA and OpenBookQA, official files',
  schema: z.strictObject({ id, question: stem, answerKey: text, ...science }),
  question: ({ id, question, answerKey }) => ({
    id,
    question: question.stem,
    answers: labelledChoice(question.choices, answerKey),
  }),
});

/**
 * Data set declaration for ARC and CommonsenseQA on Hugging Face. The answer is the text of the
 * right choice.
 */
export const arcHf = defineDataset({
  name: 'arc-hf',
  source: 'ARC and CommonsenseQA on Hugging Face',
  schema: z.strictObject({
    id,
    question: text,
    choices: labelled,
    answerKey: text,
    ...unused('question_concept'),
  }),
  question: ({ id, question, choices, answerKey }) => ({
    id,
    question,
    answers: labelledChoice(choices, answerKey),
  }),
});

/**
 * Data set declaration for OpenBookQA on Hugging Face. The answer is the text of the right choice;
 * `fact1` is a gold passage.
 */
export const openBookQa = defineDataset({
  name: 'openbookqa-hf',
  source: 'OpenBookQA on Hugging Face',
  schema: z.strictObject({
    id,
    question_stem: text,
    choices: labelled,
    answerKey: text,
    ...science,
    fact1: text.optional(),
  }),
  question: ({ id, question_stem, choices, answerKey, fact1 }) => ({
    id,
    question: question_stem,
    answers: labelledChoice(choices, answerKey),
    passages: fact1 === undefined ? [] : asPassages([fact1], true),
  }),
});

/**
 * Data set declaration for MMLU on Hugging Face. The answer is the text of the right choice; the
 * subject is an extra field.
 */
export const mmlu = defineDataset({
  name: 'mmlu',
  source: 'MMLU on Hugging Face',
  schema: z.strictObject({ question: text, subject: z.string(), choices: texts, answer: z.int() }),
  question: ({ question, subject, choices, answer }) => ({
    question,
    answers: choiceAt(choices, answer, 'answer'),
    fields: { subject },
  }),
});

/** Data set declaration for MedQA. The answer is the text of the right option. */
export const medqa = defineDataset({
  name: 'medqa',
  source: 'MedQA',
  schema: z.strictObject({
    question: text,
    answer: text,
    answer_idx: text,
    options: z.record(z.string(), text),
    ...unused('meta_info', 'metamap_phrases'),
  }),
  question({ question, answer, answer_idx, options }) {
    if (options[answer_idx] === answer) return { question, answers: [answer] };
    throw new BadRecord('answer: is not the text of the option that answer_idx names');
  },
});

/**
 * Data set declaration for RACE on Hugging Face. The answer is the text of the right option; the
 * article is the passage.
 */
export const race = defineDataset({
  name: 'race',
  source: 'RACE on Hugging Face',
  schema: z.strictObject({
    article: text,
    question: text,
    options: texts,
    ...unused('example_id'),
    answer: z.enum(['A', 'B', 'C', 'D']),
  }),
  question: ({ article, question, options, answer }) => ({
    question,
    answers: choiceAt(options, 'ABCD'.indexOf(answer), 'answer'),
    passages: [{ title: '', text: article }],
  }),
});

/**
 * Data set declaration for RealTime QA. The answers are the texts of the right choices, which
 * records state by their indexes from 0.
 */
export const realTimeQa = defineDataset({
  name: 'realtimeqa',
  source: 'RealTime QA',
  schema: z.strictObject({
    question_id: id,
    question_sentence: text,
    choices: texts,
    answer: z.array(number.pipe(z.int())),
    ...unused('question_date', 'question_source', 'question_url', 'evidence'),
  }),
  question: ({ question_id, question_sentence, choices, answer }) => ({
    id: question_id,
    question: question_sentence,
    answers: answer.flatMap((at) => choiceAt(choices, at, 'answer')),
  }),
});

/**
 * Data set declaration for the CSV file of TruthfulQA. The best answer and the right ones,
 * separated by semicolons, are accepted.
 */
export const truthfulqa = defineDataset({
  name: 'truthfulqa',
  source: 'TruthfulQA, the table',
  schema: z.strictObject({
    Question: text,
    'Best Answer': text,
    'Correct Answers': text.transform((cell) => cell.split(';').map((one) => one.trim())),
    ...unused('Type', 'Category', 'Source', 'Incorrect Answers', 'Best Incorrect Answer'),
  }),
  question: ({ Question, 'Best Answer': best, 'Correct Answers': correct }) => ({
    question: Question,
    answers: [best, ...correct].filter(Boolean),
  }),
});

/**
 * Data set declaration for TruthfulQA on Hugging Face, configuration "generation". The best answer
 * and the right ones are accepted.
 */
export const truthfulqaHf = defineDataset({
  name: 'truthfulqa-hf',
  source: 'TruthfulQA on Hugging Face, generation',
  schema: z.strictObject({
    question: text,
    best_answer: text,
    correct_answers: texts,
    ...unused('type', 'category', 'source', 'incorrect_answers'),
  }),
  question: ({ question, best_answer, correct_answers }) => ({
    question,
    answers: [best_answer, ...correct_answers],
  }),
});

/** Schema of choices with a label each. Its output is an array of the choices labelled 1. */
const marked = z
  .strictObject({ choices: texts, labels: z.array(z.int()) })
  .transform(({ choices, labels }) => choices.filter((_, i) => labels[i] === 1));

/**
 * Data set declaration for TruthfulQA on Hugging Face, configuration "multiple_choice". The
 * choices labelled 1 are accepted.
 */
export const truthfulqaChoices = defineDataset({
  name: 'truthfulqa-choices',
  source: 'TruthfulQA on Hugging Face, multiple choice',
  schema: z.strictObject({ question: text, mc1_targets: marked, mc2_targets: marked }),
  question: ({ question, mc1_targets, mc2_targets }) => ({
    question,
    answers: [...mc1_targets, ...mc2_targets],
  }),
});
