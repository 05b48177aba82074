/** Outputs of our own writing with what each says: the readers take it as said, or refuse it. */
import { expect, it } from 'vitest';
import { UNKNOWN } from '../../core/unknown.js';
import { choice, verdict } from '../../steps/outputs/choice.js';
import { labelledLine, reasoned } from '../../steps/outputs/labelled.js';
import { list } from '../../steps/outputs/list.js';
import { note, notes } from '../../steps/outputs/notes.js';
import { numberIn } from '../../steps/outputs/number.js';
import { numbersOf } from '../../steps/outputs/numbers.js';
import type { Output } from '../../steps/outputs/output.js';
import { shortAnswer } from '../../steps/outputs/short-answer.js';
import { text } from '../../steps/outputs/text.js';

/** Unreadable. */
const no = undefined;
/** An output that was stopped at the token limit ends so. */
const CUT = '<cut>';

interface Labelled<T = unknown> {
  type: Output<T>;
  /** Each output with its value, or `no`. */
  outputs: [string, T | undefined][];
}

const labelled = <T>(type: Output<T>, outputs: Labelled<T>['outputs']): Labelled =>
  ({ type, outputs }) as Labelled;

const pair = choice([
  { value: 1, said: ['Passage 1', '1'] },
  { value: 2, said: ['Passage 2', '2'] },
]);
const cities = choice(
  ['Paris', 'St. Petersburg', 'New York'].map((words, k) => ({
    value: k,
    said: [words, `(${'abc'[k]})`, `(${'abc'[k]}) ${words}`] as const,
  })),
);
const words = (lone: boolean) =>
  list({ most: 3, form: 'a list', label: 'answers?|questions', lone });
const order = numbersOf({ most: 5, form: 'numbers', label: 'passages|order|answer' });
const next = labelledLine({ thought: 'thought', answer: 'answer' }, 'a line');

