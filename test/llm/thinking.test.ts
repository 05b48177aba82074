/** Thinking before the answer is taken off, however it is marked. */
import { describe, expect, test } from 'vitest';
import type { Completion } from '../../llm/language-model.js';
import { readCompletion } from '../../llm/openai/chat-completion.js';
import { withoutThinking } from '../../llm/thinking.js';
import { completionOf } from '../support/completion.js';

const completion = (text: string, more: Partial<Completion> = {}) =>
  completionOf({ text, ...more });

const MARKS = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['<reasoning>', '</reasoning>'],
  ['[THINK]', '[/THINK]'],
  ['<seed:think>', '</seed:think>'],
  ['◁think▷', '◁/think▷'],
];
describe.each(MARKS)('%s', (open, close) => {
  test.each([
    [`${open}Oslo or Bergen?\nOslo.${close}\n\nOslo`, 'Oslo', 'some'],
    [`\n${open}one${close}${open}two${close} Oslo`, 'Oslo', 'some'],
    [`Oslo, I think.${close}Oslo`, 'Oslo', 'some'],
    [`${open}\n\n${close}\n\nOslo`, 'Oslo', undefined],
    [`The mark ${open} opens a thought`, `The mark ${open} opens a thought`, undefined],
    [`Write ${open}x${close}`, `Write ${open}x${close}`, undefined],
    [`${open}Oslo or`, '', 'all', 'cut'],
    [`${open}Oslo.${close}${open}Or`, '', 'all', 'cut'],
    [`${open}Oslo.${close}`, '', 'all'],
    [`${open}Oslo?${close}${open}Oslo.${close}\n \n`, '', 'all'],
    [`Oslo, surely.${close}\n`, '', 'all'],
    [`${open}${close}`, '', undefined],
  ])('%j', (text, answer, thinking, end = 'finished') => {
    const read = withoutThinking(completion(text));
    expect(read).toMatchObject({ text: answer, end });
    expect(read.thinking).toBe(thinking);
    expect(withoutThinking(read)).toEqual(read);
  });
});

test.each<[string, string, string | undefined]>([
  [
    '<|channel|>analysis<|message|>Oslo?<|end|><|start|>assistant<|channel|>final<|message|>Oslo<|return|>',
    'Oslo',
    'some',
  ],
  [
    '<|start|>assistant<|channel|>analysis<|message|>Hm<|end|><|start|>assistant<|channel|>final <|constrain|>json<|message|>{"answer":"Oslo"}',
    '{"answer":"Oslo"}',
    'some',
  ],
  ['<|channel|>final<|message|>Oslo', 'Oslo', undefined],
  ['<|channel|>analysis<|message|>Oslo or', '', 'all'],
  ['<|channel|>analysis<|message|>Oslo.<|end|>', '', 'all'],
  // Without its marks.
  ['analysisThe user wants a city. Norway.assistantfinalOslo', 'Oslo', 'some'],
  ['analysisEasy: Oslo.\n\nassistantfinal{"answer":"Oslo"}', '{"answer":"Oslo"}', 'some'],
  ['\nassistantanalysisWe list.assistantfinal1. Oslo\n2. Bergen', '1. Oslo\n2. Bergen', 'some'],
  ['analysis We compare.assistantcommentaryNo tool.assistantfinal Oslo', 'Oslo', 'some'],
  ['commentaryLooking it up.assistantfinalOslo', 'Oslo', 'some'],
  ['assistantfinalOslo', 'Oslo', undefined],
  ['analysisThe user wants a city. Norway', '', 'all'],
  ['assistantanalysisDo we know', '', 'all'],
  ['analysisOslo.assistantfinal', '', 'all'],
  ['analysis of the text: Oslo', 'analysis of the text: Oslo', undefined],
  ['Analysis\n\nOslo', 'Analysis\n\nOslo', undefined],
  ['final answer: Oslo', 'final answer: Oslo', undefined],
  ['The words assistantfinalOslo stand here', 'The words assistantfinalOslo stand here', undefined],
])('channels: %j', (text, answer, thinking) => {
  const read = withoutThinking(completion(text));
  expect([read.text, read.thinking]).toEqual([answer, thinking]);
  expect(withoutThinking(read)).toEqual(read);
});

test('a probability of the text counts the tokens of the answer alone', () => {
  const logprob = -0.5;
  expect(withoutThinking(completion('Oslo', { logprob })).logprob).toBe(logprob);
  expect(withoutThinking(completion('<think>Hm</think>Oslo', { logprob }))).not.toHaveProperty(
    'logprob',
  );
});

const context = { model: 'm', provider: 'p', maxRetryAfterMs: 1, secrets: [], now: 0 };
const pricing = { prices: new Map(), isLocal: false };

describe('thinking', () => {
  const answer = (message: object, finish_reason = 'stop', usage?: object) =>
    withoutThinking(
      readCompletion({ choices: [{ message, finish_reason }], usage }, context, pricing),
    );
  const hidden = { completion_tokens: 64, completion_tokens_details: { reasoning_tokens: 64 } };
  test.each<[string, Completion, Partial<Completion>]>([
    ['left open', answer({ content: '<think>hm' }), { text: '', end: 'cut', thinking: 'all' }],
    ['up to the limit', answer({ content: '<think>hm</think>' }, 'length'), { thinking: 'all' }],
    ['beside nothing', answer({ content: null, reasoning: 'Hm' }, 'length'), { thinking: 'all' }],
    ['that is hidden', answer({ content: '' }, 'length', hidden), { end: 'cut', thinking: 'all' }],
    ['that nobody tells of', answer({ content: '' }, 'length'), { thinking: 'all' }],
    ['to its end', answer({ content: '<think>hm</think>' }), { end: 'finished', thinking: 'all' }],
    ['alone', answer({ content: null, reasoning_content: 'Hm' }), { text: '', thinking: 'all' }],
    ['beside blanks', answer({ content: '\n', reasoning: 'Hm' }), { text: '', thinking: 'all' }],
    ['counted, and no text', answer({ content: '' }, 'stop', hidden), { thinking: 'all' }],
    [
      'as a part',
      answer({
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] },
          { type: 'text', text: 'Par' },
        ],
      }),
      { text: 'Par', thinking: 'some' },
    ],
    [
      'as a part with a text',
      answer({ content: [{ type: 'reasoning', text: 'Hm' }] }),
      { text: '', thinking: 'all' },
    ],
    ['before an answer', answer({ content: '<think>hm</think>Par' }), { thinking: 'some' }],
    ['beside one', answer({ content: 'Par', reasoning_content: 'Hm' }), { thinking: 'some' }],
    ['counted alone', answer({ content: 'Par' }, 'stop', hidden), { thinking: 'some' }],
  ])('%s is told of', (_, completion, expected) => {
    expect(completion).toMatchObject(expected);
  });

  test.each<[string, Completion]>([
    ['an answer', answer({ content: 'Paris', reasoning: null })],
    ['one that was cut', answer({ content: 'Par' }, 'length')],
    ['an empty one', answer({ content: '' })],
  ])('is no part of %s', (_, completion) => {
    expect(completion).not.toHaveProperty('thinking');
  });
});
