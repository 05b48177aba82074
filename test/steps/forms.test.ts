/** Forms in which models reply, each with many answers: what the readers make of every cell. */
import { expect, it } from 'vitest';
import { outputOf } from '../../steps/define.js';
import { stepNamed } from '../../steps/table.js';

/** Answers that are hard on a form: signs, marks, full stops, numbers, other scripts. */
const ANSWERS = [
  'Oslo',
  'St. Moritz',
  'J. R. R. Tolkien',
  'A.C. Milan',
  '1 May 1889',
  '-5',
  '50%',
  '$1.5 million',
  'C++',
  'the 1920s',
  '東京',
  'Åse Kleveland',
  'M*A*S*H',
  'No. 10',
  "Rock 'n' Roll",
  'Saint-Denis',
];

function read(step: string, given: object, text: string): unknown {
  const input = { question: '', passages: [], demonstrations: [], ...given };
  const named = stepNamed(step);
  return named && outputOf(named, input).read({ text, cut: false });
}

const CANDIDATES: [name: string, form: (one: string, other: string) => string][] = [
  ['as asked', (one, other) => `(a) ${one}, (b) ${other}`],
  ['with a full stop', (one, other) => `(a) ${one}, (b) ${other}.`],
  ['without spaces', (one, other) => `(a)${one}, (b)${other}`],
  ['without anything between', (one, other) => `(a)${one}(b)${other}`],
  ['on two lines', (one, other) => `(a) ${one}\n(b) ${other}`],
  ['with a semicolon', (one, other) => `(a) ${one}; (b) ${other}`],
  ['with a conjunction', (one, other) => `(a) ${one} and (b) ${other}`],
  ['within a sentence', (one, other) => `Going by them it is (a) ${one} or (b) ${other}.`],
  ['behind a colon', (one, other) => `By the passages these two fit: (a) ${one}, (b) ${other}`],
  ['below a heading', (one, other) => `Candidates:\n(a) ${one}, (b) ${other}`],
  ['behind a label', (one, other) => `Answer: (a) ${one}, (b) ${other}`],
  ['with bold marks', (one, other) => `**(a)** ${one}, **(b)** ${other}`],
  ['with a remark', (one, other) => `(a) ${one}, (b) ${other}\n\nOf these (a) stands first.`],
  ['with citations', (one, other) => `(a) ${one} [1], (b) ${other} [Passage 2]`],
  ['with capitals', (one, other) => `(A) ${one}, (B) ${other}`],
  ['with square brackets', (one, other) => `[a] ${one}, [b] ${other}`],
  ['with a word before', (one, other) => `Candidate (a): ${one}\nCandidate (b): ${other}`],
  ['numbered', (one, other) => `1. ${one}\n2. ${other}`],
  ['with half brackets', (one, other) => `a) ${one}\nb) ${other}`],
  ['with list signs', (one, other) => `- ${one}\n- ${other}`],
  ['in JSON', (one, other) => JSON.stringify({ items: [one, other] })],
];

it.each(CANDIDATES)('candidates %s', (_, form) => {
  const pairs = ANSWERS.map((one, i) => [one, ANSWERS[(i + 5) % ANSWERS.length] ?? '']);
  for (const [one = '', other = ''] of pairs) {
    expect(read('generateCandidates', { count: 2 }, form(one, other))).toEqual([one, other]);
  }
});

const SHORT: [name: string, form: (answer: string) => string][] = [
  ['alone', (answer) => answer],
  ['with a full stop', (answer) => `${answer}.`],
  ['behind a label', (answer) => `Answer: ${answer}`],
  ['in a sentence', (answer) => `The answer is ${answer}.`],
  ['at the end of a sentence', (answer) => `Going by passage 2, the answer is: ${answer}.`],
  ['in bold', (answer) => `**${answer}**`],
  ['in quotes', (answer) => `"${answer}"`],
  ['with a citation', (answer) => `${answer} [1]`],
  ['with citations', (answer) => `${answer} [Passage 2], [Passage 3].`],
  ['below a heading', (answer) => `## Answer\n\n${answer}`],
  ['in tags', (answer) => `<answer>${answer}</answer>`],
  ['in a box', (answer) => `\\boxed{${answer}}`],
  ['in JSON', (answer) => JSON.stringify({ answer })],
];

it.each(SHORT)('a short answer %s', (_, form) => {
  for (const answer of ANSWERS) expect(read('read', {}, form(answer))).toBe(answer);
});

it('a short answer before an explanation, if it is as short as was asked for', () => {
  for (const answer of ANSWERS) {
    const text = `${answer}\n\nThe second of the passages says so in its first sentence.`;
    const isShort = answer.split(' ').length <= 3;
    expect(read('read', {}, text)).toBe(isShort ? answer : undefined);
  }
});

const CHOICES: [name: string, form: (words: string) => string][] = [
  ['by its words', (words) => words],
  ['by its letter', () => '(b)'],
  ['by a bare letter', () => 'B'],
  ['by its letter with a word', () => 'Option (b)'],
  ['by both', (words) => `(b) ${words}`],
  ['by both in a sentence', (words) => `The answer is (b) ${words}.`],
  ['with a citation', (words) => `${words} [2]`],
];

it.each(CHOICES)('a choice %s', (_, form) => {
  for (const words of ANSWERS) {
    const chosen = read('choose', { choices: ['Quito', words] }, form(words));
    expect(chosen).toEqual({ answer: words, choice: 1 });
  }
});

it('an answer that is none of the choices', () => {
  for (const answer of ANSWERS) {
    const choices = ['Quito', 'La Paz'];
    expect(read('choose', { choices }, answer)).toEqual({ answer, choice: null });
    expect(read('choose', { choices: [answer, 'Quito'] }, `(b) ${answer}`)).toBeUndefined();
    const longer = `${answer}, Chile`;
    expect(read('choose', { choices: [answer, longer] }, `(a) ${longer}`)).toBeUndefined();
    expect(read('choose', { choices: [answer, longer] }, longer)).toMatchObject({ choice: 1 });
  }
});
