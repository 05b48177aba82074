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
  'UNKNOWN.',
  'unknown (the passages are about rivers)',
  'Unknown, since no passage names him',
  'Unknown based on the passages',
  'The answer is unknown.',
  'The answer to this question remains unclear',
  'None',
  'None of the passages says who it was',
  'I’m not sure',
  'Unsure',
  'I cannot answer this question',
  "I'm sorry, but I don't know.",
  'Unfortunately, the passages do not mention it.',
  'Based on the passages, it is not possible to determine the answer',
  'As no passage helps, the answer cannot be determined',
  'cannot be determined',
  'It can’t be determined from the notes.',
  'The provided passages do not contain this information',
  "The given context doesn't say",
  'There is not enough information to answer',
  'Insufficient information',
  'No relevant information',
  'There is no information on this',
  'I have no knowledge of it',
  'Unable to determine',
  'Impossible to say',
  'Unanswerable',
  'Not explicitly stated',
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
  'Unknown Pleasures',
  'Unknown Soldier',
  'unknown soldier',
  'Nonesuch',
  'No',
  'No Country for Old Men',
  'Not Fade Away',
  'Notre-Dame',
  'Nairobi',
  'NATO',
  'It',
  'As You Like It',
  'From Here to Eternity',
  'The Passage',
  'Context',
  'Information Society',
  'Uncertainty',
])('%j is an answer', (text) => {
  expect(saysUnknown(text)).toBe(false);
  expect(answered(text, [], {})).toMatchObject({ outcome: 'answered', answer: text });
});
