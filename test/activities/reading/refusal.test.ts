/** What is a refusal, or says that there is nothing, and what only begins like one. */
import { describe, expect, test } from 'vitest';
import { parseSubQueries } from '../../../steps/ask-sub-queries/implementation.js';
import { parseNext } from '../../../steps/follow-up/implementation.js';
import { parseDocument } from '../../../steps/generate-document/implementation.js';
import {
  parseNewPassage,
  parseNewQuestion,
} from '../../../steps/missing-info-query/implementation.js';
import { isRefusal, saysNothing } from '../../../steps/reading/refusal.js';

const whole = (text: string) => ({ text, cut: false });

const refusals = [
  "I'm sorry, but I cannot write that.",
  "Sorry, I can't.",
  'Sorry, but there is nothing I can add.',
  "I am so sorry: this is not something I'll do.",
  "I'm afraid I can't do that.",
  'I am afraid that is not possible.',
  'I cannot generate a question on this.',
  "i don't have enough information to write a passage",
  "I don't know anything about it.",
  'I was unable to find what is missing.',
  'I am not aware of any more facts.',
  'I must decline to answer.',
  'I would need more information.',
  'As an AI language model, I have no access to the web.',
  'As a large language model, I cannot say.',
  'As an AI assistant trained by a company, my knowledge ends there.',
  'Unfortunately, I do not know.',
  'My apologies, I have no answer.',
];

const notRefusals = [
  '"Sorry" is a song by Justin Bieber of 2015.',
  'Sorry is a board game by Parker Brothers.',
  'Sorry, Wrong Number is a film of 1948.',
  'Sorry',
  'As an artificial lake, Lake Mead was formed by the Hoover Dam.',
  'As a language of the Romance family, Italian descends from Latin.',
  "I Can't Help Myself was sung by the Four Tops.",
  '"I can\'t help falling in love" was sung by Elvis Presley.',
  'I Cannot Tell a Lie is a saying that was ascribed to Washington.',
  'I Do Not Know is a painting.',
  'My Apologies to the Queen is an album.',
  'Unfortunately for Napoleon, the Prussians arrived before night.',
  'It is not possible to see Mount Fuji from Kyoto.',
  'AI, I and You is a play.',
];

describe('a refusal', () => {
  test.each(refusals)('%s', (text) => {
    expect(isRefusal(text)).toBe(true);
    expect(parseNewPassage(whole(text))).toBeUndefined();
    expect(parseNewQuestion(whole(text))).toBeUndefined();
    expect(parseSubQueries(whole(`1. ${text}`))).toBeUndefined();
    expect(parseNext(whole(`Follow up: ${text}`), false)).toBeUndefined();
    expect(parseDocument(text)).toBeUndefined();
  });

  test.each(notRefusals)('not: %s', (text) => {
    expect(isRefusal(text)).toBe(false);
    expect(parseDocument(text)).toBe(text);
  });
});

describe('nothing', () => {
  test.each([
    ...['None', 'N/A', 'No missing information.', 'There is no missing content.', 'Unknown'],
    ...['Insufficient information.', 'Not enough information', 'Nothing more is needed.'],
    ...['It cannot be determined.', 'There are no further questions.'],
  ])('%s', (text) => {
    expect(saysNothing(text)).toBe(true);
    expect(parseNewPassage(whole(text))).toBeUndefined();
    expect(parseNewQuestion(whole(text))).toBeUndefined();
    expect(parseSubQueries(whole(`1. ${text}`))).toBeUndefined();
  });

  test.each([
    ...['No Country for Old Men is a film.', 'None of the Above is a choice on ballots of Nevada.'],
    ...['Nothing Else Matters was released in 1992.', 'Unknown Pleasures is by Joy Division.'],
    ...['The unknown soldier lies under the arch.', 'Not enough rain fell in 1976.'],
  ])('not: %s', (text) => {
    expect(saysNothing(text)).toBe(false);
    expect(parseNewPassage(whole(text))).toBe(text);
  });
});

describe('a remark on the task or the passages, which is no query', () => {
  test.each([
    'Unfortunately, there is no information on this.',
    'Unfortunately, the passages do not say so.',
    'It is not possible to write such a passage.',
    'The passages already contain all the information.',
    'The given passages fully answer the question.',
    'The provided documents do not mention the year.',
    'The above passages are sufficient.',
  ])('%s', (text) => {
    expect(parseNewPassage(whole(text))).toBeUndefined();
    expect(parseNewQuestion(whole(text))).toBeUndefined();
    expect(parseSubQueries(whole(`1. ${text}`))).toBeUndefined();
    expect(parseNext(whole(`Follow up: ${text}`), false)).toBeUndefined();
    expect(parseDocument(text)).toBeUndefined();
    // It may be a note on a passage, or what is condensed from one.
    expect(isRefusal(text)).toBe(false);
  });

  test.each([
    'The passages of the Northwest were first sailed by Amundsen.',
    'The documents were signed in Versailles.',
    'The text of the treaty does not mention the colonies.',
  ])('not: %s', (text) => {
    expect(parseNewPassage(whole(text))).toBe(text);
  });
});

test('a form that was copied asks nothing', () => {
  expect(parseNext(whole('Follow up: [the next question]'), false)).toBeUndefined();
});

test('20,000 hostile characters take no time', () => {
  for (const part of [
    'I am so ',
    'as an ai ',
    'unfortunately, ',
    'no more ',
    'the given passages ',
  ]) {
    const text = part.repeat(20_000 / part.length);
    expect([isRefusal(text), saysNothing(text)]).not.toContain(undefined);
    parseNewPassage(whole(text));
  }
});
