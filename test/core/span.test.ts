import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unionMs } from '../../core/span.js';
import { type CallEvent, type CallRecord, workingSeconds } from '../../steps/call-record.js';

test('counts each millisecond once, in whichever order the spans come', () => {
  const spans = fc.array(fc.record({ from: fc.nat(60), ms: fc.nat(20) }), { maxLength: 12 });
  fc.assert(
    fc.property(spans, (given) => {
      const seen = new Set(
        given.flatMap(({ from, ms }) => Array.from({ length: ms }, (_, i) => from + i)),
      );
      expect(unionMs(given)).toBe(seen.size);
    }),
  );
});

const usage = { cached: false, promptTokens: 0, cachedPromptTokens: 0, completionTokens: 0 };
const lost = { attempts: 1, repeated: 0, promptTokens: 1, completionTokens: 1, costUsd: 0 };

/** An answer of a model that came from one time to another, in seconds. */
function called(from?: number, until = 0): CallEvent {
  const ran = from !== undefined && { ran: { from: from * 1000, ms: (until - from) * 1000 } };
  const output = { usage: { ...usage, costUsd: 0 }, model: 'm', prompt: 'p', key: 'k', ...ran };
  return { kind: 'called', output, last: true };
}

const call = (...events: CallEvent[]): Pick<CallRecord, 'events' | 'taken'> => ({ events });

test('a question works while an attempt runs that ends well', () => {
  const search: CallEvent = { kind: 'searched', found: 3, ran: { from: 0, ms: 500 } };
  const look: CallEvent = { kind: 'computed', ran: { from: 20_000, ms: 250 } };
  const embed: CallEvent = {
    kind: 'embedded',
    output: { model: 'e', usage: { ...usage, costUsd: 0 }, ran: { from: 250, ms: 500 } },
  };
  expect(workingSeconds([])).toBe(0);
  // It waited from 1 to 10 and from 13 on, and two calls ran side by side.
  const calls = [call(search), call(embed), call(called(10, 12)), call(called(11, 13)), call(look)];
  expect(workingSeconds(calls)).toBe(0.75 + 3 + 0.25);
  // An output that was asked for again took both of its calls; an attempt that failed, nothing.
  const again = call({ kind: 'lost', estimated: lost }, called(0, 1), called(5, 6));
  expect(workingSeconds([again])).toBe(2);
  // What another run has paid for took nothing here, and of a batch nobody knows how long it ran.
  expect(workingSeconds([{ ...call(called(0, 100)), taken: true }, call(called(0, 1))])).toBe(1);
  expect(workingSeconds([call(called()), call(called(0, 1))])).toBeUndefined();
});
