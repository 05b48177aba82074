/** Lines in further published shapes, in words of our own, and what each is read as. */
import { describe, expect, test } from 'vitest';
import { readLine, readRecord } from '../../../evaluation/dataset/read-record.js';

const q = { id: 'q', question: 'Who built the bridge?' };
const gold = (text: string, title = '') => ({ title, text, isGold: true });
const LONG = 'Ada built the bridge over the river in five years.';
const t = (text: string, title = '') => ({ title, text });

describe('reads', () => {
  test.each<[string, object, object]>([
    [
      'AmbigQA: one answer by its names, of two annotators',
      {
        ...q,
        annotations: [
          { type: 'singleAnswer', answer: ['Ada'] },
          { type: 'singleAnswer', answer: ['Ada', 'A. B.'] },
        ],
      },
      { answers: ['Ada', 'A. B.'], answerKind: 'span' },
    ],
    [
      'AmbigQA: what the annotators say put together',
      {
        ...q,
        ...{ nq_answer: ['1801'], viewed_doc_titles: ['B'] },
        annotations: [
          {
            type: 'multipleQAs',
            qaPairs: [
              { question: 'When was the old one built?', answer: ['1801'] },
              { question: 'When was the new one built?', answer: ['1902', 'in 1902'] },
            ],
          },
          { type: 'singleAnswer', answer: ['in 1902', 'the year 1902'] },
        ],
      },
      {
        answerKind: 'list',
        answerGroups: [['1801'], ['1902', 'in 1902', 'the year 1902']],
      },
    ],
    [
      'AmbigQA as Parquet has it',
      {
        ...q,
        annotations: {
          type: ['multipleQAs'],
          answer: [[]],
          qaPairs: [{ question: ['a?', 'b?'], answer: [['1801'], ['1902']] }],
        },
      },
      { answerKind: 'list', answerGroups: [['1801'], ['1902']] },
    ],
    [
      'SciFact: the class in the evidence',
      { id: 2, claim: 'It holds.', evidence: { 13: [{ sentences: [4], label: 'CONTRADICT' }] } },
      { answers: ['refutes', 'no', 'false'], answerKind: 'label', label: 'CONTRADICT' },
    ],
    [
      'SciFact: no evidence',
      { id: 2, claim: 'It holds.', evidence: {}, cited_doc_ids: [13] },
      { answers: ['not enough info'], answerKind: 'label' },
    ],
    [
      'SciFact as a table',
      { id: 2, claim: 'It holds.', evidence_label: 'SUPPORT', evidence_sentences: [4] },
      { answers: ['supports', 'yes', 'true'], answerKind: 'label' },
    ],
    [
      'PubMedQA',
      {
        ...{ pubid: 21, question: 'Does it hold?', final_decision: 'no' },
        ...{ context: { contexts: ['It sank.', 'Twice.'], labels: ['R', 'R'], meshes: ['x'] } },
        long_answer: 'It did not hold.',
      },
      {
        ...{ id: '21', answers: ['no'], answerKind: 'boolean' },
        ...{ longAnswers: ['It did not hold.'], passages: [t('It sank.'), t('Twice.')] },
      },
    ],
    [
      'BioASQ',
      {
        ...{ id: 'b', body: 'Which stone?', type: 'factoid', documents: ['http://x.org/1'] },
        ...{ exact_answer: [['granite', 'granite stone']], ideal_answer: ['It is of granite.'] },
        snippets: [{ text: 'Granite was used.', document: 'http://x.org/1' }],
      },
      {
        ...{ question: 'Which stone?', answers: ['granite', 'granite stone'] },
        ...{ answerKind: 'span', passages: [t('Granite was used.')] },
      },
    ],
    [
      'BioASQ, a list and a summary',
      { ...q, exact_answer: [['a'], ['b', 'b2']], ideal_answer: 'a and b.' },
      { answerKind: 'list', answerGroups: [['a'], ['b', 'b2']] },
    ],
    [
      'short answers beside reference texts are what is asked for',
      { ...q, short_answers: ['Ada'], long_answers: ['Ada built it.'] },
      { answers: ['Ada'], answerKind: 'span', longAnswers: ['Ada built it.'] },
    ],
    [
      'an answer beside a reference text',
      { ...q, answer: 'Ada', long_answer: 'Ada built it.' },
      { answers: ['Ada'], answerKind: 'span', longAnswers: ['Ada built it.'] },
    ],
    [
      'CRAG',
      {
        ...{ interaction_id: 'i', query: 'Who?', answer: 'Ada', alt_ans: ['A. B.'] },
        search_results: [
          { page_name: 'Bridge', page_snippet: 'Ada did.', page_result: '<p>Ada did.</p>' },
          { page_name: 'Empty', page_snippet: '' },
        ],
      },
      { id: 'i', answers: ['Ada', 'A. B.'], passages: [t('Ada did.', 'Bridge')] },
    ],
    [
      'MultiHop-RAG',
      {
        ...{ query: 'Who?', answer: 'Ada', question_type: 'x' },
        evidence_list: [{ title: 'B', url: 'u', fact: 'Ada did.' }],
      },
      { answers: ['Ada'], passages: [gold('Ada did.', 'B')] },
    ],
    [
      'RGB: one answer by its names, passages of three kinds',
      {
        ...{ id: 0, query: 'When?', answer: [['May 1', '1 May']], fakeanswer: 'June' },
        ...{ positive: ['On May 1.'], positive_wrong: ['In June.'], negative: ['Boats.'] },
      },
      {
        ...{ answers: ['May 1', '1 May'], answerKind: 'span' },
        passages: [gold('On May 1.'), t('In June.'), t('Boats.')],
      },
    ],
    [
      'RGB: parts of an answer',
      {
        ...{ id: 0, query: 'When and who?', answer: [['1801'], ['Ada']] },
        ...{ answer1: ['1801'], answer2: ['Ada'], positive: [['In 1801.'], ['Ada.', 'Her.']] },
        negative: ['Boats.'],
      },
      {
        ...{ answerKind: 'list', answerGroups: [['1801'], ['Ada']] },
        passages: [gold('In 1801.'), gold('Ada.'), gold('Her.'), t('Boats.')],
      },
    ],
    [
      'answers in fields with numbers',
      { ...q, answer_0: 'Ada', answer_1: 'A. B.', answer_2: '' },
      { answers: ['Ada', 'A. B.'] },
    ],
    [
      'QuAC: no answer',
      { ...q, context: 'Boats.', answers: [{ text: 'CANNOTANSWER', answer_start: 7 }] },
      { answers: [], answerable: false, passages: [t('Boats.')] },
    ],
    [
      'MS MARCO: no answer',
      { ...q, answers: ['No Answer Present.'], passages: [{ passage_text: 'Boats.' }] },
      { answers: [], answerable: false, passages: [t('Boats.')] },
    ],
    [
      'TriviaQA with the pages it was found in',
      {
        ...{ question_id: 't', question: 'Who?', answer: { value: 'Ada', aliases: [] } },
        entity_pages: { title: ['Bridge'], filename: ['b.txt'], wiki_context: ['Ada did.'] },
        search_results: { title: [], filename: [], description: [], search_context: [] },
      },
      { id: 't', answers: ['Ada'], passages: [t('Ada did.', 'Bridge')] },
    ],
    [
      'DeepEval',
      {
        ...{ input: 'Who?', actual_output: 'Bo', expected_output: 'Ada', context: ['Ada did.'] },
        retrieval_context: ['Boats.', 'Ada did.'],
      },
      {
        answers: ['Ada'],
        passages: [{ title: '', text: 'Boats.', isGold: false }, gold('Ada did.')],
      },
    ],
    [
      'LlamaIndex',
      {
        ...{ query: 'Who?', query_by: { type: 'ai' }, reference_contexts: ['Ada did.'] },
        ...{ reference_answer: 'Ada', reference_answer_by: { type: 'ai' } },
      },
      { answers: ['Ada'], passages: [gold('Ada did.')] },
    ],
    [
      'what is needed beside what was retrieved',
      {
        ...{ item_id: 7, question: 'Who?', golden_answer: 'Ada', gold_context: 'Ada did.' },
        ...{ hallucinated_answer: 'Bo', contexts: ['Boats.', 'Ada did.'] },
      },
      {
        ...{ id: '7', answers: ['Ada'] },
        passages: [{ title: '', text: 'Boats.', isGold: false }, gold('Ada did.')],
      },
    ],
    [
      'HAGRID',
      {
        ...{ query_id: 1, query: 'Who?', quotes: [{ idx: 1, text: 'Ada did.' }] },
        answers: [{ answer: 'Ada.', attributable: 1 }],
      },
      { id: '1', answers: ['Ada.'], passages: [{ id: '1', title: '', text: 'Ada did.' }] },
    ],
    [
      'OpenBookQA',
      {
        ...{ id: 'o', question_stem: 'Who?', answerKey: 'B', fact1: 'Ada did.' },
        choices: { text: ['Bo', 'Ada'], label: ['A', 'B'] },
      },
      { question: 'Who?', answers: ['Ada'], passages: [gold('Ada did.')] },
    ],
    [
      'RACE',
      { example_id: 'r', question: 'Who?', article: 'Ada.', options: ['Bo', 'Ada'], answer: 'B' },
      { id: 'r', answers: ['Ada'], passages: [t('Ada.')] },
    ],
    [
      'SciQ and WikiHop: what supports the answer',
      { ...q, correct_answer: 'Ada', distractor1: 'Bo', support: 'Ada did.' },
      { answers: ['Ada'], passages: [t('Ada did.')] },
    ],
    [
      'NarrativeQA',
      { question: { text: 'Who?', tokens: ['Who'] }, answers: [{ text: 'Ada' }, { text: 'A.' }] },
      { question: 'Who?', answers: ['Ada', 'A.'] },
    ],
    ['FRAMES', { Prompt: 'Who?', Answer: 'Ada' }, { question: 'Who?', answers: ['Ada'] }],
    ['SimpleQA', { problem: 'Who?', answer: 'Ada' }, { question: 'Who?', answers: ['Ada'] }],
    [
      'other names in objects',
      { ...q, answers: [{ answer: 'Ada', aliases: ['A. B.'] }, { answer: 'The countess' }] },
      { answers: ['Ada', 'A. B.', 'The countess'] },
    ],
    [
      'other names of spans',
      { ...q, answer: { text: 'Ada', aliases: ['A. B.'] } },
      { answers: ['Ada', 'A. B.'] },
    ],
    [
      'objects with a value',
      { ...q, answers: [{ value: 'Ada', aliases: ['A. B.'] }] },
      { answers: ['Ada', 'A. B.'] },
    ],
    [
      'FEVEROUS: places in the evidence',
      {
        id: 1,
        claim: 'It is.',
        label: 'REFUTES',
        evidence: [{ content: ['B_sentence_1'], context: { B_sentence_1: ['B_title'] } }],
      },
      { answers: ['refutes', 'no', 'false'] },
    ],
    ['a number', { ...q, answer: 42 }, { answers: ['42'] }],
    ['numbers', { ...q, answers: [1801, 2.5] }, { answers: ['1801', '2.5'] }],
    [
      'the places of supporting facts as text',
      { ...q, answer: 'Ada', context: '[["B", ["Ada did."]]]', supporting_facts: '[["B", 0]]' },
      { passages: [gold('Ada did.', 'B')] },
    ],
    [
      'a best answer beside the right ones',
      { ...q, best_answer: 'It was Ada', correct_answers: ['Ada', 'A. B.'] },
      { answers: ['Ada', 'A. B.', 'It was Ada'] },
    ],
    [
      'a label that is no class',
      { ...q, answer: 'Ada', label: 'hard' },
      { answers: ['Ada'], answerKind: 'span' },
    ],
    [
      'a class that is the name of a method of objects',
      { id: 'c', claim: 'It holds.', label: 'constructor' },
      { answers: ['constructor'], answerKind: 'label' },
    ],
  ])('%s', (_, line, expected) => {
    expect(readRecord(line)).toMatchObject(expected);
    if (!('passages' in expected)) expect(readRecord(line)).not.toHaveProperty('passages');
  });
});

