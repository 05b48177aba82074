import { expect, it } from 'vitest';
import { parseInput } from '../../core/options/input.js';
import { methods } from '../../interpreters/methods.js';
import { says } from '../support/run-scripted.js';
import { scenarios } from '../support/scenarios.js';
import { QUESTION as question } from '../support/telephone.js';

const finds = () => ['p1', 'p2', 'p3'];
const bell = says('read', 'Bell');

scenarios('adaptiveRag', {
  'answers what needs no search from what the model knows': {
    script: [...says('classifyQuestion', 'None'), ...bell],
    finds,
    queries: [],
    result: {
      answer: 'Bell',
      evidence: [],
      flags: [],
      chain: { class: 'none', method: 'noRetrieval', chain: { passages: [], reading: 'Bell' } },
    },
  },
  'answers by base, with its options, what one search answers': {
    script: [...says('classifyQuestion', 'Single'), ...bell],
    options: { base: { passages: 2, demonstrations: [], answerForm: 'short' } },
    finds,
    queries: [question],
    result: { evidence: ['p1', 'p2'], chain: { class: 'single', method: 'base' } },
  },
  'answers by ircot what takes several searches': {
    script: [
      ...says('classifyQuestion', 'C'),
      ...says('nextThought', 'Thought: Gray filed a caveat.', 'Answer: Bell'),
      ...says('reason', 'So.\nAnswer: Bell'),
    ],
    finds,
    queries: [question, 'Gray filed a caveat.'],
    result: {
      retrievals: 2,
      chain: { class: 'multi', method: 'ircot', chain: { ended: 'answer', reasoning: 'So.' } },
    },
  },
  'takes one search where the class cannot be read, and flags it': {
    script: [...says('classifyQuestion', 'It depends.'), ...bell],
    reasks: 0,
    finds,
    flags: ['classifyQuestion fallback'],
    result: { answer: 'Bell', chain: { class: 'single' } },
  },
  'is what the chosen method is: unreadable, with its flags': {
    script: [...says('classifyQuestion', 'Single'), ...says('read', '')],
    reasks: 0,
    finds: () => [],
    flags: ['read fallback', 'retrieve noPassages'],
    result: { outcome: 'unreadable', answer: null },
  },
});

const parse = (options: object) => parseInput(methods.adaptiveRag, { question, options }).options;

it('has the options of each method under its name, with their defaults', () => {
  expect(parse({ ircot: { passages: 2 } })).toMatchObject({
    noRetrieval: { demonstrations: [] },
    base: { passages: 10, answerForm: 'short' },
    ircot: { passages: 2, maxPassages: 15, maxThoughts: 8 },
  });
});

it.each<[options: object, why: string]>([
  [{ ircot: { passages: 20 } }, 'options.ircot.maxPassages: must be at least passages'],
  [
    { ircot: { passage: 2 } },
    'options.ircot.passage: there is no such field; did you mean passages?',
  ],
  [{ base: { answerForm: 'list' } }, 'options.base: must answer in the form of the other methods'],
])('refuses %j by the name of the option', (options, why) => {
  expect(() => parse(options)).toThrow(why);
});
