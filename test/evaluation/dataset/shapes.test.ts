/** One line of each shape, and what it is read as. */
import { describe, expect, test } from 'vitest';
import { readRecord } from '../../../evaluation/dataset/read-record.js';

test.each<[string, object, object]>([
  [
    'our own',
    {
      ...{ id: 7, question: ' Who? ', answers: ['Bell', ''], licence: 'x' },
      passages: [{ id: 'p', title: 'T', text: 'Bell.', hasAnswer: true, score: 2 }],
    },
    {
      ...{ id: '7', question: 'Who?', answers: ['Bell'], answerKind: 'span' },
      passages: [{ id: 'p', title: 'T', text: 'Bell.', hasAnswer: true, score: 2 }],
    },
  ],
  [
    'a claim',
    { id: 'c', question: 'It is.', answers: ['supports', 'yes'], label: 'SUPPORTS' },
    {
      id: 'c',
      question: 'It is.',
      answers: ['supports', 'yes'],
      answerKind: 'label',
      label: 'SUPPORTS',
    },
  ],
  [
    'claims in place of answers',
    { id: 'e', question: 'Why?', answers: [], claims: ['So.'] },
    { id: 'e', question: 'Why?', answers: [], answerKind: 'long', claims: ['So.'] },
  ],
  [
    'FlashRAG',
    { id: 'test_0', question: 'Is it?', golden_answers: ['no'], metadata: {} },
    { id: 'test_0', question: 'Is it?', answers: ['no'], answerKind: 'boolean' },
  ],
  [
    'FlashRAG, multiple choice',
    { id: 'test_1', question: 'Which?', golden_answers: [1], choices: ['Nile', 'Congo'] },
    { id: 'test_1', question: 'Which?', answers: ['Congo'], answerKind: 'span' },
  ],
  [
    'FlashRAG, with our own passages',
    {
      ...{ id: 't', question: 'who', golden_answers: 'SUPPORTS', label: 'SUPPORTS' },
      ...{ passages: [{ title: 'T', text: 'Bell.', isGold: true }], ctxs: [{ text: 'Other.' }] },
    },
    {
      ...{ id: 't', question: 'who', answers: ['SUPPORTS'], answerKind: 'label' },
      ...{ label: 'SUPPORTS', passages: [{ title: 'T', text: 'Bell.', isGold: true }] },
    },
  ],
  ...['ctxs', 'docs'].map((field): [string, object, object] => [
    `FlashRAG, with ${field}`,
    {
      ...{ id: 't', question: 'why', golden_answers: [], claims: ['So.'] },
      [field]: [{ id: 1, text: 'Bell.', score: '2', has_answer: false }],
    },
    {
      ...{ id: 't', question: 'why', answers: [], answerKind: 'long', claims: ['So.'] },
      passages: [{ id: '1', title: '', text: 'Bell.', score: 2, hasAnswer: false }],
    },
  ]),
  [
    'DPR',
    {
      ...{ question: 'who', answers: ['Bell'] },
      ctxs: [{ id: 'wiki:1', title: 'T', text: 'Bell', score: '79.1', has_answer: true }],
    },
    {
      ...{ id: 'q-ee80ab493a3a88f6', question: 'who', answers: ['Bell'], answerKind: 'span' },
      passages: [{ id: 'wiki:1', title: 'T', text: 'Bell', score: 79.1, hasAnswer: true }],
    },
  ],
  [
    'FiD',
    {
      ...{ id: 1, question: 'who', target: 'Bell', answers: ['Bell'] },
      ctxs: [{ title: null, text: 'Bell', score: 1, hasanswer: false }],
    },
    {
      ...{ id: '1', question: 'who', answers: ['Bell'], answerKind: 'span' },
      passages: [{ title: '', text: 'Bell', score: 1, hasAnswer: false }],
    },
  ],
  [
    'ALCE, ASQA',
    {
      ...{ sample_id: 's', question: 'who', answer: 'Bell and Gray.', docs: [] },
      qa_pairs: [{ short_answers: ['Bell'] }, { short_answers: ['Gray', 'Bell'] }],
    },
    {
      ...{ id: 's', question: 'who', answers: ['Bell', 'Gray'], answerKind: 'long', passages: [] },
      ...{ answerGroups: [['Bell'], ['Gray', 'Bell']], longAnswers: ['Bell and Gray.'] },
    },
  ],
  [
    'ALCE, QAMPARI',
    { id: 'q', question: 'who', answers: [['Bell', 'A. Bell'], ['']], docs: [] },
    {
      ...{ id: 'q', question: 'who', answers: ['Bell', 'A. Bell'], answerKind: 'list' },
      ...{ answerGroups: [['Bell', 'A. Bell'], []], passages: [] },
    },
  ],
  [
    'ALCE, ELI5',
    { id: 'e', question: 'why', answer: 'So.', claims: ['So.'], docs: [{ title: 'T', text: 'x' }] },
    {
      ...{ id: 'e', question: 'why', answers: [], answerKind: 'long', longAnswers: ['So.'] },
      ...{ claims: ['So.'], passages: [{ title: 'T', text: 'x' }] },
    },
  ],
  [
    'NQ-open',
    { question: 'who', answer: ['Bell'] },
    { id: 'q-ee80ab493a3a88f6', question: 'who', answers: ['Bell'], answerKind: 'span' },
  ],
  [
    'NQ-open, with our own passages',
    { id: 'n', question: 'who', answer: 'Bell', passages: [{ text: 'Bell.' }] },
    {
      ...{ id: 'n', question: 'who', answers: ['Bell'], answerKind: 'span' },
      passages: [{ title: '', text: 'Bell.' }],
    },
  ],
  [
    'HotpotQA',
    {
      ...{ _id: '5a', question: 'who', answer: 'Bell', supporting_facts: [['T', 0]] },
      context: [
        ['T', ['One.', ' Two.']],
        ['U', ['Three.']],
        ['Empty', []],
      ],
    },
    {
      ...{ id: '5a', question: 'who', answers: ['Bell'], answerKind: 'span' },
      passages: [
        { title: 'T', text: 'One. Two.', isGold: true },
        { title: 'U', text: 'Three.', isGold: false },
      ],
    },
  ],
])('%s', (_, line, record) => expect(readRecord(line)).toEqual(record));

