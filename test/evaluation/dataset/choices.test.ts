/** Multiple choice in published shapes, in words of our own: the choice that is named is the answer. */
import { describe, expect, test } from 'vitest';
import { readRecord } from '../../../evaluation/dataset/read-record.js';

const q = { id: 'q', question: 'Who built the bridge?' };

describe('multiple choice', () => {
  const three = { choices: ['Bo', 'Ada', 'Cy'] };
  test.each<[object, string[]]>([
    [{ choice_A: 'Bo', choice_B: 'Ada', answer: 'B' }, ['Ada']],
    [{ opa: 'Bo', opb: 'Ada', opc: 'Cy', answer: 'b' }, ['Ada']],
    [{ option1: 'Bo', option2: 'Ada', answer: '2' }, ['Ada']],
    [{ option1: 'Bo', option2: 'Ada', correct: 2 }, ['Ada']],
    [{ A: 'Bo', B: 'Ada', correct_option: 'B' }, ['Ada']],
    [{ ...three, correct_index: 1 }, ['Ada']],
    [{ ...three, answer_index: 1, answer: 'B' }, ['Ada']],
    [{ ...three, label: 1 }, ['Ada']],
    [{ ...three, gold_label: '1' }, ['Ada']],
    [{ ...three, label: 'Ada' }, ['Ada']],
    [{ ...three, gold: 1 }, ['Ada']],
    [{ ...three, answer: '(B) Ada' }, ['Ada']],
    [{ ...three, answer: 'Option B' }, ['Ada']],
    [{ options: ['A) Bo', 'B) Ada'], answer: 'B' }, ['Ada']],
    [{ options: ['A. Bo', 'B. Ada'], answer: 'B. Ada' }, ['Ada']],
    [
      {
        options: [
          { key: 'A', value: 'Bo' },
          { key: 'B', value: 'Ada' },
        ],
        answer_idx: 'B',
      },
      ['Ada'],
    ],
    [
      {
        mc1_targets: { choices: ['Ada', 'Bo'], labels: [1, 0] },
        mc2_targets: { choices: ['Ada', 'A. B.', 'Bo'], labels: [1, 1, 0] },
      },
      ['Ada', 'A. B.'],
    ],
    [{ mc1_targets: { Ada: 1, Bo: 0 } }, ['Ada']],
  ])('%j', (fields, answers) => {
    expect(readRecord({ ...q, ...fields })).toMatchObject({ answers, answerKind: 'span' });
  });

  test.each<[object, string]>([
    [{ ...three, answer: 'A, C' }, 'answer: names several choices'],
    [{ choice1: 'Bo', choice2: 'Ada', label: 1 }, 'label: counts from 0, and choice1, choice2'],
    [{ option1: 'Bo', option2: 'Ada', answer: 0 }, 'answer: names none of the 2 choices'],
    [{ answerKey: 'B' }, 'answerKey: names one of several choices, and the line has no field'],
    [{ answer: 1, alternatives: ['Bo', 'Ada'] }, 'answer: 1 could be a number, a truth value'],
    [{ ...three, answerKey: 'A', gold_answer: 'Ada' }, 'answerKey: says other answers than'],
  ])('refuses %j', (fields, problem) => {
    expect(readRecord({ ...q, ...fields })).toMatchObject({
      problem: expect.stringContaining(problem),
    });
  });
});
