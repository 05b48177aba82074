/** How generations end: the same table for answers, lines of batches and results of the AI SDK. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reportedLoss } from '../../activities/runtime/paid-call.js';
import { aiSdkModel } from '../../llm/ai-sdk/index.js';
import { readResult } from '../../llm/ai-sdk/read-result.js';
import type { Completion } from '../../llm/language-model.js';
import { readLine } from '../../llm/openai/batch-lines.js';
import { readCompletion } from '../../llm/openai/chat-completion.js';
import type { CallContext } from '../../llm/provider-failure.js';
import { never, requestOf } from '../support/completion.js';
import { serverThatGives } from './served.js';

const context: CallContext = {
  model: 'm',
  provider: 'p',
  maxRetryAfterMs: 1,
  secrets: [],
  now: 0,
};
const prices = new Map([['m', { prompt: 1, cachedPrompt: 1, completion: 2 }]]);
const pricing = { prices, isLocal: false };
const usage = { prompt_tokens: 800, completion_tokens: 90 };

type End = Completion['end'] | 'ContentRefused' | 'MalformedResponse';

/** Returns how a reading ends; of a failure its type, once it has said that it is paid. */
function endOf(read: () => Completion): End {
  try {
    return read().end;
  } catch (failure) {
    const { type, billed, retryable, message } = failure as Record<string, unknown>;
    expect({ billed, retryable }).toEqual({ billed: true, retryable: type !== 'ContentRefused' });
    expect(message).not.toMatch(/OPENAI_BASE_URL|undefined/);
    return type as End;
  }
}

interface Choice {
  message?: object;
  finish_reason?: unknown;
  [more: string]: unknown;
}

/** Reads a choice by each adapter, as a provider sends it through each. */
const READERS: Record<string, (choice: Choice) => End> = {
  'an answer': (choice) =>
    endOf(() => readCompletion({ choices: [choice], usage }, context, pricing)),
  'a line of a batch': (choice) =>
    endOf(() => {
      const response = { status_code: 200, body: { choices: [choice], usage } };
      const read = readLine(JSON.stringify({ custom_id: 'a', response }), context, pricing);
      if (read && 'completion' in read) return read.completion;
      throw read && 'failure' in read ? read.failure : new Error('neither');
    }),
  'a result of the AI SDK': (choice) =>
    endOf(() => readResult(resultOf(choice, { unified: 'other' }), context, pricing)),
  'a result of its version 2': (choice) =>
    endOf(() => readResult(resultOf(choice, 'unknown'), context, pricing)),
};

/** What the SDK gives of a choice whose word it does not know. */
function resultOf(choice: Choice, finishReason: unknown) {
  const { content } = Object(choice.message) as { content?: unknown };
  const text = typeof content === 'string' ? content : '';
  return {
    content: [{ type: 'text', text }],
    finishReason,
    usage: { inputTokens: 800, outputTokens: 90 },
    response: { body: { choices: [choice] } },
  };
}

/** The words of each row, as their providers write them. */
const WORDS: [End, string[]][] = [
  ['finished', ['stop', 'eos', 'end_turn', 'COMPLETE', 'STOP', 'stop_sequence', 'eos_token']],
  ['finished', ['tool_calls', 'tool-calls', 'function_call', 'tool_use', 'STOP_SEQUENCE']],
  ['cut', ['length', 'max_tokens', 'MAX_TOKENS', 'model_length']],
  ['cut', ['model_context_window_exceeded', 'max_output_tokens', 'token_limit']],
  ['ContentRefused', ['content_filter', 'content-filter', 'content_filtered', 'SAFETY']],
  ['ContentRefused', ['RECITATION', 'PROHIBITED_CONTENT', 'sensitive', 'guardrail_intervened']],
  ['ContentRefused', ['BLOCKLIST', 'SPII', 'IMAGE_SAFETY', 'refusal', 'ERROR_TOXIC']],
  ['MalformedResponse', ['error', 'ERROR', 'network_error', 'abort']],
  ['MalformedResponse', ['insufficient_system_resource', 'MALFORMED_RESPONSE', 'cancelled']],
];
const ROWS = WORDS.flatMap(([end, words]) => words.map((word) => [word, end] as const));

/** What a model may have written until its end. */
const WRITTEN = [
  'The ferry to Aegina leaves at seven.',
  'Mount Erebus is a volcano on Ro',
  'Answer: 1889',
  '["Turin", "Genoa"]',
];

/** Ways to write a word that make no difference. */
const spelled = (word: string) =>
  fc
    .tuple(
      fc.infiniteStream(fc.boolean()),
      fc.constantFrom('_', '-', ' '),
      fc.constantFrom('', ' '),
    )
    .map(([upper, between, around]) => {
      const letters = [...word].map((one) =>
        upper.next().value ? one.toUpperCase() : one.toLowerCase(),
      );
      return around + letters.join('').replace(/[_-]/g, between) + around;
    });

