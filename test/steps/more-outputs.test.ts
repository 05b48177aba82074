/** Further outputs of our own writing, in shapes that small models were not yet seen to write. */
import { expect, it } from 'vitest';
import { UNKNOWN } from '../../core/unknown.js';
import { choice, verdict } from '../../steps/outputs/choice.js';
import { reasoned } from '../../steps/outputs/labelled.js';
import { list } from '../../steps/outputs/list.js';
import { notes } from '../../steps/outputs/notes.js';
import { numberIn } from '../../steps/outputs/number.js';
import { numbersOf } from '../../steps/outputs/numbers.js';
import type { Output } from '../../steps/outputs/output.js';
import { shortAnswer } from '../../steps/outputs/short-answer.js';

/** Unreadable. */
const no = undefined;

const pair = choice([
  { value: 1, said: ['Passage 1', '1'] },
  { value: 2, said: ['Passage 2', '2'] },
]);
const order = numbersOf({ most: 5, form: 'numbers', label: 'passages|order|answer' });
const letters = list({ most: 3, form: 'a list', label: 'answers?', lone: false });

const OUTPUTS: [name: string, type: Output<unknown>, outputs: [string, unknown][]][] = [
  [
    'a verdict',
    verdict(),
    [
      ['> True', true],
      ['FALSE!', false],
      ['# Verdict\nTrue', true],
      ['\\text{False}', false],
      ['True (see passage 2)', true],
      ['Hardly true', no],
      ['True-ish', no],
      ['0', no],
      ['Answer: True or False', no],
      ['The answer is not True', no],
    ],
  ],
  [
    'one of two passages',
    pair,
    [
      ['«Passage 2»', 2],
      ['Answer: **2**', 2],
      ['Passage 1 & Passage 2', no],
      ['Passage 1/2', no],
      ['Passage two', no],
      ['Answer: neither Passage 1', no],
    ],
  ],
  [
    'a number from 0 to 10',
    numberIn({ to: 10 }),
    [
      ['Score = 4', 4],
      ['10/10', 10],
      ['Score: 7 or 8', no],
      ['1,5', no],
      ['8 out of 9', no],
      ['+3 points', no],
    ],
  ],
  [
    'numbers of passages',
    order,
    [
      ['[1], [2]', [1, 2]],
      ['1 > 2 > 2 > 1', [1, 2, 2, 1]],
      ['2024-05-01', no],
      ['1st, 2nd', no],
      ['Passages 1-3', no],
      ['1...3', no],
      ['3:1', no],
    ],
  ],
  [
    'a list',
    letters,
    [
      ['(a) A.C. Milan, (b) Inter', ['A.C. Milan', 'Inter']],
      ['(A) Paris; (B) Lyon', ['Paris', 'Lyon']],
      ['a: Paris, b: Lyon', ['Paris', 'Lyon']],
      ['a) Paris; b) Lyon', ['Paris', 'Lyon']],
      ['a) Washington, D. C.', ['Washington, D. C']],
      ['Either Paris or Lyon', no],
    ],
  ],
  [
    'a short answer',
    shortAnswer(),
    [
      ['The answer is: "Mr. Smith Goes to Washington".', 'Mr. Smith Goes to Washington'],
      ['Answer: No. 10 Downing Street', 'No. 10 Downing Street'],
      ['Answer: $1.5 million', '$1.5 million'],
      ['Answer: not Bell but Gray', 'not Bell but Gray'],
      ['Answer: unknown', UNKNOWN],
      ['Bell is known, Gray is unknown', 'Bell is known, Gray is unknown'],
    ],
  ],
  [
    'reasoning with an answer',
    reasoned('an answer'),
    [
      ['He did.\n### Answer: Bell', { reasoning: 'He did.', answer: 'Bell' }],
      ['Some say Gray; others, Bell.', no],
    ],
  ],
  [
    'notes with an answer',
    notes(1),
    [
      ['Note 1: Irrelevant.', no],
      [
        'Note 1: Relevant: Ann.\nAnswer: Ann',
        { notes: [{ type: 'relevant', text: 'Ann.' }], extra: 0, answer: 'Ann' },
      ],
    ],
  ],
];

it.each(OUTPUTS)('%s is read as it says, or refused', (_, type, outputs) => {
  const read = outputs.map(([text]) => [text, type.read({ text, cut: false })]);
  expect(read).toEqual(outputs);
});

it('holds so many that are to be read and refused', () => {
  const all = OUTPUTS.flatMap(([, , outputs]) => outputs);
  const refused = all.filter(([, value]) => value === no).length;
  expect({ read: all.length - refused, refused }).toEqual({ read: 24, refused: 21 });
});
