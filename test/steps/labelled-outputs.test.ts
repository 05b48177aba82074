/**
 * Outputs of our own writing with what each says: the readers take it as said, or refuse it. A line of
 * `outputs.jsonl` is a type of output, an output, and its value; without one it cannot be read. An
 * output that ends with "<cut>" was stopped at the token limit.
 */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { patternsOf, UNKNOWN } from '../../core/unknown.js';
import { outputOf } from '../../steps/define.js';
import { choice, verdict } from '../../steps/outputs/choice.js';
import { labelledLine, reasoned } from '../../steps/outputs/labelled.js';
import { list } from '../../steps/outputs/list.js';
import { note, notes } from '../../steps/outputs/notes.js';
import { numberIn } from '../../steps/outputs/number.js';
import { numbersOf } from '../../steps/outputs/number-list.js';
import type { ModelOutput, Output } from '../../steps/outputs/output.js';
import { shortAnswer } from '../../steps/outputs/short-answer.js';
import { text } from '../../steps/outputs/text.js';
import { type StepName, stepNamed } from '../../steps/table.js';
import { jsonLines } from '../support/json-lines.js';

const CUT = '<cut>';

const pair = choice([
  { value: 1, wordings: ['Passage 1', '1'] },
  { value: 2, wordings: ['Passage 2', '2'] },
]);
const cities = choice(
  ['Paris', 'St. Petersburg', 'New York'].map((words, k) => ({
    value: k,
    wordings: [words, `(${'abc'[k]})`, `(${'abc'[k]}) ${words}`] as const,
  })),
);
const words = (isLettered: boolean) =>
  list({
    most: 3,
    form: 'a list',
    label: 'answers?|(?:ranked )?questions',
    before: 'answer|candidate|option|choice|question|q',
    lone: !isLettered,
    lettered: isLettered,
  });

/** Returns what a step reads for an input, or what stands in for what it cannot read. */
function readOf(name: StepName, given: object, by: 'read' | 'long' | 'fallback' = 'read') {
  const input = { question: '', passages: [], history: [], demonstrations: [], ...given };
  const step = stepNamed(name);
  if (!step) throw new Error(`There is no step ${name}.`);
  return (output: ModelOutput) =>
    by === 'fallback' ? step.fallback(output, input) : outputOf(step, input)[by]?.(output);
}

const choices = ['Oslo', 'Bergen'];

/** By name what is read. */
const READERS: Record<string, (output: ModelOutput) => unknown> = {
  candidates: readOf('generateCandidates', { count: 2 }),
  'long candidates': readOf('generateCandidates', { count: 2 }, 'long'),
  'candidates left over': readOf('generateCandidates', { count: 2 }, 'fallback'),
  'a choice or an answer': readOf('choose', { choices }),
  'a choice left over': readOf('choose', { choices }, 'fallback'),
  'a claim': readOf('checkClaim', {}),
  'a document': readOf('generateDocument', {}),
  'a query': readOf('missingInfoQuery', { style: 'passage' }),
  'a new question': readOf('missingInfoQuery', { style: 'question' }),
  'a summary': readOf('summarize', {}),
  'a reply': readOf('reply', {}),
  'an answer of three words': readOf('read', {}),
  'a long answer': readOf('read', {}, 'long'),
  'a number from 0 to 1': readOf('scoreAnswer', { answer: '' }),
  'the next thought': readOf('nextThought', {}),
  'sub-questions': readOf('askSubQueries', { count: 2 }),
  'a sub-query': readOf('nextSubQuery', { pairs: [] }),
  'a sub-query’s answer': readOf('answerSubQuery', {}),
  'a class': readOf('classifyQuestion', {}),
  queries: readOf('rewriteQuestion', { count: 3 }),
  parts: readOf('decomposeQuestion', { count: 3, question: 'Where was its author born?' }),
  'a cited list left over': readOf('answerWithCitations', { form: 'list' }, 'fallback'),
  'a cited answer left over': readOf('answerWithCitations', { form: 'prose' }, 'fallback'),
  'a part’s answer': readOf('answerSubQuestion', {}),
};

const TYPES: Record<string, Output<unknown>> = {
  'a verdict': verdict(),
  'one of two passages': pair,
  'a choice of n': cities,
  'a number from 0 to 10': numberIn({ to: 10 }),
  'numbers of passages': numbersOf({
    most: 5,
    form: 'numbers',
    label: '(?:selected )?passages|order|answer',
  }),
  'a list, in a form with marks': words(true),
  'a list, one a line': words(false),
  'a short answer': shortAnswer(),
  'one of several labelled lines': labelledLine({ thought: 'thought', answer: 'answer' }, 'a line'),
  'reasoning with an answer': reasoned('an answer'),
  'a text': text({ form: 'a text', end: '[DONE]' }),
  'a note': note,
  'notes with an answer': notes(2),
};

const FILE = new URL('outputs.jsonl', import.meta.url);
const OUTPUTS: [type: string, said: string, value?: unknown][] = jsonLines(
  readFileSync(FILE, 'utf8'),
);

it.each(OUTPUTS)('%s: %j is read as it says, or refused', (type, said, value) => {
  const read = TYPES[type]?.read ?? READERS[type];
  expect(read).toBeDefined();
  expect(read?.({ text: said.replace(CUT, ''), cut: said.endsWith(CUT) })).toEqual(value);
});

it('reads what its prompt set takes for "does not know"', () => {
  const unknown = patternsOf(['keine Angabe']);
  const said = (words: string) => shortAnswer().read({ text: words, cut: false, unknown });
  expect(said('Keine Angabe.')).toBe(UNKNOWN);
  expect(said('unknown')).toBe('unknown');
});

it('reads what its prompt set takes for a refusal', () => {
  const refusals = patternsOf(['(Leider|Da) kann ich (nicht|nicht weiter) helfen']);
  const read = readOf('generateDocument', {});
  const said = (text: string) => read({ text, cut: false, refusals });
  expect(said('Leider kann ich nicht helfen. Frag etwas anderes.')).toBeUndefined();
  expect(said('Leider kann ich nicht mehr helfen.')).toBe('Leider kann ich nicht mehr helfen.');
  expect(said('I cannot help with that.')).toBe('I cannot help with that.');
});

it.each(Object.entries(TYPES))('%s takes linear time', (_, type) => {
  const pieces = ['Answer: ', 'the answer is ', '(a) ', '[1] ', '**', '1, ', 'x. ', '\n', '"', ' '];
  for (const text of pieces.map((piece) => piece.repeat(20_000))) {
    for (const cut of [false, true]) {
      type.read({ text, cut });
      type.long?.({ text, cut });
    }
  }
});