describe.each(Object.entries(READERS))('%s', (_, read) => {
  test.each(ROWS)('that ends with "%s" is %s, whatever is written', (word, end) => {
    for (const content of WRITTEN) {
      expect(read({ message: { content }, finish_reason: word })).toBe(end);
    }
  });

  test('ends as its word says in any case, and with any mark between its parts', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ROWS).chain(([word, end]) => spelled(word).map((as) => [as, end])),
        fc.constantFrom(...WRITTEN),
        ([finish_reason, end], content) => {
          expect(read({ message: { content }, finish_reason })).toBe(end);
        },
      ),
    );
  });

  const nothing = [undefined, null, '', ' '];
  test.each(nothing)('that does not say how it ended (%j) is finished', (finish_reason) => {
    for (const content of WRITTEN) {
      expect(read({ message: { content }, finish_reason })).toBe('finished');
    }
  });

  test('with a word in no row is used, and says the word', () => {
    const known = /^content.filter|^(other|unknown)$/i;
    const words = new Set([
      ...ROWS.map(([word]) => word.toLowerCase().replaceAll('-', '_')),
      'aborted',
      'canceled',
      'user_cancel',
      'timeout',
      'completed',
      'normal',
      'tool_call',
    ]);
    const unknown = fc
      .oneof(fc.string({ maxLength: 40 }), fc.constantFrom('ENDED_BY_MOON', 'repetition', 'stopp'))
      .map((word) => word.trim().replace(/\s+/g, ' '))
      .filter((word) => word !== '' && !known.test(word))
      .filter((word) => !words.has(word.toLowerCase().replace(/[\s-]+/g, '_')));
    fc.assert(
      fc.property(unknown, fc.constantFrom(...WRITTEN), (finish_reason, content) => {
        expect(read({ message: { content }, finish_reason })).toEqual({ unknown: finish_reason });
      }),
    );
  });

  test.each([7, true, { of: 'the night' }, ['stop']])(
    'whose end is no word (%j) is of no row',
    (word) => {
      const end = read({ message: { content: 'Lima' }, finish_reason: word });
      expect(end).toEqual({ unknown: JSON.stringify(word) });
    },
  );

  const declined = 'I will not name that person.';
  test.each<[string, Choice]>([
    ['a field', { message: { content: null, refusal: declined }, finish_reason: 'stop' }],
    ['a field beside content', { message: { content: 'It is', refusal: declined } }],
    ['a field of the choice', { message: { content: '' }, refusal: declined }],
    ['a part', { message: { content: [{ type: 'refusal', refusal: declined }] } }],
    [
      'a part beside text',
      {
        message: {
          content: [
            { type: 'text', text: 'It' },
            { type: 'refusal', refusal: 'No.' },
          ],
        },
      },
    ],
    ['a field of a cut answer', { message: { refusal: declined }, finish_reason: 'length' }],
    ['a field of a broken one', { message: { refusal: declined }, finish_reason: 'error' }],
    ['no message, only a filter', { finish_reason: 'content_filter', content_filter_results: {} }],
    ['no message at all', { message: null as never, finish_reason: 'SAFETY' }],
    ['a word behind a usual one', { finish_reason: 'stop', native_finish_reason: 'SAFETY' }],
  ])('with a refusal is refused: %s', (_, choice) => {
    expect(read(choice)).toBe('ContentRefused');
  });

  test.each<[string, Choice]>([
    ['null', { message: { content: 'Lima', refusal: null } }],
    ['nothing', { message: { content: 'Lima', refusal: '' } }],
    ['blanks', { message: { content: 'Lima', refusal: ' \n' } }],
    ['no text', { message: { content: 'Lima', refusal: false } }],
  ])('whose refusal is %s is none', (_, choice) => {
    expect(read(choice)).toBe('finished');
  });

  test('that broke off says so by an error in its choice, however that looks', () => {
    const said = fc.string().map((text) => `upstream ${text}`);
    const error = fc.oneof(
      said,
      fc.integer({ min: 1000 }),
      fc.record({ message: said }),
      fc.record({ code: fc.constantFrom('upstream_gone', null), message: said }),
      fc.record({ type: fc.constant('midstream'), metadata: fc.dictionary(said, fc.jsonValue()) }),
    );
    fc.assert(
      fc.property(error, fc.constantFrom(...WRITTEN), (one, content) => {
        const choice = { message: { content }, finish_reason: 'stop', error: one };
        expect(read(choice)).toBe('MalformedResponse');
      }),
    );
  });

  test.each([null, {}, '', { message: null, code: null }, []])(
    'has no error in an empty one: %j',
    (error) => {
      const choice = { message: { content: 'Lima' }, finish_reason: 'length', error };
      expect(read(choice)).toBe('cut');
    },
  );

  const call = { id: 'call_1', type: 'function', function: { name: 'search', arguments: '{}' } };
  test.each<[string, Choice, End]>([
    ['alone', { message: { content: null, tool_calls: [call] } }, 'MalformedResponse'],
    ['by its word', { message: { content: '' }, finish_reason: 'tool_calls' }, 'MalformedResponse'],
    ['of old', { message: { content: null, function_call: call } }, 'MalformedResponse'],
    ['beside text', { message: { content: 'Lima', tool_calls: [call] } }, 'finished'],
    ['none, listed', { message: { content: 'Lima', tool_calls: [] } }, 'finished'],
    [
      'before the limit',
      { message: { content: '', tool_calls: [call] }, finish_reason: 'length' },
      'cut',
    ],
  ])('that calls a tool has an answer only in its text: %s', (_, choice, end) => {
    expect(read(choice)).toBe(end);
  });
});