test('what is known to be something else is named as not used', () => {
  const line = {
    ...{ ...q, answer: 'Ada', incorrect_answers: ['Bo'], 'Incorrect Answer 1': 'Cy' },
    ...{ gold: ['d1'], result: 'Bo', gold_ids: ['d1'], question_ctx: 'x y', label: 'hard' },
    metadata: { context: { title: ['B'], sentences: [['Ada.']] }, level: 'easy' },
  };
  expect(readLine(line)).toMatchObject({
    unused: expect.arrayContaining([
      ...['incorrect_answers', 'Incorrect Answer 1', 'result', 'gold_ids', 'question_ctx'],
      ...['label', 'gold', 'metadata.context'],
    ]),
  });
});

describe('refuses what could be two things', () => {
  test.each<[object, string]>([
    [{ ...q, answer: 'Bo', contexts: ['Ada did.'] }, 'answer: beside contexts and without a'],
    [{ ...q, answer: 'Bo', retrieved_contexts: ['x y'] }, 'answer: beside retrieved_contexts'],
    [{ ...q, answer: 'Bo.', references: ['Ada did.'] }, 'references: could be right answers or'],
    [
      { ...q, answer0: 'Bo', answer1: 'Ada', label: 1 },
      'answer0: seems to hold the choices of which label',
    ],
    [
      { ...q, answers: ['Bo', 'Ada', 'Cy'], correct_answer_id: 1 },
      'answers: seems to hold the choices of which correct_answer_id names one',
    ],
    [
      { ...q, choices: ['Bo', 'Ada'], answer: 'A', correct_index: 1 },
      'answer: names another choice than the field of right answers',
    ],
    [{ id: 'q', question: 'Who? A) Bo B) Ada', answer: 'B) Ada' }, 'question: seems to hold the'],
    ...['text', 'source_text', 'texts', 'sources', 'hits', 'candidates', 'source_nodes'].map(
      (name): [object, string] => [
        {
          ...q,
          answers: ['Ada'],
          [name]: name.endsWith('text') ? LONG : [{ node: { text: LONG } }],
        },
        `${name}: looks like passages`,
      ],
    ),
    [{ ...q, answer: 0 }, 'answer: 0 could be a number, a truth value or the place'],
    [{ ...q, answer: 'Ada', Context: ['Hello.'], Turn_no: 2 }, 'Context: seems to be the conv'],
    [{ ...q, answer1: 'Ada', answers: ['Bo'] }, 'answer1: says other answers than answers'],
    [{ ...q, claim: 'x', label: 1 }, 'label: a number, and the file does not say which class'],
    [
      {
        id: 2,
        claim: 'x',
        evidence: {
          1: [{ sentences: [1], label: 'SUPPORT' }],
          2: [{ sentences: [1], label: 'CONTRADICT' }],
        },
      },
      'evidence: has several classes for one claim',
    ],
  ])('%j', (line, problem) => {
    expect(readRecord(line)).toMatchObject({ problem: expect.stringContaining(problem) });
  });
});
