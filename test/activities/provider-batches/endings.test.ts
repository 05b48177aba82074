/** Every way in which a batch, or a line of it, can end: what comes of those who wait for it. */
import { describe, expect, it } from 'vitest';
import type { LineFault } from '../../support/batch-server.js';
import { type Collecting, collecting, questionIn } from '../../support/collecting.js';

const questions = ['river 1?', 'river 2?', 'river 3?', 'river 4?'];
const answers = questions.map((question) => `About ${question.slice(0, -1)}`);

/** The first time, the line of the first question ends so; later, or of others, well. */
const firstLine =
  (fault: LineFault, times = 1): NonNullable<Collecting['line']> =>
  ({ messages }, before) =>
    before < times && questionIn(messages[0]?.content) === 'river 1' ? fault : undefined;

/** What came out: answers or failures by question, lines by batch, how often each was paid. */
async function ended(options: Partial<Collecting>) {
  const { calls, batches, paid, left, made, effects } = await collecting({ questions, ...options });
  expect(left.filter((space) => space !== 'claim')).toEqual([]);
  const came = calls.map(({ output, failure }) => output?.value ?? failure?.type ?? null);
  const messages = calls.map(({ failure }) => failure?.message);
  const without = calls.map(({ output }) => output?.unsupported);
  const outputs = calls.map(({ output }) => output);
  const details = calls.map(({ failure }) => failure?.details);
  return { came, messages, without, outputs, details, batches, paid, made, effects };
}

describe('a batch that ends otherwise than well', () => {
  it('is looked at until it is over while it is validated, and while it goes on', async () => {
    const { came, batches, effects } = await ended({ durationMs: 1000 });
    expect({ came, batches }).toEqual({ came: answers, batches: [4] });
    expect(effects.filter((effect) => effect === 'look').length).toBeGreaterThan(1);
  });

  it.each<[string, NonNullable<Collecting['batch']>, number[]]>([
    ['it expired', (n) => (n === 0 ? { expires: 0.5 } : undefined), [4, 2]],
    ['it expired with nothing answered', (n) => (n === 0 ? { expires: 0 } : undefined), [4, 4]],
    ['it was cancelled', (n) => (n === 0 ? { cancelled: 0.75 } : undefined), [4, 1]],
    ['every line failed, so that there is no output file', faultOf('all-failed'), [4, 4]],
    ['its file was refused, nobody knows for which line', faultOf('refused'), [4, 4]],
    ['its answer got lost', faultOf('lost-answer'), [4]],
    ['it was not made at first', faultOf('not-made'), [4]],
    ['the connection broke while its output was read', faultOf('breaks'), [4]],
  ])('gives what was answered, and asks the rest again: %s', async (_, batch, lines) => {
    const { came, batches, paid } = await ended({ batch });
    expect({ came, batches }).toEqual({ came: answers, batches: lines });
    expect(paid).toEqual([1, 1, 1, 1]);
  });

  it('is made of fewer where it was more than may be under way', async () => {
    const { came, batches, paid } = await ended({ batch: faultOf('token-limit') });
    expect({ came, paid }).toEqual({ came: answers, paid: [1, 1, 1, 1] });
    expect(batches[0]).toBe(4);
    expect(batches[1]).toBeLessThanOrEqual(2);
  });

  it('fails the step of the line that its refused file names, and asks the others', async () => {
    const { came, messages, batches, paid } = await ended({ batch: faultOf('invalid') });
    expect(came.filter((one) => one === 'BadRequest')).toHaveLength(1);
    expect(came.filter((one) => answers.includes(one ?? ''))).toHaveLength(3);
    expect(messages.find((one) => one !== undefined)).toMatch(/line 1 \(invalid_json_line\)/);
    expect({ batches, paid }).toEqual({ batches: [4, 3], paid: [1, 1, 1] });
  });

  it('has what is behind the cut of its output asked again', async () => {
    const { came, batches, paid, effects } = await ended({ batch: faultOf('cut') });
    expect({ came, batches }).toEqual({ came: answers, batches: [4, 1] });
    // The provider has answered what it did not hand over.
    expect([...paid].sort()).toEqual([1, 1, 1, 2]);
    // In the hope of a whole file it was read three times.
    expect(effects.filter((effect) => effect === 'read a line')).toHaveLength(3 * 4 + 1);
  });
});

