/** Lines as data sets have them, in words of our own, and what each is read as. */
import { describe, expect, test } from 'vitest';
import { readLine, readRecord } from '../../../evaluation/dataset/read-record.js';

const q = { id: 'q', question: 'Who built the bridge?' };
const t = (text: string, more = {}) => ({ title: '', text, ...more });

describe('reads', () => {
  test.each<[string, object, object]>([
    [
      'MuSiQue: paragraphs, aliases, gold marks',
      {
        ...q,
        paragraphs: [
          { idx: 0, title: 'Ferry', paragraph_text: 'Boats went over.', is_supporting: false },
          { idx: 1, title: 'Bridge', paragraph_text: 'Ada built it.', is_supporting: true },
        ],
        ...{ question_decomposition: [{ id: 1, question: 'What?', answer: 'x' }], answer: 'Ada' },
        ...{ answer_aliases: ['Ada B.'], answerable: true },
      },
      {
        ...{ answers: ['Ada', 'Ada B.'], answerKind: 'span' },
        passages: [
          { id: '0', title: 'Ferry', text: 'Boats went over.', isGold: false },
          { id: '1', title: 'Bridge', text: 'Ada built it.', isGold: true },
        ],
      },
    ],
    [
      'MuSiQue: not answerable',
      { ...q, paragraphs: [{ paragraph_text: 'Boats.' }], answer: 'Ada', answerable: false },
      { answers: [], answerable: false, passages: [t('Boats.')] },
    ],
    [
      'RAGAS: what is right, and what a model said',
      { question: q.question, answer: 'Bo', contexts: ['Ada did.'], ground_truth: 'Ada' },
      { answers: ['Ada'], passages: [t('Ada did.')] },
    ],
    [
      'RAGAS: ground_truths',
      { question: q.question, answer: 'Bo', contexts: ['Ada did.'], ground_truths: ['Ada', 'A.'] },
      { answers: ['Ada', 'A.'], passages: [t('Ada did.')] },
    ],
    [
      'RAGAS: its later names',
      {
        ...{ user_input: q.question, response: 'Bo', reference: 'Ada' },
        ...{ retrieved_contexts: ['Boats.', 'Ada did.'], reference_contexts: ['Ada did.'] },
      },
      {
        ...{ question: q.question, answers: ['Ada'] },
        passages: [t('Boats.', { isGold: false }), t('Ada did.', { isGold: true })],
      },
    ],
    ...['context', 'document', 'passage', 'paragraph'].map((field): [string, object, object] => [
      `${field}: one text beside answers`,
      { ...q, answers: ['Ada'], [field]: 'Ada did.' },
      { answers: ['Ada'], passages: [t('Ada did.')] },
    ]),
    ...['contexts', 'documents', 'docs', 'ctxs', 'snippets', 'retrieved_docs'].map(
      (field): [string, object, object] => [
        `${field}: texts and objects beside answers`,
        { ...q, answers: ['Ada'], [field]: ['Ada did.', { title: 'B', content: 'Boats.' }] },
        { answers: ['Ada'], passages: [t('Ada did.'), { title: 'B', text: 'Boats.' }] },
      ],
    ),
    [
      'documents with contents, as FlashRAG retrieves them',
      { ...q, golden_answers: ['Ada'], documents: [{ id: '7', contents: '"Bridge"\nAda did.' }] },
      { passages: [{ id: '7', title: 'Bridge', text: 'Ada did.' }] },
    ],
    [
      'DPR, training',
      {
        ...{ dataset: 'x', question: q.question, answers: ['Ada'] },
        positive_ctxs: [
          { title: 'B', text: 'Ada did.', score: 9, title_score: 1, passage_id: '4' },
        ],
        ...{ negative_ctxs: [], hard_negative_ctxs: [{ title: 'F', text: 'Boats.', score: '3' }] },
      },
      {
        answers: ['Ada'],
        passages: [
          { id: '4', title: 'B', text: 'Ada did.', score: 9, isGold: true },
          { title: 'F', text: 'Boats.', score: 3 },
        ],
      },
    ],
    ...['qid', 'question_id', '_id', 'query_id', 'questionId', 'QuestionId'].map(
      (field): [string, object, object] => [
        `${field} is the id`,
        { [field]: 12, question: q.question, answer: 'Ada' },
        { id: '12', answers: ['Ada'] },
      ],
    ),
    [
      'a list that is written as text',
      { ...q, possible_answers: '["Ada", "A. B."]' },
      { answers: ['Ada', 'A. B.'] },
    ],
    ['the same under answer', { ...q, answer: '["Ada", "A. B."]' }, { answers: ['Ada', 'A. B.'] }],
    ['a bar in a list', { ...q, answer: ['AC|DC'] }, { answers: ['AC|DC'] }],
    ...(
      [
        [{ choices: ['Bo', 'Ada'], answer: 'B' }],
        [{ options: ['Bo', 'Ada'], answer: '(b)' }],
        [{ choices: ['Bo', 'Ada'], answer: 1 }],
        [{ choices: ['Bo', 'Ada'], answer: ['1'] }],
        [{ choices: ['Bo', 'Ada'], answer: 'Ada' }],
        [{ options: { A: 'Bo', B: 'Ada' }, answer_idx: 'B', answer: 'Ada' }],
        [{ options: { A: 'Bo', B: 'Ada' }, answer: 'B' }],
        [{ choices: { text: ['Bo', 'Ada'], label: ['1', '2'] }, answerKey: '2' }],
        [
          {
            choices: [
              { label: 'A', text: 'Bo' },
              { label: 'B', text: 'Ada' },
            ],
            answerKey: 'B',
          },
        ],
        [{ A: 'Bo', B: 'Ada', answer: 'B' }],
        [{ option_a: 'Bo', option_b: 'Ada', answer: 'b' }],
      ] as [object][]
    ).map(([fields]): [string, object, object] => [
      `multiple choice: ${JSON.stringify(fields)}`,
      { ...q, ...fields },
      { answers: ['Ada'], answerKind: 'span' },
    ]),
    [
      'CommonsenseQA',
      {
        ...{ id: 'c', answerKey: 'A' },
        question: {
          stem: 'Who swims?',
          choices: [
            { label: 'A', text: 'fish' },
            { label: 'B', text: 'cat' },
          ],
        },
      },
      { id: 'c', question: 'Who swims?', answers: ['fish'] },
    ],
    [
      'ASQA without passages, both reference answers',
      {
        ...{ sample_id: '-5', ambiguous_question: 'When was it built?' },
        qa_pairs: [
          { context: 'x', question: 'The first?', short_answers: ['1801'], wikipage: 'B' },
          { question: 'The second?', short_answers: ['1902', 'in 1902'] },
        ],
        wikipages: [{ title: 'B', url: 'u' }],
        annotations: [
          { knowledge: [{ content: 'x' }], long_answer: 'In 1801 and 1902.' },
          { knowledge: [], long_answer: 'First in 1801, then in 1902.' },
        ],
      },
      {
        ...{ id: '-5', answers: ['1801', '1902', 'in 1902'], answerKind: 'long' },
        answerGroups: [['1801'], ['1902', 'in 1902']],
        longAnswers: ['In 1801 and 1902.', 'First in 1801, then in 1902.'],
      },
    ],
    [
      'ALCE, ASQA without docs',
      {
        ...{ sample_id: 's', question: 'When?', answer: 'In 1801.' },
        qa_pairs: [{ short_answers: ['1801'] }],
        annotations: [{ long_answer: 'In 1801.' }, { long_answer: 'It was in 1801.' }],
      },
      {
        ...{ answers: ['1801'], answerKind: 'long', answerGroups: [['1801']] },
        longAnswers: ['In 1801.', 'It was in 1801.'],
      },
    ],
    [
      'ALCE, ELI5 without docs',
      { ...q, answer: 'So that carts could pass.', claims: ['Carts pass.'] },
      {
        answers: [],
        answerKind: 'long',
        claims: ['Carts pass.'],
        longAnswers: ['So that carts could pass.'],
      },
    ],
    [
      'ALCE, QAMPARI without docs',
      { ...q, answers: [['Ada', 'A. B.'], ['Bo']] },
      {
        answers: ['Ada', 'A. B.', 'Bo'],
        answerKind: 'list',
        answerGroups: [['Ada', 'A. B.'], ['Bo']],
      },
    ],
    [
      'QAMPARI',
      {
        ...{ qid: '3__x', question_text: 'Which bridges?' },
        answer_list: [
          { answer_text: 'Old', aliases: ['The Old'], proof: [] },
          { answer_text: 'New' },
        ],
      },
      {
        id: '3__x',
        question: 'Which bridges?',
        answerKind: 'list',
        answerGroups: [['Old', 'The Old'], ['New']],
      },
    ],
    [
      'HotpotQA as Parquet has it',
      {
        ...{ id: 'h', question: 'Who?', answer: 'Ada', type: 'bridge', level: 'easy' },
        supporting_facts: { title: ['B'], sent_id: [0] },
        context: { title: ['F', 'B'], sentences: [['Boats.'], ['Ada ', 'did.']] },
      },
      {
        answers: ['Ada'],
        passages: [
          { title: 'F', text: 'Boats.', isGold: false },
          { title: 'B', text: 'Ada did.', isGold: true },
        ],
      },
    ],
    [
      '2WikiMultihopQA',
      {
        ...{ _id: 'w', question: 'Who?', answer: 'Ada', evidences: [['B', 'builder', 'Ada']] },
        ...{ evidences_id: [['Q1', 'x', 'Q2']], answer_id: 'Q2', entity_ids: 'Q1' },
        ...{ context: [['B', ['Ada did.']]], supporting_facts: [['B', 0]] },
      },
      { id: 'w', answers: ['Ada'], passages: [{ title: 'B', text: 'Ada did.', isGold: true }] },
    ],
    [
      'SQuAD, flat',
      {
        ...q,
        title: 'B',
        context: 'Ada did.',
        answers: { text: ['Ada', 'Ada'], answer_start: [0, 0] },
      },
      { answers: ['Ada'], passages: [{ title: 'B', text: 'Ada did.' }] },
    ],
    [
      'SQuAD, spans as a list',
      { ...q, context: 'Ada did.', answers: [{ text: 'Ada', answer_start: 0 }] },
      { answers: ['Ada'], passages: [t('Ada did.')] },
    ],
    [
      'SQuAD 2, unanswerable',
      {
        ...q,
        context: 'Boats.',
        answers: [],
        is_impossible: true,
        plausible_answers: [{ text: 'Boats' }],
      },
      { answers: [], answerable: false, passages: [t('Boats.')] },
    ],
    [
      'SQuAD 2, unanswerable as Parquet has it',
      { ...q, title: 'F', context: 'Boats.', answers: { text: [], answer_start: [] } },
      { answers: [], answerable: false, passages: [{ title: 'F', text: 'Boats.' }] },
    ],
    [
      'KILT',
      {
        ...{ id: 'k', input: 'Who?', meta: {} },
        output: [
          { answer: 'Ada', provenance: [{ wikipedia_id: '1', title: 'B' }] },
          { answer: 'A. B.' },
          { provenance: [{ title: 'B' }] },
        ],
      },
      { id: 'k', question: 'Who?', answers: ['Ada', 'A. B.'] },
    ],
    [
      'KILT, a claim',
      { id: 'k', input: 'Ada did.', output: [{ answer: 'SUPPORTS' }] },
      { answers: ['SUPPORTS'], answerKind: 'label' },
    ],
    [
      'KILT, dialogue by its task',
      { id: 'k', input: 'Hello', task: 'WoW', output: [{ answer: 'Hello to you.' }] },
      { answers: ['Hello to you.'], answerKind: 'long' },
    ],
    [
      'TriviaQA',
      {
        ...{
          QuestionId: 't',
          Question: 'Who?',
          EntityPages: [],
          SearchResults: [{ Filename: 'x' }],
        },
        Answer: { Value: 'Ada', Aliases: ['A. B.'], NormalizedAliases: ['a b'], Type: 'x' },
      },
      { id: 't', answers: ['Ada', 'A. B.'] },
    ],
    [
      'StrategyQA',
      {
        ...{ qid: 's', term: 'Bridge', description: 'x', question: 'Could a cart pass?' },
        ...{ answer: true, facts: ['Carts are narrow.'], decomposition: ['How wide?'] },
        evidence: [[[['Bridge-1']], ['operation']]],
      },
      {
        ...{ id: 's', answers: ['yes'], answerKind: 'boolean' },
        passages: [t('Carts are narrow.', { isGold: true })],
      },
    ],
    [
      'BoolQ',
      { ...q, answer: false, passage: 'It was not.' },
      { answers: ['no'], answerKind: 'boolean', passages: [t('It was not.')] },
    ],
    [
      'FEVER',
      {
        id: 3,
        label: 'REFUTES',
        claim: 'Bo built it.',
        evidence: [[[1, 2, 'B', 0]]],
        verifiable: 'x',
      },
      {
        question: 'Bo built it.',
        answers: ['refutes', 'no', 'false'],
        answerKind: 'label',
        label: 'REFUTES',
      },
    ],
    [
      'FEVER, not enough info',
      {
        id: 3,
        label: 'NOT ENOUGH INFO',
        claim: 'Bo built it.',
        evidence: [[[null, null, null, null]]],
      },
      { answers: ['not enough info'], answerKind: 'label' },
    ],
    [
      'FoolMeTwice',
      {
        ...{ id: 'f', text: 'Ada built it.', label: 'SUPPORTS' },
        gold_evidence: [{ text: 'Ada did.', section_header: 'x' }],
        retrieved_evidence: [{ text: 'Boats.', section_header: 'x' }],
      },
      {
        question: 'Ada built it.',
        answerKind: 'label',
        passages: [t('Ada did.', { isGold: true }), t('Boats.')],
      },
    ],
    [
      'MS MARCO',
      {
        ...{ query_id: 9, query: 'Who?', answers: ['Ada'] },
        passages: { passage_text: ['Boats.', 'Ada did.'], is_selected: [0, 1], url: ['u', 'v'] },
      },
      { id: '9', passages: [t('Boats.', { isGold: false }), t('Ada did.', { isGold: true })] },
    ],
    [
      'Tevatron',
      {
        ...{ query_id: '9', query: 'Who?', answers: ['Ada'] },
        positive_passages: [{ docid: 'd', title: 'B', text: 'Ada did.' }],
        negative_passages: [{ docid: 'e', title: 'F', text: 'Boats.' }],
      },
      {
        passages: [
          { id: 'd', title: 'B', text: 'Ada did.', isGold: true },
          { id: 'e', title: 'F', text: 'Boats.' },
        ],
      },
    ],
    [
      'TruthfulQA',
      { ...q, best_answer: 'Ada', correct_answers: ['Ada', 'A. B.'], incorrect_answers: ['Bo'] },
      { answers: ['Ada', 'A. B.'] },
    ],
    [
      'a task that wants a list',
      { ...q, task: 'qampari', answers: ['Ada', 'Bo'] },
      { answerKind: 'list' },
    ],
    ['a task that is of no help', { ...q, task: 'qa', answers: ['Ada'] }, { answerKind: 'span' }],
    [
      'nulls are not there',
      { ...q, answers: ['Ada'], context: null, label: null },
      { answers: ['Ada'] },
    ],
  ])('%s', (_, line, expected) => {
    expect(readRecord(line)).toMatchObject(expected);
    if (!('passages' in expected)) expect(readRecord(line)).not.toHaveProperty('passages');
  });

  test('the cells of a table', () => {
    const read = (cells: object) => readRecord({ ...q, ...cells }, { cells: true });
    expect(read({ answers: 'Ada' })).toMatchObject({ answers: ['Ada'] });
    expect(read({ answers: '["Ada","Bo"]', contexts: '["Ada did."]' })).toMatchObject({
      ...{ answers: ['Ada', 'Bo'], passages: [t('Ada did.')] },
    });
    expect(read({ answer: 'Ada', is_impossible: 'False' })).not.toHaveProperty('answerable');
    expect(read({ answer: 'true' })).toMatchObject({ answerKind: 'boolean' });
  });
});

