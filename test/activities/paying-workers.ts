/** Workers that ask the same of a model at the same time, without a server. */
import { EventEmitter, once } from 'node:events';
import type { Ports, QuestionWatch } from '../../activities/runtime/ports.js';
import { ResponseCache } from '../../llm/response-cache.js';
import type { SentCall } from '../../steps/call.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { type ScriptedReply, scriptedModel } from '../../testing/scripted-model.js';
import { type AttemptOptions, attempt } from '../support/activity.js';
import { testPorts } from '../support/ports.js';
import { answer, prompts } from './paying.js';

export const LEASE_MS = 1500;

/** A process with a way to the store of all; it can be stopped, and go on or not. */
class Way extends MemoryStore {
  #gone: Promise<void> | undefined;
  goOn = () => {};
  constructor(private readonly all: MemoryStore) {
    super();
  }
  stop(): void {
    this.#gone = new Promise((resolve) => {
      this.goOn = resolve;
    });
  }
  override async get(key: string) {
    await this.#gone;
    return this.all.get(key);
  }
  override async setIfAbsent(key: string, value: string) {
    await this.#gone;
    return this.all.setIfAbsent(key, value);
  }
  override async compareAndSet(key: string, before: string, value: string) {
    await this.#gone;
    return this.all.compareAndSet(key, before, value);
  }
}

/** Workers that share a store, in which leases last for LEASE_MS, and a model. */
export function payingWorkers(script: Omit<ScriptedReply, 'step'>[], isRunning = true) {
  const model = scriptedModel(script.map((line) => ({ step: 'read', ...line })));
  const heard = new EventEmitter();
  const llm: typeof model = {
    ...model,
    complete(...given) {
      const said = model.complete(...given);
      heard.emit('asked');
      return said;
    },
  };
  const all = new MemoryStore();
  const worker = (leaseMs = LEASE_MS) => {
    const way = new Way(all);
    const responses = new ResponseCache(way, leaseMs);
    const watch: QuestionWatch = {
      ended: async () => [],
      isRunning: async () => isRunning,
      runsOf: async () => 1,
    };
    const ports = { ...testPorts(llm, { responses, prompts }), watch } as Ports;
    const ask = (options: AttemptOptions = {}, call: Partial<SentCall> = {}) =>
      attempt(() => answer(ports, call), options);
    return { way, ask };
  };
  /** Resolves once the model has been asked so often. */
  const asked = async (times: number) => {
    while (model.requests.length < times) await once(heard, 'asked');
  };
  return { model, worker, asked };
}

/** One that is cancelled for this reason when it is called. */
export function cancelling(cancellation: NonNullable<AttemptOptions['cancellation']>): {
  options: AttemptOptions;
  cancel(): void;
} {
  const controller = new AbortController();
  const options = { signal: controller.signal, cancellation };
  return { options, cancel: () => controller.abort(new Error('cancelled')) };
}