const LABELLED: Record<string, Labelled> = {
  'a verdict': labelled(verdict(), [
    ['True', true],
    ['false.', false],
    ['**True**', true],
    ['"False"', false],
    ['[YES]', true],
    ['- No', false],
    ['$\\boxed{True}$', true],
    ['Answer: True', true],
    ['**Verdict:** False.', false],
    ['The answer is: True', true],
    ['The answer is false', false],
    ['Answer:\nTrue', true],
    ['答案：True', no],
    ['Answer：True', true],
    ['True. The passage names Bell.', true],
    ['False, because Gray filed it.', false],
    ['Yes - it does.', true],
    ['True\n\nThe passage names Bell.', true],
    ['The passage names Bell.\n\nTrue', true],
    ['First I thought: False.\nAnswer: True', true],
    ['True. The answer is Bell.', true],
    ['{"answer": "True"}', true],
    ['```json\n{"answer": "False"}\n```', false],
    ['Here it is:\n```json\n{"answer": "False"}\n```\nThat is all.', false],
    [`True, since${CUT}`, true],
    ['No, it is not true', no],
    ['True or false? True', no],
    ['True or False', no],
    ['True? I doubt it', no],
    ['Not true', no],
    ['It is true that Bell filed first', no],
    ['The passage does not support the prediction.', no],
    ['The claim is false', no],
    ['True\nFalse', no],
    ['True, but the date is false', no],
    ['Yes and no', no],
    ['Partly true', no],
    ['No single passage says so', no],
    ['The result is {"answer": "True"} I think', no],
    ['{"verdict": "True"}', true],
    ['{"answer": "maybe"}', no],
    ['Ja', no],
    ['Верно', no],
    [`Tru${CUT}`, no],
    [`No${CUT}`, no],
    ['', no],
  ]),
  'one of two passages': labelled(pair, [
    ['Passage 1', 1],
    ['passage 2.', 2],
    ['2', 2],
    ['[1]', 1],
    ['**Passage 2**', 2],
    ['Answer: Passage 1', 1],
    ['The answer is Passage 2.', 2],
    ['Passage 1: it names the year.', 1],
    ['Passage 2, since it says more.', 2],
    ['{"answer": "Passage 2"}', 2],
    ['I think passage 2 (1998) is better', no],
    ['Passage 1 is better than Passage 2', no],
    ['Passage 1, not Passage 2', no],
    ['Passage 1 or Passage 2', no],
    ['Both', no],
    ['Passage 12', no],
    ['Passage 3', no],
    ['1998', no],
    ['1 of the 2', no],
    ['The first one', no],
  ]),
  'a choice of n': labelled(cities, [
    ['Paris', 0],
    ['(a)', 0],
    ['b)', 1],
    ['C', 2],
    ['(b) St. Petersburg', 1],
    ['St. Petersburg', 1],
    ['b. St. Petersburg.', 1],
    ['Answer: (c) New York', 2],
    ['The answer is St. Petersburg.', 1],
    ['(a) Paris, as passage 2 says.', 0],
    ['{"answer": "New York"}', 2],
    ['(a) Paris or (b) St. Petersburg', no],
    ['(a) is wrong', no],
    ['(a) New York', no],
    ['(d)', no],
    ['London', no],
    ['Paris, not New York', no],
    ['It is in Paris', no],
  ]),
  'a number from 0 to 10': labelled(numberIn({ to: 10 }), [
    ['8', 8],
    ['[8]', 8],
    ['8.5', 8.5],
    ['.5', 0.5],
    ['8/10', 8],
    ['[8]/10', 8],
    ['**7**', 7],
    ['Score: 7', 7],
    ['Rating: [9]', 9],
    ['The score is 6.', 6],
    ['It is well supported.\n8', 8],
    ['8\n\nThey name the year.', 8],
    ['{"score": 3}', 3],
    ['3 of 5', no],
    ['8/5', no],
    ['11', no],
    ['-1', no],
    ['1998', no],
    ['12 May 1998', no],
    ['80%', no],
    ['between 7 and 9', no],
    ['7-9', no],
    ['8 passages support it', no],
    ['I would say 8', no],
    ['7\n9', no],
    ['eight', no],
    [`The score is 1${CUT}`, no],
    ['{"score": "high"}', no],
    ['{"score": 12}', no],
  ]),
  'numbers of passages': labelled(order, [
    ['[2] > [1] > [3]', [2, 1, 3]],
    ['2>1>3', [2, 1, 3]],
    ['[2][1]', [2, 1]],
    ['2, 4 and 5', [2, 4, 5]],
    ['1 3', [1, 3]],
    ['Selected passages: #2, #3', [2, 3]],
    ['Selected passages: 4', [4]],
    ['Order: [5] > [4]', [5, 4]],
    ['[2]\n[1]', [2, 1]],
    ['- Passage 2\n- Passage 1', [2, 1]],
    ['Passage 3, Passage 1.', [3, 1]],
    ['The order is as follows.\n[2] > [1]', [2, 1]],
    ['{"passages": [3, 1]}', [3, 1]],
    ['None', []],
    ['3 of 5', no],
    ['12 May 1998', no],
    ['1, 9', [1, 9]],
    ['9', no],
    ['May 1, 1998', no],
    ['Passage 2 is better than passage 3', no],
    ['I choose 2 because it names 3 dates', no],
    ['Bell', no],
    ['{"passages": [9]}', no],
    ['', no],
  ]),
  'a list, in a form with marks': labelled(words(false), [
    ['(a) Paris, (b) Lyon', ['Paris', 'Lyon']],
    ['(a) Washington, D.C., (b) New York', ['Washington, D.C', 'New York']],
    ['[a] Paris [b] Lyon', ['Paris', 'Lyon']],
    ['(1) Paris\n(2) Lyon', ['Paris', 'Lyon']],
    ['a) Paris\nb) Lyon', ['Paris', 'Lyon']],
    ['1. Paris\n2. Lyon\n3. Nice\n4. Metz', ['Paris', 'Lyon', 'Nice']],
    ['- Paris\n- Lyon', ['Paris', 'Lyon']],
    ['Answers: (a) Paris, (b) Lyon', ['Paris', 'Lyon']],
    ['(a) Paris and (b) Paris', ['Paris']],
    ['(b) Lyon', ['Lyon']],
    ['["Paris", "Lyon"]', ['Paris', 'Lyon']],
    ['{"items": ["Paris"]}', ['Paris']],
    [`(a) Paris, (b) New Yo${CUT}`, ['Paris']],
    ['Paris, Lyon', no],
    ['Paris', no],
    ['(a) (b)', no],
    ['It is Paris (b)', no],
    ['{"candidates": ["Paris"]}', no],
  ]),
  'a list, one a line': labelled(words(true), [
    ['Ranked Questions:\n1. Who was it?\n2. Where?', ['Who was it?', 'Where?']],
    ['Who was it?', ['Who was it?']],
    ['* Who was it?\n* Where?', ['Who was it?', 'Where?']],
    [`1. Who was it?\n2. Where in 19${CUT}`, ['Who was it?']],
    ['', no],
  ]),
  'a short answer': labelled(shortAnswer(), [
    ['Bell', 'Bell'],
    ['Paris.', 'Paris'],
    ['**Paris**', 'Paris'],
    ['"Paris."', 'Paris'],
    ['$\\boxed{1998}$', '1998'],
    ['Answer: Bell', 'Bell'],
    ['**Answer:** Bell', 'Bell'],
    ['The answer is St. Petersburg.', 'St. Petersburg'],
    ['The answer is St. Petersburg, Florida', 'St. Petersburg, Florida'],
    ['So the final answer is: 12 May 1998.', '12 May 1998'],
    ['Bell filed first.\nAnswer: Bell', 'Bell'],
    ['Answer:\nBell', 'Bell'],
    ['Bell\n\nHe filed first.', 'Bell'],
    ['Bell invented it in 1876.', 'Bell invented it in 1876'],
    ['3 of 5', '3 of 5'],
    ['M*A*S*H', 'M*A*S*H'],
    ['東京', '東京'],
    ['Ответ: Москва', 'Ответ: Москва'],
    ['Answer: Санкт-Петербург', 'Санкт-Петербург'],
    ['{"answer": "St. Petersburg"}', 'St. Petersburg'],
    ['```json\n{"answer": 1998}\n```', '1998'],
    ['{"answer": ""}', UNKNOWN],
    ['{"answer": null}', UNKNOWN],
    ['Unknown.', UNKNOWN],
    ["I don't know.", UNKNOWN],
    ['N/A', UNKNOWN],
    ['(a)', no],
    [`Bell\n\nHe fil${CUT}`, 'Bell'],
    ['Bell filed first.\nGray came later.', no],
    ['', no],
    ['...', no],
    [`Alexander Gra${CUT}`, no],
    [`Answer: St${CUT}`, no],
    ['word '.repeat(50), no],
  ]),
  'one of several labelled lines': labelled(next, [
    ['Thought: Bell filed first.', { kind: 'thought', text: 'Bell filed first.' }],
    ['**Answer:** Bell', { kind: 'answer', text: 'Bell' }],
    ['Thought: He did.\nAnswer: Bell', { kind: 'thought', text: 'He did.' }],
    ['{"kind": "answer", "text": "Bell"}', { kind: 'answer', text: 'Bell' }],
    ['Bell filed first.', no],
    ['I thought: it is Bell', no],
    ['Thought:', no],
    [`Thought: Bell fil${CUT}`, no],
  ]),
  'reasoning with an answer': labelled(reasoned('an answer'), [
    ['Reasoning: He filed first.\nAnswer: Bell', { reasoning: 'He filed first.', answer: 'Bell' }],
    ['He filed first.\nSo the answer is: Bell.', { reasoning: 'He filed first.', answer: 'Bell' }],
    ['{"reasoning": "He did.", "answer": "Bell"}', { reasoning: 'He did.', answer: 'Bell' }],
    ['He filed first. So it was Bell.', no],
    [`He filed first.\nAnswer: Be${CUT}`, no],
  ]),
  'a text': labelled(text({ form: 'a text', end: '[DONE]' }), [
    ['Bell filed first. [DONE]', 'Bell filed first.'],
    ['Passage: Bell filed first.', 'Bell filed first.'],
    ['"Bell filed first."', 'Bell filed first.'],
    ['```\nBell filed first.\n```', 'Bell filed first.'],
    ['[DONE] Bell filed first.', 'Bell filed first.'],
    ['Bell filed first. [DONE] Here is more.', 'Bell filed first.'],
    [`Bell filed first. Gray fi${CUT}`, 'Bell filed first.'],
    ['{"text": "Bell."}', 'Bell.'],
    [`Bell fi${CUT}`, no],
    ['[DONE]', no],
    ['', no],
  ]),
  'a note': labelled(note, [
    ['Relevant: It names Bell.', { type: 'relevant', text: 'It names Bell.' }],
    ['**Irrelevant**', { type: 'irrelevant', text: '' }],
    ['Note: Contextual. It names a year.', { type: 'contextual', text: 'It names a year.' }],
    ['The passage is relevant.', { type: null, text: 'The passage is relevant.' }],
    ['{"type": "relevant", "text": "Bell."}', { type: 'relevant', text: 'Bell.' }],
    [`Relevant: It names Bell. It al${CUT}`, { type: 'relevant', text: 'It names Bell.' }],
    ['', no],
  ]),
  'notes with an answer': labelled(notes(2), [
    [
      'Note 1 (relevant): Bell.\nNote 2: Irrelevant: rivers.\nAnswer: Bell.',
      {
        notes: [
          { type: 'relevant', text: 'Bell.' },
          { type: 'irrelevant', text: 'rivers.' },
        ],
        extra: 0,
        answer: 'Bell',
      },
    ],
    [
      '**Note 2:** Rivers\nof France.\nNote 7: No such passage.\n\n**Answer:** unknown',
      { notes: [null, { type: null, text: 'Rivers of France.' }], extra: 1, answer: UNKNOWN },
    ],
    [
      '{"notes": [{"passage": 1, "type": "relevant", "text": "Bell."}], "answer": "Bell"}',
      { notes: [{ type: 'relevant', text: 'Bell.' }, null], extra: 0, answer: 'Bell' },
    ],
    ['Note 1: Bell.', no],
    ['Answer: Bell', no],
    [`Note 1: Bell.\nAnswer: Be${CUT}`, no],
  ]),
};