test('says from which fields a record was read, and which were left', () => {
  const line = {
    qid: 'q',
    query: 'Who?',
    answer: 'Bo',
    ground_truth: 'Ada',
    docs: ['x y'],
    doc_id: 3,
  };
  expect(readLine(line)).toMatchObject({
    sources: { id: ['qid'], question: ['query'], answers: ['ground_truth'], passages: ['docs'] },
    unused: ['answer'],
  });
});

describe('refuses', () => {
  test.each<[object, string]>([
    [{ ...q, answers: ['Ada'], contxts: ['x y'] }, 'contxts: looks like passages'],
    [{ ...q, answers: ['Ada'], gold_paragraph_texts: ['x y'] }, 'gold_paragraph_texts: looks like'],
    [{ ...q, answers: ['Ada'], kb_docs: [{ text: 'x' }] }, 'nearest field that is read is docs'],
    [{ ...q, answer: 'Ada', gold_spans: ['B'] }, 'gold_spans: looks like answers'],
    [{ ...q, answer: 'Ada', other_answers: ['B'] }, 'other_answers: looks like answers'],
    [{ question: 'Who?', answer: 'Ada', quid_id: 7 }, 'quid_id: looks like an id'],
    [{ question: 'Who?', answer: 'Ada', my_uuid: 'x' }, 'nearest field that is read is uuid'],
    [
      { ...q, answer: 'Ada', ctxs: ['x y'], documents: ['x z'] },
      'documents: holds passages, as ctxs',
    ],
    [{ ...q, answers: ['Ada'], golden_answers: ['Bo'] }, 'golden_answers: says other answers than'],
    [{ ...q, answer: 'Ada|A. B.' }, 'a text with "|" could be one answer or several: write a list'],
    [{ ...q, answer: "['Ada' 'Bo']" }, 'answer: looks like a list and is neither JSON nor'],
    [{ ...q, contexts: '[Ada did.]', answers: ['Ada'] }, 'contexts: looks like a list'],
    [
      { ...q, answer: 'C', choices: ['Bo', 'Ada'] },
      'answer: names none of the 2 choices in choices',
    ],
    [
      { ...q, answer: 'A', choices: ['B', 'C', 'A'] },
      'text of one choice and the label of another',
    ],
    [{ ...q, answer: 'B', alternatives: ['Bo', 'Ada'] }, 'alternatives: seems to hold the choices'],
    [{ question: 'Who? (A) Bo (B) Ada', answer: 'B' }, 'question: seems to hold the choices'],
    [{ ...q, options: 'Bo or Ada', answer: 'B' }, 'options: a list of choices is needed'],
    [{ ...q, response: 'Ada', contexts: ['Ada did.'] }, 'answers: there is none'],
    [{ ...q, answer: 'Ada', documents: [{ title: 'x' }] }, 'documents.0.text: '],
    [{ ...q, answer: 'Ada', documents: [7] }, 'documents.0: no text'],
    [
      { ...q, answer: 'Ada', annotations: [{ yes_no_answer: 'NO' }] },
      'annotations: names the places of answers in a page',
    ],
    [{ ...q, answer: 'Ada', annotations: [{ note: 'x' }] }, 'annotations.0.long_answer'],
    [{ ...q, claim: 'x', label: 1 }, 'label: '],
    [{ title: 'B', text: 'Ada did.' }, 'question: there is none among the fields title, text'],
  ])('%j', (line, problem) => {
    expect(readRecord(line)).toMatchObject({ problem: expect.stringContaining(problem) });
  });
});
