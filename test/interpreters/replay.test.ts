/** Every method from the records of its calls: the same answer, chain, flags and usage. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { MethodInput } from '../../core/options/input.js';
import type { MethodResult } from '../../core/result.js';
import { methodRegistry } from '../../interpreters/methods.js';
import { replay } from '../../interpreters/replay.js';
import { answerAndRecordCalls } from '../../interpreters/scripted.js';
import { callsOf, packCalls } from '../../stores/runs/call-records.js';
import { answered, defineMethod } from '../../workflows/declare.js';
import { drawnModel } from '../support/drawn-model.js';
import { optionSets } from '../support/option-sets.js';
import { fixedCorpora, testPorts } from '../support/ports.js';

const twice = defineMethod({
  name: 'twice',
  title: 'Asks twice',
  options: z.strictObject({ passages: z.int().default(2) }),
  async algorithm({ question, options, step, flag }) {
    const found = await step.retrieve({ query: question, count: options.passages });
    const read = async (passages: typeof found) =>
      step.read({ question, passages: passages.map(({ id }) => id), demonstrations: [] });
    const [one, other] = await Promise.all([read(found), read(found.slice(0, 1))]);
    if (one !== other) flag('fallback', 'read', 'They differ.');
    const evidence = found.map(({ id }) => id);
    return answered(one ?? other ?? 'none', evidence, other);
  },
});
const registry = methodRegistry([twice]);

/** Without what only its workflow knows. */
const known = ({ workflowId: _, ...result }: MethodResult) => result;

describe.each([...optionSets, ['twice', {}] as const])('%s %j', (method, options) => {
  it('is replayed from what is kept of its calls', async () => {
    const input = { question: 'Who invented it?', options } as MethodInput<object>;
    const ports = testPorts(drawnModel(), { corpora: fixedCorpora(), methods: registry });
    const { result, calls } = await answerAndRecordCalls(method, input, ports);
    expect(result.outcome).not.toBe('failed');
    const kept = callsOf({ id: 'q', calls: packCalls(calls) }) ?? [];
    const again = await replay(registry.get(method) as never, input, kept);
    expect(known(again.result)).toEqual(known(result));
  });
});
