/** Every method over the records of its calls, with one missing or changed. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type MethodName, methods } from '../../interpreters/methods.js';
import { planInterpreter } from '../../interpreters/planning.js';
import {
  type Call,
  type FinishedCall,
  type Perform,
  runAlgorithm,
} from '../../workflows/algorithm.js';
import type { OwnMethod } from '../../workflows/define-method.js';
import { callAddresses, recordsOf, replayCalls } from '../../workflows/replaying.js';
import { optionSets } from '../support/option-sets.js';

const WORLD = {
  passages: Array.from({ length: 60 }, (_, i) => ({ id: '', title: `T${i}`, text: 'text' })),
  available: Infinity,
  outputTokens: 40,
};
const addressOf = callAddresses();

/** A number from 0 to 1 that a text decides. */
function drawn(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE() / 2 ** 32;
}

/** What a model might have said: outputs as planned, with verdicts, votes and scores drawn. */
function spoken(seed: number): Perform {
  const { perform } = planInterpreter(WORLD);
  const said = new Map<string, Promise<unknown>>();
  return (call) => {
    const address = addressOf(call);
    // Equal calls share an output, as they do in a response cache.
    const output =
      said.get(address) ?? say(call, drawn(`${seed} ${address}`), perform(call)).then(frozen);
    said.set(address, output);
    return output;
  };
}

/** An algorithm that changes what a step gave would change its records. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null)
    Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

async function say({ step }: Call, chance: number, planned: Promise<unknown>): Promise<unknown> {
  const output = await planned;
  if (step === 'validate' || step === 'verifyClassify') return chance < 0.5;
  if (step === 'rankPair') return chance < 0.4 ? 'first' : chance < 0.8 ? 'second' : null;
  if (step === 'scoreAnswer') return chance;
  if (step === 'selectDocuments') return [1 + Math.floor(chance * 9), 2];
  if (step === 'infer') return chance < 0.8 ? null : 'inferred';
  return typeof output === 'string' && chance < 0.1 ? `${output.slice(0, 5)}…` : output;
}

async function played(method: MethodName, options: object, perform: Perform) {
  const { algorithm, options: schema } = methods[method] as OwnMethod<unknown>;
  if (!algorithm) throw new Error(`${method} declares no algorithm.`);
  const asked = { question: 'Who wrote it?', options: schema.parse(options) };
  return runAlgorithm(algorithm, asked, { perform, flag: () => {} });
}

const refuse: Perform = ({ step, label }) =>
  Promise.reject(new Error(`${step} was asked anew: ${label}`));

describe.each(optionSets)('%s %j', (method, options) => {
  it('names a call that the records do not have', async () => {
    const { calls } = await played(method, options, spoken(3));
    const gone = calls[Math.floor(calls.length / 2)] as FinishedCall;
    const rest = calls.filter((call) => addressOf(call) !== addressOf(gone));
    await expect(played(method, options, replayCalls(recordsOf(rest)))).rejects.toThrow(
      `The records of the question have no call of ${gone.step} (${gone.label})`,
    );
    // What is asked anew is that call alone, where it says the same again.
    const asked: string[] = [];
    const otherwise: Perform = async (call) => {
      asked.push(addressOf(call));
      return gone.output;
    };
    await played(method, options, replayCalls(recordsOf(rest), { otherwise }));
    expect(new Set(asked)).toEqual(new Set([addressOf(gone)]));
  });
});

it('does not answer from records of another shape', async () => {
  const { calls } = await played('sure', {}, spoken(6));
  const older = calls.map((call) => ({ ...call, input: { ...(call.input as object), v: 1 } }));
  await expect(
    played('sure', {}, replayCalls(recordsOf(older), { otherwise: refuse })),
  ).rejects.toThrow('retrieve was asked anew');
});

it('knows a call by its step and input alone, however their fields stand', () => {
  const text = 'x'.repeat(5000);
  const one = addressOf({ step: 'validate', input: { question: 'q', summary: text } });
  expect(addressOf({ step: 'validate', input: { summary: text, question: 'q' } })).toBe(one);
  expect(addressOf({ step: 'summarize', input: { question: 'q', summary: text } })).not.toBe(one);
  expect(addressOf({ step: 'validate', input: { question: 'q', summary: `${text}y` } })).not.toBe(
    one,
  );
  expect(one.length).toBeLessThan(60);
});