describe('refuses', () => {
  test.each<[unknown, string]>([
    [[], 'the line: no JSON object'],
    [null, 'the line: no JSON object'],
    [{ id: 'a', answers: ['x'] }, 'question: '],
    [{ id: 'a', question: ' ', answers: ['x'] }, 'question: must be text that is not empty'],
    [
      { id: 'a', question: 'x'.repeat(20_001), answers: ['x'] },
      'question: has more than 20,000 characters',
    ],
    [{ id: '', question: 'Who?', answers: ['x'] }, 'id: '],
    [{ id: 'a', question: 'Who?', answers: 'x' }, 'answers: '],
    [{ id: 'a', question: 'Who?', answers: [''] }, 'answers: there is none'],
    [{ id: 'a', question: 'Who?', anwsers: ['x'] }, 'anwsers: looks like answers'],
    [{ question: 'Who?', answers: ['x'], passages: [{ title: 'T' }] }, 'passages.0.text: '],
    [{ question: 'Who?', answers: ['x'], answerKind: 'sort' }, 'answerKind: '],
    [
      { question: 'Who?', golden_answers: [3], choices: ['x'] },
      'golden_answers: names none of the 1 choices',
    ],
    [{ question: 'Who?', golden_answers: [{}] }, 'golden_answers.0: '],
    [{ question: 'Who?', golden_answers: 'x', passages: [{}] }, 'passages.0.text: '],
    [{ question: 'Who?', answers: ['x'], ctxs: [{ text: 'x', score: 'high' }] }, 'ctxs.0.score: '],
    [{ question: 'Who?', answer: 1 }, 'answer: '],
    [{ question: 'Who?', answer: 'x', context: [['T', 'text']] }, 'context.0.1: '],
  ])('%j', (line, problem) => {
    expect(readRecord(line)).toMatchObject({ problem: expect.stringContaining(problem) });
  });
});

test('a job that scores nothing takes questions without answers', () => {
  const record = readRecord({ id: 'a', question: 'Who?' }, { scorable: false });
  expect(record).toEqual({ id: 'a', question: 'Who?', answers: [], answerKind: 'span' });
});

test.each<[object, string]>([
  [{ question: 'It is.', answers: ['SUPPORTED'] }, 'label'],
  [{ question: 'It is.', answers: ['Refuted'] }, 'label'],
  [{ question: 'It is.', answers: ['NOT_ENOUGH_INFO'] }, 'label'],
  [{ question: 'It is.', answers: ['not enough information'] }, 'label'],
  [{ question: 'It is.', answers: ['not supported'] }, 'label'],
  [{ claim: 'It is.', answers: ['NEI'] }, 'label'],
  [{ claim: 'It is.', answers: ['unknown'] }, 'label'],
  // Not of a claim: the National Eye Institute, and the film.
  [{ question: 'Which institute?', answers: ['NEI'] }, 'span'],
  [{ question: 'Which film?', answers: ['Unknown'] }, 'span'],
  [{ question: 'Was it?', answers: ['True'] }, 'boolean'],
  [{ question: 'Who?', answers: ['Bell'], claims: [] }, 'span'],
  [{ question: 'Who?', answers: ['Bell'], claims: [''] }, 'span'],
  [{ question: 'Who?', answers: ['Bell'], claims: ['So.'] }, 'long'],
])('the kind of %j is %s', (line, kind) => {
  expect(readRecord(line)).toMatchObject({ answerKind: kind });
});

test.each([
  ['dialogue', { input: 'Do you like tea?', output: [{ answer: 'Yes, green tea.' }] }, 'long'],
  ['dialogue', { input: 'Do you?', output: [{ answer: 'Yes' }] }, 'long'],
  ['factChecking', { question: 'It is.', answers: ['yes'] }, 'label'],
  ['openQA', { question: 'Is it?', answers: ['yes'] }, 'boolean'],
  ['dialogue', { question: 'Who?', answers: ['Bell'], task: 'fever' }, 'label'],
  ['dialogue', { question: 'Who?', answers: ['Bell'], answerKind: 'span' }, 'span'],
])('in a run of the task %s, %j is %s', (task, line, kind) => {
  expect(readRecord(line, { task })).toMatchObject({ answerKind: kind });
});