function faultOf<F extends string>(fault: F): (n: number) => F | undefined {
  return (n) => (n === 0 ? fault : undefined);
}

describe('a line that ends otherwise than well', () => {
  it.each<[string, LineFault, number[]]>([
    ['it failed', { status: 500, error: { message: 'broken' } }, [4, 1]],
    ['it was refused for rate', { status: 429, error: { message: 'slow down' } }, [4, 1]],
    ['it took too long', { code: 'request_timeout' }, [4, 1]],
    ['it was not asked', { code: 'batch_expired' }, [4, 1]],
    ['it is missing', 'missing', [4, 1]],
    ['it comes twice', 'twice', [4]],
    ['another one comes that nobody has asked', 'unknown-id', [4]],
  ])('is answered in the end, and paid once: %s', async (_, fault, lines) => {
    const { came, batches, paid } = await ended({ line: firstLine(fault) });
    expect({ came, batches }).toEqual({ came: answers, batches: lines });
    expect(paid).toEqual([1, 1, 1, 1]);
  });

  it.each<[string, LineFault]>([
    ['ContextTooLong', { status: 400, error: { code: 'context_length_exceeded', message: 'no' } }],
    ['QuotaExhausted', { status: 429, error: { code: 'insufficient_quota', message: 'no' } }],
    ['Authentication', { status: 401, error: { message: 'no' } }],
    ['UnknownModel', { status: 404, error: { code: 'model_not_found', message: 'no' } }],
    ['BadRequest', { status: 400, error: { message: 'no' } }],
  ])('fails its step as the call by itself would: %s', async (type, fault) => {
    const { came, batches } = await ended({ line: firstLine(fault, 9) });
    expect(came).toEqual([type, ...answers.slice(1)]);
    expect(batches).toEqual([4]);
  });

  it('fails its step after as many attempts as it may have, however they failed', async () => {
    const faults: LineFault[] = ['missing', { status: 503, error: { message: 'busy' } }];
    const { came, messages, batches } = await ended({
      call: { attempts: 2 },
      line: (body, times) => firstLine(faults[times] ?? 'missing', 9)(body, times),
    });
    expect(came).toEqual(['Overloaded', ...answers.slice(1)]);
    expect(messages[0]).toMatch(/Given up after 2 failed attempts\.$/);
    expect(batches).toEqual([4, 1]);
  });

  it('counts no attempt where a batch ended before it was asked', async () => {
    const batch = (n: number) => (n < 3 ? { expires: 0 } : undefined);
    const { came, batches } = await ended({ call: { attempts: 1 }, batch });
    expect({ came, batches }).toEqual({ came: answers, batches: [4, 4, 4, 4] });
  });

  it('has a refused parameter left out of the next batches, and counts no attempt', async () => {
    const refusal = { status: 400, error: { param: 'temperature', message: 'Unsupported value' } };
    const { came, made, without } = await ended({
      call: { attempts: 1 },
      line: ({ temperature }) => (temperature === undefined ? undefined : refusal),
    });
    expect(came).toEqual(answers);
    // Each answer says what it came without.
    expect(without).toEqual(new Array(4).fill(['temperature']));
    const asked = made.map(({ lines }) => lines.map(({ body }) => 'temperature' in body));
    expect(asked).toEqual([new Array(4).fill(true), new Array(4).fill(false)]);
  });

  it('asks the next batches with a limit that the model takes, and counts no attempt', async () => {
    const most = [40, 30, 36, 50];
    let seen = 0;
    const { came, made } = await ended({
      call: { attempts: 1, parameters: { maxTokens: 64 } },
      line: ({ max_tokens }) => {
        if (Number(max_tokens) <= 30) return undefined;
        const message = `max_tokens must be at most ${most[seen++ % 4]}, not ${max_tokens}`;
        return { status: 400, error: { message } };
      },
    });
    expect(came).toEqual(answers);
    const limits = made.map(({ lines }) => lines.map(({ body }) => body.max_tokens));
    expect(limits).toEqual([new Array(4).fill(64), new Array(4).fill(30)]);
  });
});

