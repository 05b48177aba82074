/** How often a step is asked, with what, and which of its outputs counts. */
import { ApplicationFailure } from '@temporalio/workflow';
import { describe, expect, it } from 'vitest';
import { parseInput } from '../../core/options/input.js';
import { methods } from '../../interpreters/methods.js';
import type { SentCall } from '../../steps/call.js';
import type { OutputRow } from '../../steps/output-row.js';
import { Ledger } from '../../workflows/question/ledger.js';
import { QuestionCalls } from '../../workflows/question/question-calls.js';
import { type StepActivities, waitingOptions } from '../../workflows/question/step-activities.js';

/**
 * Asks a step that gives these outputs. Returns its value, what it was sent, and the outputs that
 * the ledger counts, each with whether its value counts. `?` marks an output that cannot be read,
 * `...?` one of thinking only, `~?` one that was cut, `~~?` one that was cut and took long. "late" and
 * "away" are failures.
 */
async function asked(outputs: string[], input: object = {}, corpus: string | null = 'wiki') {
  const { options, steps } = methods.base;
  const parsed = parseInput<unknown>({ options, steps }, { question: 'Who?', ...input });
  const retrieval = corpus === null ? { supplied: [] } : { corpus };
  const settings = { input: { ...parsed, retrieval }, defaultModel: 'small' };
  const sent: SentCall[] = [];
  const activities: Pick<StepActivities, 'ask'> = {
    async ask(_step, _input, one) {
      sent.push(one);
      const text = outputs[one.attempt ?? 0] ?? 'too often';
      if (text === 'late') throw ApplicationFailure.nonRetryable('too late', 'Timeout');
      if (text === 'away') throw ApplicationFailure.nonRetryable('gone', 'Overloaded');
      return {
        value: text,
        ...(text.endsWith('?') ? { unread: text } : {}),
        ...(text.includes('...') ? { thinking: 64 } : {}),
        ...(text.includes('~') ? { cut: true, mostTokens: 99 } : {}),
        ...(text.includes('~~') ? { tooSlow: true } : {}),
        usage: {},
        prompt: 'a1',
        key: 'k1',
      } as OutputRow<string>;
    },
  };
  const ledger = new Ledger('base', 'Who?');
  const perform = new QuestionCalls(
    settings,
    () => activities as StepActivities,
    ledger,
    async () => {},
  ).perform;
  const call = { step: 'read', input: { question: 'Who?', passages: ['p1'] }, label: '' };
  const value = await perform(call);
  const told = ledger.calls.flatMap(({ events }) =>
    events.map((event, i): [output: string, counts: boolean] => {
      if (event.kind === 'called') return [outputs[i] ?? '', event.last];
      return [`${outputs[i - 1]} (${outputs[i]})`, event.kind === 'lost' && event.late === true];
    }),
  );
  return { value, sent, told };
}

it('asks once where the output can be read, and sends no default', async () => {
  const { value, sent, told } = await asked(['Bell']);
  expect({ value, sent, told }).toEqual({
    value: 'Bell',
    sent: [{ model: 'small', corpus: 'wiki' }],
    told: [['Bell', true]],
  });
});

it('asks again until it can be read, each time as another attempt', async () => {
  const { value, sent, told } = await asked(['a?', 'b?', 'Bell'], { limits: { reasks: 3 } });
  expect(value).toBe('Bell');
  expect(sent.map(({ attempt }) => attempt)).toEqual([undefined, 1, 2]);
  expect(told.map(([, last]) => last)).toEqual([false, false, true]);
});

it('takes what stands in for the last one where none could be read', async () => {
  const { value, told } = await asked(['a?', 'b?', 'Bell'], { limits: { reasks: 1 } });
  expect(value).toBe('b?');
  expect(told).toEqual([
    ['a?', false],
    ['b?', true],
  ]);
});

it('says that the one before spent its tokens thinking, from then on', async () => {
  const { sent } = await asked(['a?', '...?', 'b?', 'Bell'], { limits: { reasks: 3 } });
  expect(sent.map(({ thinks }) => thinks)).toEqual([undefined, undefined, true, true]);
});

describe('an output that was cut', () => {
  const limits = { reasks: 5 };
  it.each<[string[], string, (boolean | undefined)[]]>([
    [['a~?', 'Bell'], 'Bell', [undefined, true]],
    [['a~?', 'b~?', 'Bell'], 'b~?', [undefined, true]],
    [['a?', 'b~?', 'c?', 'Bell'], 'Bell', [undefined, undefined, true, true]],
    [['a?', 'b~?', 'c?', 'd~?', 'Bell'], 'd~?', [undefined, undefined, true, true]],
    [['...~?', 'b~?', 'Bell'], 'b~?', [undefined, true]],
    [['a~', 'Bell'], 'a~', [undefined]],
    [['a~~?', 'Bell'], 'a~~?', [undefined]],
    [['a~?', 'late'], 'a~?', [undefined, true]],
    [['a?', 'b~?', 'late'], 'b~?', [undefined, undefined, true]],
  ])('is asked again once, with twice the room: %j gives %s', async (outputs, value, doubled) => {
    const asking = await asked(outputs, { limits });
    expect(asking.value).toBe(value);
    expect(asking.sent.map((one) => one.doubled)).toEqual(doubled);
    expect(asking.told.filter(([, last]) => last)).toHaveLength(1);
  });

  it('is asked within what can be written in time, at the speed that was seen', async () => {
    const { sent } = await asked(['a?', '...~?', 'b?', 'Bell'], { limits });
    expect(sent.map(({ mostTokens }) => mostTokens)).toEqual([undefined, undefined, 99, 99]);
  });

  it.each([
    [['late'], 'too late'],
    [['a?', 'late'], 'too late'],
    [['a~?', 'away'], 'gone'],
  ])('stands for no other failure than that of twice the room: %j', async (outputs, message) => {
    await expect(asked(outputs, { limits })).rejects.toThrow(message);
  });
});

it('sends the model of the step, then that of all steps, and what differs from the defaults', async () => {
  const models = { default: 'middle', read: 'big' };
  const { sent } = await asked(['Bell'], { models, seed: 7, limits: { attempts: 2 } }, null);
  expect(sent).toEqual([{ model: 'big', seed: 7, attempts: 2 }]);
  const others = await asked(['Bell'], { models: { default: 'middle' } });
  expect(others.sent[0]?.model).toBe('middle');
});

it('sends the parameters that are set for the step, and the form where it is another one', async () => {
  const models = { read: { model: 'large', temperature: 1, maxTokens: 9 } };
  const { sent } = await asked(['Bell'], { models, outputs: 'schema' });
  expect(sent).toEqual([
    {
      model: 'large',
      parameters: { temperature: 1, maxTokens: 9 },
      corpus: 'wiki',
      form: 'schema',
    },
  ]);
});

it('gives a step at the flex tier the time of that tier, its activity too', async () => {
  const { sent } = await asked(['Bell'], { tier: { read: 'flex' } });
  expect(sent[0]).toMatchObject({ tier: 'flex', timeoutSeconds: 900 });
  const { limits } = parseInput(methods.base, { question: 'Who?' });
  expect(waitingOptions(limits, 'flex', undefined)).toEqual({ startToCloseTimeout: 930_000 });
  expect(waitingOptions(limits, 'standard', undefined)).toEqual({});
});