it.each(Object.entries(LABELLED))('%s is read as it says, or refused', (_, { type, outputs }) => {
  const wrong = outputs.flatMap(([said, value]) => {
    const read = type.read({ text: said.replace(CUT, ''), cut: said.endsWith(CUT) });
    return JSON.stringify(sorted(read)) === JSON.stringify(sorted(value))
      ? []
      : [{ said, value, read }];
  });
  expect(wrong).toEqual([]);
});

it('holds so many that are to be read and refused', () => {
  const all = Object.values(LABELLED).flatMap(({ outputs }) => outputs);
  const read = all.filter(([, value]) => value !== no).length;
  expect({ read, refused: all.length - read }).toEqual({ read: 142, refused: 89 });
});

it('reads what its prompt set takes for "does not know"', () => {
  const unknown = ['keine Angabe'];
  const said = (words: string) => shortAnswer().read({ text: words, cut: false, unknown });
  expect(said('Keine Angabe.')).toBe(UNKNOWN);
  expect(said('unknown')).toBe('unknown');
});

it.each(Object.entries(LABELLED))('%s takes linear time', (_, { type }) => {
  for (const piece of ['Answer: ', '(a) ', '[1] ', '**', '1, ', 'x. ', '\n', '"', ' ']) {
    for (const cut of [false, true]) type.read({ text: piece.repeat(20_000), cut });
  }
});

/** With members in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort()
      .map(([name, part]) => [name, sorted(part)]),
  );
}
