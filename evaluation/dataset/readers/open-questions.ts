/** Data sets of questions with short answers and no passages of their own. */
import { z } from 'zod';
import { BadRecord, defineDataset } from '../define-dataset.js';
import { id, orJsonText, text, texts, unused } from '../record-fields.js';

/**
 * Data set declaration for FlashRAG's collection. The accepted answers are strings, or indexes,
 * from 0, of choices.
 */
export const flashrag = defineDataset({
  name: 'flashrag',
  source: 'FlashRAG',
  schema: z.strictObject({
    id,
    question: text,
    golden_answers: z.union([texts, z.array(z.int().min(0))]),
    choices: texts.optional(),
    ...unused('metadata'),
  }),
  question: ({ id, question, golden_answers, choices = [] }) => ({
    id,
    question,
    answers: golden_answers.map((answer) => {
      if (typeof answer === 'string') return answer;
      const choice = choices[answer];
      if (choice !== undefined) return choice;
      throw new BadRecord(`golden_answers: is not one of the ${choices.length} choices`);
    }),
  }),
});

/**
 * Data set declaration for NQ-open, whose accepted answers are strings, and for CuratedTREC, whose
 * answers are regular expressions.
 */
export const nqOpen = defineDataset({
  name: 'nq-open',
  source: 'NQ-open; CuratedTREC, whose answers are patterns',
  schema: z.strictObject({ question: text, answer: texts }),
  question: ({ question, answer }) => ({ question, answers: answer }),
});

/** Data set declaration for WebQuestions on Hugging Face. */
export const webQuestions = defineDataset({
  name: 'webquestions',
  source: 'WebQuestions on Hugging Face',
  schema: z.strictObject({ ...unused('url'), question: text, answers: texts }),
  question: ({ question, answers }) => ({ question, answers }),
});

/**
 * Data set declaration for PopQA. The accepted answers are a list, or a string that contains the
 * list as JSON.
 */
export const popqa = defineDataset({
  name: 'popqa',
  source: 'PopQA',
  schema: z.strictObject({
    id,
    question: text,
    possible_answers: orJsonText(texts),
    ...unused('subj', 'prop', 'obj', 'subj_id', 'prop_id', 'obj_id', 's_aliases', 'o_aliases'),
    ...unused('s_uri', 'o_uri', 's_wiki_title', 'o_wiki_title', 's_pop', 'o_pop'),
  }),
  question: ({ id, question, possible_answers }) => ({ id, question, answers: possible_answers }),
});

/** Schema of a worked answer. Its output is the result, which is in the last line after "#### ". */
const worked = z
  .string()
  .regex(/\n#### \S[^\n]*\s*$/)
  .transform((whole) => whole.slice(whole.lastIndexOf('#### ') + 5).trim());

/**
 * Data set declaration for GSM8K. The result at the end of the worked answer is accepted, with or
 * without thousands separators.
 */
export const gsm8k = defineDataset({
  name: 'gsm8k',
  source: 'GSM8K',
  schema: z.strictObject({ question: text, answer: worked }),
  question: ({ question, answer }) => ({
    question,
    answers: [answer, answer.replaceAll(',', '')],
  }),
});

/**
 * Data set declaration for the official file of TriviaQA. The answer and its aliases are accepted;
 * the files of the evidence pages are not read.
 */
export const triviaqa = defineDataset({
  name: 'triviaqa',
  source: 'TriviaQA',
  schema: z.strictObject({
    QuestionId: id,
    Question: text,
    Answer: z.strictObject({
      Value: text,
      Aliases: texts,
      ...unused('NormalizedAliases', 'NormalizedValue', 'Type', 'HumanAnswers'),
      ...unused('MatchedWikiEntityName', 'NormalizedMatchedWikiEntityName'),
    }),
    ...unused('EntityPages', 'SearchResults', 'QuestionSource', 'QuestionPartOfVerifiedEval'),
    ...unused('QuestionVerifiedEvalAttempt'),
  }),
  question: ({ QuestionId, Question, Answer }) => ({
    id: QuestionId,
    question: Question,
    answers: [Answer.Value, ...Answer.Aliases],
  }),
});

const pages = z.strictObject({
  title: z.array(z.string()),
  wiki_context: z.array(z.string()),
  ...unused('doc_source', 'filename'),
});
const results = z.strictObject({
  title: z.array(z.string()),
  search_context: z.array(z.string()),
  ...unused('description', 'filename', 'rank', 'url'),
});

/**
 * Data set declaration for TriviaQA on Hugging Face. The answer and its aliases are accepted; the
 * texts of the search results and then of the entities' pages are the passages.
 */
export const triviaqaHf = defineDataset({
  name: 'triviaqa-hf',
  source: 'TriviaQA on Hugging Face',
  ranked: false,
  schema: z.strictObject({
    question: text,
    question_id: id,
    answer: z.strictObject({
      value: text,
      aliases: texts,
      ...unused('normalized_aliases', 'normalized_value', 'type', 'matched_wiki_entity_name'),
      ...unused('normalized_matched_wiki_entity_name'),
    }),
    entity_pages: pages.optional(),
    search_results: results.optional(),
    ...unused('question_source'),
  }),
  question: ({ question, question_id, answer, entity_pages, search_results }) => ({
    id: question_id,
    question,
    answers: [answer.value, ...answer.aliases],
    passages: [
      ...textsOf(search_results?.title, search_results?.search_context),
      ...textsOf(entity_pages?.title, entity_pages?.wiki_context),
    ],
  }),
});

function textsOf(titles: readonly string[] = [], texts: readonly string[] = []) {
  return texts.map((text, i) => ({ title: titles[i] ?? '', text }));
}
