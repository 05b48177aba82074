/**
 * Records in shapes that people bring, in words of our own, each with what it says. None may be read
 * as something else; what is refused says so, and most have a mapping.
 */
import { expect, test } from 'vitest';
import type { AnswerKind } from '../../../core/dataset-record.js';
import { datasetReader } from '../../../evaluation/dataset/choose-dataset.js';
import { parseFields } from '../../../evaluation/dataset/map-fields.js';

interface Seen {
  record: object;
  /** What the question says; where it is refused without a flag this is what the flags make of it. */
  means?: object;
  /** By which it is read; without any it is read as it is, or refused where nothing is meant. */
  flags?: { as?: string; fields?: string; kind?: AnswerKind };
}

const question = 'Who built the bridge?';
const ada = { question, answers: ['Ada'] };
const messages = [
  { role: 'system', content: 'Answer in a word.' },
  { role: 'user', content: question },
];

const SEEN: Record<string, Seen> = {
  'a prediction beside gold': {
    record: { question, answer: 'Bo', gold: 'Ada' },
    flags: { fields: 'question=question,answers=gold' },
    means: ada,
  },
  'a prediction beside gold_answers': {
    record: { question, answer: 'Bo', gold_answers: ['Ada'] },
    flags: { fields: 'question=question,answers=gold_answers[]' },
    means: ada,
  },
  'a prediction beside what was retrieved': {
    record: { question, answer: 'Bo', contexts: ['Ada did.'] },
  },
  'a label beside a generated answer': { record: { question, answer: 'Bo', label: 'incorrect' } },
  'a number as a label beside a generated answer': { record: { question, answer: 'Bo', label: 0 } },
  'LongMemEval, a conversation': {
    record: {
      ...{
        question_id: 'l1',
        question_type: 'single',
        question,
        answer: 'Ada',
        question_date: '2023',
      },
      ...{ haystack_session_ids: ['s1'], answer_session_ids: ['s1'] },
      haystack_sessions: [[{ role: 'user', content: 'Ada built the bridge.', has_answer: true }]],
    },
    flags: {
      fields:
        'id=question_id,question=question,answers=answer,passages=haystack_sessions[][].content',
    },
    means: { id: 'l1', ...ada, passages: [{ title: '', text: 'Ada built the bridge.' }] },
  },
  'QuAC, questions that need those before them': {
    record: {
      ...{ title: 'Bridge', section_title: 'x', background: 'y' },
      paragraphs: [
        {
          ...{ context: 'Ada built it.', id: 'c' },
          qas: [
            {
              id: 'c0',
              question: 'Who?',
              answers: [{ text: 'Ada', answer_start: 0 }],
              followup: 'y',
            },
          ],
        },
      ],
    },
  },
  'QuAC as columns': {
    record: { dialogue_id: 'c', context: 'Ada built it.', questions: ['Who?'], turn_ids: ['c0'] },
  },
  CoQA: {
    record: {
      id: 'c',
      story: 'Ada built it.',
      questions: [{ input_text: 'Who?' }],
      answers: [{ input_text: 'Ada' }],
    },
  },
  'GSM8K, the rationale with the result': {
    record: { question: 'How many are 2 and 3?', answer: 'It is 2 + 3 = 5.\n#### 5' },
    flags: { as: 'gsm8k' },
    means: { answers: ['5'] },
  },
  'promptfoo, an assertion that is a text': {
    record: { vars: { question }, assert: [{ type: 'equals', value: 'Ada' }] },
    flags: { fields: 'question=vars.question,answers=assert[].value' },
    means: ada,
  },
  'promptfoo, the column of assertions': { record: { question, __expected: 'icontains: Ada' } },
  'BrowseComp, ciphertext': {
    record: { problem: 'iC9wZQ==', answer: 'ZzBhbA==', problem_topic: 'Art', canary: 'BC:x' },
  },
  'HAGRID, an answer in cited sentences': {
    record: {
      ...{ query_id: 1, query: question, quotes: [{ idx: 1, docid: 'd', text: 'Ada did.' }] },
      answers: [{ answer: 'Ada built it [1].', attributable: 1, informative: 1, sentences: [] }],
    },
    flags: {
      fields: 'id=query_id,question=query,longAnswers=answers[].answer,passages=quotes[].text',
      kind: 'long',
    },
    means: { id: '1', answers: [], longAnswers: ['Ada built it [1].'], answerKind: 'long' },
  },
  'PubMedQA, maybe': {
    record: {
      ...{ pubid: 1, question: 'Does it hold?', final_decision: 'maybe', long_answer: 'It may.' },
      context: { contexts: ['It sank.'], labels: ['x'], meshes: [] },
    },
    means: { answers: ['maybe'], answerKind: 'label' },
  },
  'CuratedTREC, patterns: shown by the dry run': {
    record: { question, answer: ['Ada( B\\.)?'] },
    means: { answers: ['Ada( B\\.)?'] },
  },
  LangSmith: {
    record: { inputs: { question }, outputs: { answer: 'Ada' }, metadata: {}, id: 'r1' },
    flags: { fields: 'question=inputs.question,answers=outputs.answer,id=id' },
    means: { id: 'r1', ...ada },
  },
  'lm-eval, its samples': {
    record: {
      ...{ doc_id: 0, doc: { question, answer: ['Ada'] }, target: 'Ada', filtered_resps: ['Bo'] },
      arguments: [['Q: ...', {}]],
    },
    flags: { fields: 'question=doc.question,answers=target,id=doc_id' },
    means: { id: '0', ...ada },
  },
  'OpenAI evals': {
    record: { input: messages, ideal: 'Ada' },
    flags: { fields: 'question=input[-1].content,answers=ideal' },
    means: ada,
  },
  'inspect, a text': {
    record: { input: question, target: 'Ada', id: 4, metadata: { x: 1 } },
    flags: { fields: 'question=input,answers=target,id=id' },
    means: { id: '4', ...ada },
  },
  'a chat to train on': {
    record: { messages: [...messages, { role: 'assistant', content: 'Bo' }] },
  },
  Alpaca: { record: { instruction: question, input: '', output: 'Bo' } },
  Dolly: { record: { instruction: question, context: '', response: 'Bo', category: 'open_qa' } },
  'a preference': { record: { prompt: question, chosen: 'Ada', rejected: 'Bo' } },
  'a passage of a corpus': { record: { id: 'p', title: 'Bridge', text: 'Ada built it.' } },
  'a query of BEIR without its folder': { record: { _id: '1', text: question, metadata: {} } },
  'a run of this project': {
    record: { id: 'q', question, answer: 'Bo', outcome: 'answered', calls: [] },
  },
  'RAGAS without what is right': {
    record: { user_input: question, response: 'Bo', retrieved_contexts: ['Ada did.'] },
  },
  'a choice by its letter, with choices of another name': {
    record: { question, answer: 'B', alternatives: ['Bo', 'Ada'] },
  },
  'MMLU, a place that is none': {
    record: { question, subject: 'x', choices: ['Bo', 'Ada'], answer: 2 },
  },
  'a wrong answer on purpose': { record: { question, answer: 'Bo', incorrect_answers: ['Bo'] } },
  'a grade of an answer': { record: { question, answer: 'Bo', score: 0.2 } },
  DROP: {
    record: {
      section_id: 's',
      passage: 'Ada.',
      question,
      answers_spans: { spans: ['Ada'], types: ['span'] },
    },
    flags: { fields: 'question=question,answers=answers_spans.spans[],passages=passage' },
    means: { ...ada, passages: [{ text: 'Ada.' }] },
  },
  NarrativeQA: {
    record: { document: { id: 'd' }, question: { text: question }, answers: [{ text: 'Ada' }] },
    flags: { fields: 'question=question.text,answers=answers[].text' },
    means: ada,
  },
  SimpleQA: {
    record: { metadata: "{'topic': 'x'}", problem: question, answer: 'Ada' },
    flags: { fields: 'question=problem,answers=answer' },
    means: ada,
  },
  FRAMES: {
    record: { Prompt: question, Answer: 'Ada', reasoning_types: 'x' },
    flags: { fields: 'question=Prompt,answers=Answer' },
    means: ada,
  },
  'MS MARCO': {
    record: {
      ...{ query_id: 9, query: question, answers: ['Ada'], query_type: 'PERSON' },
      passages: { passage_text: ['Ada did.'], is_selected: [1], url: ['u'] },
    },
    flags: {
      fields: 'id=query_id,question=query,answers=answers[],passages=passages.passage_text[]',
    },
    means: { id: '9', ...ada, passages: [{ text: 'Ada did.' }] },
  },
  Tevatron: {
    record: {
      query_id: '9',
      query: question,
      positive_passages: [{ docid: 'd', title: 'B', text: 'Ada.' }],
    },
  },
  'answers by two names': { record: { question, answers: ['Ada'], golden_answers: ['Bo'] } },
  'a claim with a number as its class': { record: { id: 1, claim: 'It holds.', label: 1 } },
  'a claim of HoVer': {
    record: {
      uid: 'h',
      claim: 'It holds.',
      label: 'NOT_SUPPORTED',
      supporting_facts: [],
      num_hops: 2,
    },
    flags: { fields: 'id=uid,question=claim,answers=label', kind: 'label' },
    means: { id: 'h', answers: ['NOT_SUPPORTED'], answerKind: 'label' },
  },
  'our own': { record: { id: 'q', ...ada }, means: ada },
  'an answer alone': { record: { question, answer: 'Ada' }, means: ada },
  'NQ-open': { record: { question, answer: ['Ada'] }, means: ada },
};

type Outcome = 'read' | 'refused' | 'wrong';

/** Without a flag, and with the flags that there are. */
function outcomes({ record, means, flags }: Seen): Outcome[] {
  const plainly = attempt(record, flags ? undefined : means);
  if (!flags) return [plainly];
  const { fields, ...others } = flags;
  return [
    plainly,
    attempt(record, means, { ...others, ...(fields && { fields: parseFields(fields) }) }),
  ];
}

function attempt(
  record: object,
  means: object | undefined,
  flags: Parameters<typeof datasetReader>[0] = {},
): Outcome {
  let questions: object[];
  try {
    questions = datasetReader(flags)(record).questions;
  } catch {
    return 'refused';
  }
  if (means === undefined) return 'wrong';
  expect(questions).toMatchObject([means]);
  return 'read';
}

test.each(Object.entries(SEEN))('%s', (_, seen) => {
  const expected: Outcome[] = seen.flags ? ['refused', 'read'] : [seen.means ? 'read' : 'refused'];
  expect(outcomes(seen)).toEqual(expected);
});
