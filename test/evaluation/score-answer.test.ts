/** Which metrics apply to which question. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ANSWER_KINDS } from '../../core/dataset-record.js';
import { scorePassages } from '../../evaluation/score-passages.js';
import { builtInScores } from '../support/built-in-scores.js';

test.each([
  ['span', { answers: ['Nile'] }, 'The Nile', { em: 1, f1: 1, hasAnswer: 1 }],
  ['span', { answers: ['Nile'] }, 'It is the Nile [2].', { em: 0, f1: 0.5, hasAnswer: 1 }],
  // Citations are no words of an answer, and none of its numbers.
  ['span', { answers: ['the Nile'] }, 'Nile [2].', { em: 1, f1: 1, hasAnswer: 1 }],
  ['span', { answers: ['2'] }, 'It has three [2].', { em: 0, f1: 0, hasAnswer: 0 }],
  ['span', { answers: ['[0, 1]'] }, '[0, 1]', { em: 1, f1: 1, hasAnswer: 1 }],
  ['boolean', { answers: ['yes'] }, 'Yes [1][3].', { accuracy: 1, em: 1, f1: 1, hasAnswer: 1 }],
  ['label', { answers: ['supports', 'yes', 'true'] }, 'True [1].', { accuracy: 1 }],
  ['boolean', { answers: ['yes'] }, 'Yes, it does', { accuracy: 1, em: 0, f1: 0, hasAnswer: 1 }],
  ['boolean', { answers: ['no'] }, 'no', { accuracy: 1, em: 1, f1: 1, hasAnswer: 1 }],
  ['boolean', { answers: ['no'] }, 'no one', { accuracy: 0, em: 0, f1: 0, hasAnswer: 0 }],
  ['boolean', { answers: ['yes', 'no'] }, 'no', { accuracy: 1, em: 1, f1: 1, hasAnswer: 1 }],
  // A claim is verified in other words: what compares words does not apply.
  ['boolean', { answers: ['true'] }, 'supports', { accuracy: 1 }],
  ['boolean', { answers: ['False'] }, 'The claim is refuted.', { accuracy: 1 }],
  ['boolean', { answers: ['false'] }, 'true', { accuracy: 0 }],
  ['label', { answers: ['refutes', 'no', 'false'] }, 'False', { accuracy: 1 }],
  ['label', { answers: ['NOT ENOUGH INFO'] }, 'Not enough information.', { accuracy: 1 }],
  ['label', { answers: ['NOT ENOUGH INFO'] }, 'supports', { accuracy: 0 }],
  [
    'list',
    { answers: ['Nile', 'Congo'] },
    'Nile, Rhine',
    { listPrecision: 0.5, listRecall: 0.5, listF1: 0.5, listRecall5: 0.5, listF1At5: 0.5 },
  ],
  [
    'long',
    { answers: ['Nile'], answerGroups: [['Nile'], ['Congo']], longAnswers: ['the Nile'] },
    'the Nile [1]',
    { strEm: 0.5, strHit: 0, rougeLsum: 1, rougeL: 1, rougeLKilt: 1 },
  ],
  ['long', { answers: ['it flows'] }, 'it flows [1].', { f1: 1, rougeLKilt: 1 }],
  ['long', { answers: [] }, 'it flows', {}],
] as const)('%s', (answerKind, reference, prediction, scores) => {
  const { answers } = reference;
  const groups =
    'answerGroups' in reference ? reference.answerGroups.map((g) => [...g]) : undefined;
  const longAnswers = 'longAnswers' in reference ? [...reference.longAnswers] : undefined;
  const question = { answerKind, answers: [...answers], answerGroups: groups, longAnswers };
  expect(builtInScores(question, { answer: prediction })).toEqual(scores);
  // What applies does not depend on the prediction.
  expect(Object.keys(builtInScores(question, { answer: '' }))).toEqual(
    Object.keys(builtInScores(question, 'failed')),
  );
});

test('passages are scored where containment says something', () => {
  const texts = ['Rhine', 'the Nile', 'the Zaire'];
  const question = {
    answerKind: 'list' as const,
    answers: ['Nile', 'Congo', 'Zaire'],
    answerGroups: [['Nile'], ['Congo', 'Zaire']],
  };
  expect(scorePassages(question, texts, [1, 2])).toEqual({
    hits: [false, true, true],
    recall: { 1: 0, 2: 1 },
    coverage: { found: 2, answers: 2 },
  });
  const found = scorePassages(question, [...texts, 'the Nile'], [5]);
  expect(found).toMatchObject({ recall: { 5: 1 }, coverage: { found: 2, answers: 2 } });
  const few = scorePassages(question, texts.slice(0, 2));
  expect(few).toMatchObject({ coverage: { found: 1, answers: 2 } });
  expect(scorePassages({ answerKind: 'boolean', answers: ['yes'] }, texts)).toBeUndefined();
  expect(scorePassages({ answerKind: 'long', answers: [] }, texts)).toBeUndefined();
  expect(scorePassages({ answerKind: 'span', answers: ['None'] }, ['none at all'])).toBeUndefined();
});

test.each([
  ['label', ['NOT ENOUGH INFO'], 'unknown', { accuracy: 1 }],
  ['label', ['not enough information'], 'unknown', { accuracy: 1 }],
  ['label', ['NEI'], 'unknown', { accuracy: 1 }],
  ['label', ['NOT ENOUGH INFO'], 'unreadable', { accuracy: 0 }],
  ['label', ['NOT ENOUGH INFO'], 'failed', { accuracy: 0 }],
  ['label', ['SUPPORTS'], 'unknown', { accuracy: 0 }],
  ['boolean', ['yes'], 'unknown', { accuracy: 0, em: 0, f1: 0, hasAnswer: 0 }],
  ['boolean', ['true'], 'unknown', { accuracy: 0 }],
  ['span', ['Nile'], 'unknown', { em: 0, f1: 0, hasAnswer: 0 }],
  // That there is no answer is what is asked for.
  ['span', ['None'], 'unknown', { em: 1, f1: 1, hasAnswer: 1 }],
  ['span', ['unanswerable'], 'unknown', { em: 1, f1: 1, hasAnswer: 1 }],
  ['span', ['CANNOTANSWER'], 'unknown', { em: 1, f1: 1, hasAnswer: 1 }],
  ['span', ['No Answer Present.'], 'unknown', { em: 1, f1: 1, hasAnswer: 1 }],
  ['span', ['no', 'unknown'], 'unknown', { em: 1, f1: 1, hasAnswer: 1 }],
  ['span', ['unanswerable'], 'unreadable', { em: 0, f1: 0, hasAnswer: 0 }],
  ['span', ['unanswerable'], 'failed', { em: 0, f1: 0, hasAnswer: 0 }],
  ['long', ['It is not known who did it.'], 'unknown', { f1: 0, rougeLKilt: 0 }],
  ['label', ['not_supported'], 'unknown', { accuracy: 1 }],
] as const)('%s %j that ended as %s', (answerKind, answers, outcome, scores) => {
  expect(builtInScores({ answerKind, answers: [...answers] }, outcome)).toEqual(scores);
});

test.each([
  ['unknown', 1],
  ['unreadable', 0],
  ['failed', 0],
  [{ answer: 'Not mentioned.' }, 1],
  [{ answer: '' }, 0],
  [{ answer: 'Nile' }, 0],
] as const)('a question without an answer, %j, scores %d', (ended, score) => {
  const question = { answerKind: 'span', answers: [], answerable: false } as const;
  const reference = { ...question, answers: [] };
  expect(builtInScores(reference, ended)).toEqual({ em: score, f1: score, hasAnswer: score });
});

test('where EM applies has-answer does, and is never less', () => {
  const text = fc.constantFrom('yes', 'no', 'No.', 'the', 'Nile', 'unknown', 'None', 'no Nile [1]');
  const outcome = fc.constantFrom('answered', 'unknown', 'unreadable', 'failed');
  fc.assert(
    fc.property(
      fc.constantFrom(...ANSWER_KINDS),
      fc.array(text, { maxLength: 2 }),
      fc.option(fc.constant(false as const), { nil: undefined }),
      text,
      outcome,
      (answerKind, answers, answerable, answer, ended) => {
        const reference = { answerKind, answers, answerable };
        const scores = builtInScores(reference, ended === 'answered' ? { answer } : ended);
        expect(scores.hasAnswer ?? -1).toBeGreaterThanOrEqual(scores.em ?? -1);
        expect(Object.values(scores).every((score) => score >= 0 && score <= 1)).toBe(true);
      },
    ),
  );
});
