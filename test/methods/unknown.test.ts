import { expect, it } from 'vitest';
import { answered } from '../../methods/result.js';
import { saysUnknown } from '../../methods/unknown.js';

it.each([
  'unknown',
  'Unknown',
  'I do not know',
  "I don't know",
  'Not mentioned',
  'not specified in the passages',
  'The passages do not say',
  'It cannot be determined',
  'N/A',
  'No answer',
])('%j says that there is no answer', (text) => {
  expect(saysUnknown(text)).toBe(true);
  expect(answered(text, [], {})).toMatchObject({ outcome: 'unknown', answer: null });
});

it.each([
  'Paris',
  'The Unknown Soldier',
  'Know Your Enemy',
  'Noneuclidean',
  'Nothing Else Matters',
])('%j is an answer', (text) => {
  expect(saysUnknown(text)).toBe(false);
  expect(answered(text, [], {})).toMatchObject({ outcome: 'answered', answer: text });
});
