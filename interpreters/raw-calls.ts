/** Reads the prompts and replies of a stored question's calls. */
import { corpusName } from '../activities/run/run-of.js';
import { requestOf, responseKey } from '../activities/runtime/model-request.js';
import type { OfflinePorts } from '../activities/runtime/ports.js';
import { CALL_DEFAULTS } from '../core/call-defaults.js';
import { Failure } from '../core/failure.js';
import { methodNamed } from '../core/method-registry.js';
import { parseInput } from '../core/options/input.js';
import { modelFor, outputFor, promptsFor } from '../core/step-models.js';
import { callNames } from '../evaluation/runs/call-names.js';
import type { StepCall } from '../steps/call.js';
import type { CallRecord } from '../steps/call-record.js';
import type { RunManifest, RunQuestion } from '../stores/runs/run-store.js';
import { runAlgorithm } from '../workflows/algorithm.js';
import { callAddresses, replayCalls } from '../workflows/replaying.js';
import { modelStepNamed } from './planning.js';
import { algorithmOf } from './replay.js';

/** A model call of a question, with the prompt and reply of each attempt, first attempt first. */
export interface RawCall {
  /** Name of the call in the question, such as its step with a number. */
  name: string;
  /** Address of the call's record, by which the record is found. */
  address: string;
  /** Label of the call, such as a candidate; '' for none. */
  label: string;
  asked: {
    /** The prompt; null if its file, passages or settings have changed. */
    prompt: string | null;
    /** The reply; null if the store no longer has it. */
    reply: string | null;
  }[];
}

/**
 * Returns a question's model calls with their prompts, rendered again, and their replies from the
 * store, in the order of the records. A prompt is returned only if its request has the key of the
 * stored response. Makes no call.
 */
export async function rawCalls(
  manifest: Pick<RunManifest, 'corpus' | 'input' | 'provider'>,
  question: RunQuestion,
  records: readonly CallRecord[],
  ports: OfflinePorts,
): Promise<RawCall[]> {
  const inputs = await inputsOf(manifest, question, records, ports);
  const names = callNames(records);
  const corpus = question.stored ? null : corpusName(manifest);
  const raw = records.map(async ({ address, step, label, events }) => {
    const called = events.flatMap((event) => (event.kind === 'called' ? [event.output] : []));
    const asked = called.map(async ({ key }, attempt) => {
      const doubled = called.slice(0, attempt).some(({ cut }) => cut);
      const sent = { manifest, corpus, attempt, doubled, key };
      return {
        prompt: inputs.has(address) ? await promptOf(step, inputs.get(address), sent, ports) : null,
        reply: (await ports.responses.text(key)) ?? null,
      };
    });
    return { name: names.get(address) ?? step, address, label, asked: await Promise.all(asked) };
  });
  return (await Promise.all(raw)).filter(({ asked }) => asked.length > 0);
}

/**
 * Returns the inputs of the calls, by address, that the algorithm makes until a record is missing.
 */
async function inputsOf(
  { input: { method, options } }: Pick<RunManifest, 'input'>,
  { question }: RunQuestion,
  records: readonly CallRecord[],
  { methods }: OfflinePorts,
): Promise<Map<string, unknown>> {
  const inputs = new Map<string, unknown>();
  const addressOf = callAddresses();
  const replayed = replayCalls(records);
  const known = methodNamed(method, methods);
  const asked = parseInput(known, { question, options }, true);
  const perform: typeof replayed = (call, before) => {
    inputs.set(addressOf(call), call.input);
    return replayed(call, before);
  };
  await runAlgorithm(algorithmOf(known), asked, { perform, flag: () => {} }).catch(
    noneIfIncompatible,
  );
  return inputs;
}

function noneIfIncompatible(error: unknown): void {
  if (!(error instanceof Failure && error.type === 'Incompatible')) throw error;
}

interface SentAttempt {
  manifest: Pick<RunManifest, 'input' | 'provider'>;
  corpus: string | null;
  attempt: number;
  /** Whether an earlier attempt was cut. */
  doubled: boolean;
  /** Key of the stored response. */
  key: string;
}

async function promptOf(
  name: string,
  input: unknown,
  { manifest: { input: spec, provider }, corpus, attempt, doubled, key }: SentAttempt,
  ports: OfflinePorts,
): Promise<string | null> {
  const step = modelStepNamed(name, ports.steps);
  const call: StepCall = {
    ...CALL_DEFAULTS,
    ...modelFor(name, spec, ports.defaultModel),
    corpus,
    attempt,
    doubled,
    seed: spec.seed,
    prompts: promptsFor(name, spec.prompts),
    form: outputFor(name, spec.outputs),
  };
  try {
    const { request } = await requestOf(step, input as object, call, ports);
    if (responseKey(step, input as object, request, call, { provider }) !== key) return null;
    return request.messages.map(({ content }) => content).join('\n');
  } catch (error) {
    // A passage or a prompt set no longer exists.
    if (error instanceof Failure) return null;
    throw error;
  }
}
