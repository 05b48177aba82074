/** Every method from the records of its calls: the same answer, chain, flags and usage. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { MethodInput } from '../../core/options/input.js';
import type { MethodResult } from '../../core/result.js';
import { methodRegistry } from '../../interpreters/methods.js';
import { replay } from '../../interpreters/replay.js';
import { scriptedCalls } from '../../interpreters/scripted.js';
import type { LanguageModel } from '../../llm/language-model.js';
import { callsOf, packCalls } from '../../stores/runs/call-records.js';
import type { ScriptedStep } from '../../testing/scripted-model.js';
import { answered, defineMethod } from '../../workflows/declare.js';
import { tokens } from '../support/completion.js';
import { optionSets } from '../support/option-sets.js';
import { fixedCorpora, testPorts } from '../support/ports.js';
import { modelThatSays } from '../support/saying.js';

/** A number from 0 to 1 that a text decides. */
function drawn(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32;
}

const SAID: Partial<Record<ScriptedStep, string[]>> = {
  generateCandidates: ['(a) Bell, (b) Reis'],
  validate: ['True', 'False'],
  rankPair: ['Passage 1', 'Passage 2'],
  rankPassages: ['[2] > [1] > [3]'],
  scoreAnswer: ['0.2', '0.9'],
  verifyClassify: ['[YES]', '[NO]'],
  verifyScore: ['[1]', '[4]'],
  selectDocuments: ['Selected passages: 1 3', 'Selected passages: 2'],
  followUp: ['Follow up: Who filed first?\nSo the final answer is: Bell'],
  selfAsk: ['So the final answer is: Bell'],
  reason: ['It is so.\nAnswer: Bell'],
  takeNotes: ['Note 1 (relevant): Bell did.\nAnswer: Bell'],
  nextThought: ['Thought: Bell filed first.', 'Answer: Bell'],
};

/** Says what chance decides, after a time that it decides, and now and then nothing readable. */
function drawnModel(): LanguageModel {
  let calls = 0;
  return modelThatSays(async ({ prompt, step }) => {
    const chance = drawn(`${step} ${prompt}`);
    await sleep(drawn(`${calls++}`) * 5);
    const said = SAID[step] ?? ['Bell', `It is Bell, as told by ${chance}.`];
    return {
      text: chance < 0.1 ? '' : (said[Math.floor(chance * said.length)] ?? ''),
      ...{ cut: chance > 0.95, usage: tokens(100, 7, 5), costUsd: 0.25 },
      servedModel: chance < 0.5 ? 'drawn-a' : 'drawn-b',
    };
  });
}

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
    const { result, calls } = await scriptedCalls(method, input, ports);
    expect(result.outcome).not.toBe('failed');
    const kept = callsOf({ id: 'q', calls: packCalls(calls) }) ?? [];
    const again = await replay(registry.get(method) as never, input, kept);
    expect(known(again.result)).toEqual(known(result));
  });
});