describe('an answer of a line that ends otherwise than well', () => {
  const usage = { prompt_tokens: 90, completion_tokens: 4 };
  /** The first answers to the first question end so, all others well. */
  function replying(...ends: string[]): NonNullable<Collecting['reply']> {
    return ({ messages }) => {
      const asked = questionIn(messages[0]?.content);
      const finishReason = asked === 'river 1' ? ends.shift() : undefined;
      return { text: `About ${asked}`, usage, ...(finishReason && { finishReason }) };
    };
  }

  it('is asked for again where it broke off, and what it took is counted', async () => {
    const reply = replying('network_error', 'abort');
    const { came, batches, outputs } = await ended({ reply });
    expect({ came, batches }).toEqual({ came: answers, batches: [4, 1, 1] });
    const estimated = { attempts: 2, repeated: 0, promptTokens: 180, completionTokens: 8 };
    expect(outputs[0]?.usage).toMatchObject({ promptTokens: 270, estimated });
    expect(outputs[1]?.usage).not.toHaveProperty('estimated');
  });

  it.each([
    ['ContentRefused', ['SAFETY'], 1],
    ['MalformedResponse', ['error', 'error'], 2],
  ])('fails its step with what it took: %s', async (type, ends, times) => {
    const reply = replying(...ends);
    const { came, details } = await ended({ call: { attempts: 2 }, reply });
    expect(came).toEqual([type, ...answers.slice(1)]);
    expect(details[0]).toMatchObject([
      { estimated: { attempts: times, promptTokens: 90 * times } },
    ]);
  });

  it('is told where its end is not known', async () => {
    const { came, outputs } = await ended({ reply: replying('moonset') });
    expect(came).toEqual(answers);
    expect(outputs.map((output) => output?.unknownEnd)).toEqual(['moonset', ...Array(3)]);
  });
});

it('asks in a batch for all that the call by itself would have asked for', async () => {
  const { came, made } = await ended({
    call: { form: 'schema', parameters: { reasoningEffort: 'low' } },
    reply: ({ messages }) => ({
      text: JSON.stringify({ answer: `About ${questionIn(messages[0]?.content)}` }),
    }),
  });
  expect(came).toEqual(answers);
  for (const { body } of made.flatMap(({ lines }) => lines)) {
    expect(body).toMatchObject({
      reasoning_effort: 'low',
      response_format: { type: 'json_schema' },
    });
  }
});

it('gives an answer that cannot be read to each who asked for it', async () => {
  const same = ['river 1?', 'river 1?', 'river 2?'];
  const reply: Collecting['reply'] = ({ messages }) => ({
    text: questionIn(messages[0]?.content) === 'river 1' ? '...' : 'Bell',
  });
  const { calls, batches, paid } = await collecting({ questions: same, reply });
  expect(calls.map(({ output }) => [output?.value, output?.unread])).toEqual([
    [null, '...'],
    [null, '...'],
    ['Bell', undefined],
  ]);
  expect(calls.map(({ output }) => output?.usage.cached)).toEqual([false, true, false]);
  expect({ batches, paid }).toEqual({ batches: [2], paid: [1, 1] });
});

it('counts what its calls have cost for the tenant that pays for them', async () => {
  const { calls, accounts } = await collecting({
    // Two equal calls are one request.
    questions: [...questions, 'river 4?'],
    call: { tenant: 'acme' },
  });
  const costs = calls.map(({ output }) => output?.usage.costUsd ?? null);
  expect(costs.every((cost) => cost !== null)).toBe(true);
  const [account, ...others] = accounts;
  expect(others).toEqual([]);
  expect(account).toMatchObject({
    tenant: 'acme',
    usage: {
      calls: 5,
      cachedCalls: 1,
      costUsd: expect.closeTo(costs.reduce((a, b) => Number(a) + Number(b), 0) ?? 0, 9),
    },
  });
});