test.each<[string, unknown, End]>([
  ['by both words', { unified: 'stop', raw: 'end_turn' }, 'finished'],
  [
    'by its own word',
    { unified: 'other', raw: 'insufficient_system_resource' },
    'MalformedResponse',
  ],
  ['by the graver word', { unified: 'stop', raw: 'guardrail_intervened' }, 'ContentRefused'],
  ['by that of the SDK', { unified: 'content-filter', raw: 'policy 7' }, 'ContentRefused'],
  ['by an error of the SDK', { unified: 'error', raw: undefined }, 'MalformedResponse'],
  ['of which the SDK knows nothing', { unified: 'other', raw: 'moonset' }, { unknown: 'moonset' }],
  ['of which nobody says anything', { unified: 'other', raw: undefined }, { unknown: 'other' }],
  ['in version 2', 'length', 'cut'],
  ['in version 2, by an error', 'error', 'MalformedResponse'],
  ['in version 2, unknown', 'unknown', { unknown: 'unknown' }],
])('a result without the answer itself ends %s', (_, finishReason, end) => {
  const result = { content: [{ type: 'text', text: 'Lima' }], finishReason };
  expect(endOf(() => readResult(result, context, pricing))).toEqual(end);
});

test('a tool call is no text, as a part of a result too', () => {
  const content = [{ type: 'tool-call', toolName: 'search', input: '{}' }];
  const result = { content, finishReason: { unified: 'tool-calls', raw: 'STOP' } };
  expect(endOf(() => readResult(result, context, pricing))).toBe('MalformedResponse');
});

test.each<[string, Choice]>([
  ['a refusal', { message: { content: 'I', refusal: 'No.' } }],
  ['a filter without a message', { finish_reason: 'content_filter' }],
  ['an answer that broke off', { message: { content: 'Lim' }, finish_reason: 'abort' }],
])('what %s took is told with its failure', (_, choice) => {
  const spent = (body: object) => {
    try {
      readCompletion({ choices: [choice], ...body }, context, pricing);
    } catch (failure) {
      return reportedLoss(failure);
    }
    throw new Error('it was read');
  };
  const tokens = { promptTokens: 800, completionTokens: 90 };
  expect(spent({ usage })).toEqual({ attempts: 1, repeated: 0, ...tokens, costUsd: 0.00098 });
  expect(spent({})).toBeUndefined();
});

describe('through the AI SDK to an endpoint', () => {
  async function ended(choice: Choice) {
    const server = await serverThatGives({ status: 200, body: { choices: [choice], usage } });
    const near = createOpenAICompatible({ name: 'near', baseURL: server.baseUrl });
    const model = aiSdkModel(near, { provider: 'near', warn: () => {} });
    return model.complete(requestOf('Who?'), never()).then(
      ({ end }) => end,
      ({ type }) => type,
    );
  }
  const lima = { role: 'assistant', content: 'Lima' };
  test.each<[End, Choice]>([
    ['finished', { message: lima }],
    ['cut', { message: lima, finish_reason: 'model_length' }],
    [{ unknown: 'moonset' }, { message: lima, finish_reason: 'moonset' }],
    ['MalformedResponse', { message: lima, finish_reason: 'insufficient_system_resource' }],
    ['ContentRefused', { message: { ...lima, refusal: 'No.' }, finish_reason: 'stop' }],
    ['ContentRefused', { finish_reason: 'content_filter' }],
  ])('it is told as %j: %j', async (end, choice) => {
    expect(await ended(choice)).toEqual(end);
  });
});
