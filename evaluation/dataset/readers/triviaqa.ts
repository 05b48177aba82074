import { z } from 'zod';
import { defineDataset } from '../define-dataset.js';
import { id, text, texts, unused } from '../parts.js';

/** The official file; the pages that it names are files of their own. */
export const triviaqa = defineDataset({
  name: 'triviaqa',
  source: 'TriviaQA',
  schema: z.strictObject({
    QuestionId: id,
    Question: text,
    Answer: z.strictObject({
      Value: text,
      Aliases: texts,
      ...{ NormalizedAliases: unused, NormalizedValue: unused, Type: unused, HumanAnswers: unused },
      ...{ MatchedWikiEntityName: unused, NormalizedMatchedWikiEntityName: unused },
    }),
    ...{ EntityPages: unused, SearchResults: unused, QuestionSource: unused },
    ...{ QuestionPartOfVerifiedEval: unused, QuestionVerifiedEvalAttempt: unused },
  }),
  question: ({ QuestionId, Question, Answer }) => ({
    id: QuestionId,
    question: Question,
    answers: [Answer.Value, ...Answer.Aliases],
  }),
  example: {
    ...{ QuestionId: 't1', Question: 'Who built the bridge?', EntityPages: [], SearchResults: [] },
    Answer: { Value: 'Ada', Aliases: ['A. B.'], Type: 'WikipediaEntity' },
  },
});

const pages = z.strictObject({
  title: z.array(z.string()),
  wiki_context: z.array(z.string()),
  ...{ doc_source: unused, filename: unused },
});
const results = z.strictObject({
  title: z.array(z.string()),
  search_context: z.array(z.string()),
  ...{ description: unused, filename: unused, rank: unused, url: unused },
});

/** With the texts of the pages that were found. */
export const triviaqaHf = defineDataset({
  name: 'triviaqa-hf',
  source: 'TriviaQA on Hugging Face',
  schema: z.strictObject({
    question: text,
    question_id: id,
    answer: z.strictObject({
      value: text,
      aliases: texts,
      ...{ normalized_aliases: unused, normalized_value: unused, type: unused },
      ...{ matched_wiki_entity_name: unused, normalized_matched_wiki_entity_name: unused },
    }),
    entity_pages: pages.optional(),
    search_results: results.optional(),
    question_source: unused,
  }),
  question: ({ question, question_id, answer, entity_pages, search_results }) => ({
    ...{ id: question_id, question, answers: [answer.value, ...answer.aliases] },
    passages: [
      ...textsOf(search_results?.title, search_results?.search_context),
      ...textsOf(entity_pages?.title, entity_pages?.wiki_context),
    ],
  }),
  example: {
    ...{ question_id: 't1', question: 'Who built the bridge?', question_source: 'x' },
    answer: { value: 'Ada', aliases: ['A. B.'] },
    entity_pages: { title: ['Bridge'], wiki_context: ['Ada built it.'] },
    search_results: { title: [], search_context: [] },
  },
});

function textsOf(titles: readonly string[] = [], texts: readonly string[] = []) {
  return texts.map((text, i) => ({ title: titles[i] ?? '', text }));
}
