/** Asks a model the steps of the methods outside of any workflow, and records what it wrote. */
import { join } from 'node:path';
import { createPromptLibrary } from '../../activities/runtime/prompts.js';
import type { PromptPorts } from '../../activities/runtime/render-prompt.js';
import { requestOf } from '../../activities/runtime/run-model-step.js';
import { canonicalJson } from '../../core/canonical-json.js';
import type { LanguageModel } from '../../llm/language-model.js';
import { withoutThinking } from '../../llm/thinking.js';
import { type ModelStep, outputOf } from '../../steps/define.js';
import { modelSteps } from '../../steps/table.js';
import { demonstrationSets } from '../../stores/demonstration-sets.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { packageRoot } from '../../stores/package-root.js';
import type { Steps } from '../../workflows/algorithm.js';
import { shownPassages } from './questions.js';
import { addRecorded, type Recorded, readRecorded, type StepName } from './recorded.js';

/** How often an unreadable output is asked again: `limits.reasks` by default. */
export const REASKS = 2;

const SEED = 0;
const OTHER_PROMPTS = join(packageRoot(), 'bench', 'readings', 'prompts');

export interface Asking {
  /** The steps of one question, each asked one call after the other. */
  stepsOf(question: string): Pick<Steps, StepName>;
  /** Whether a step has been asked less often than is wanted. */
  wants(step: StepName): boolean;
}

export interface AskingOptions {
  llm: LanguageModel;
  model: string;
  /** Where the calls are kept. */
  folder: string;
  /** How many outputs of a step are wanted. */
  perStep: number;
  /** A folder of `bench/readings/prompts`, to compare wordings. @default 'default' */
  prompts?: string | undefined;
  onAsked?: (one: Recorded) => void;
}

/** What the folder has already is taken from there. */
export async function createAsking(options: AskingOptions): Promise<Asking> {
  const { llm, model, folder, perStep, prompts = 'default', onAsked } = options;
  const kept = new Map(
    (await readRecorded(folder, model)).map((one) => [one.request, one] as const),
  );
  const asked = new Map<StepName, number>();
  const ports: PromptPorts = {
    passages: shownPassages,
    prompts: createPromptLibrary(OTHER_PROMPTS),
    demonstrationSets: demonstrationSets(new MemoryStore()),
    corpora: {
      open: () => Promise.reject(new Error('Every question brings its passages here.')),
    },
  };

  async function ask(name: StepName, question: string, input: unknown): Promise<unknown> {
    const step = modelSteps[name] as ModelStep<unknown, unknown>;
    asked.set(name, (asked.get(name) ?? 0) + 1);
    for (let attempt = 0; ; attempt++) {
      const output = await complete(name, step, question, input, attempt);
      const value = outputOf(step, input).read(output);
      if (value !== undefined) return value;
      if (attempt === REASKS) return step.fallback(output, input);
    }
  }

  async function complete(
    name: StepName,
    step: ModelStep<unknown, unknown>,
    question: string,
    input: unknown,
    attempt: number,
  ): Promise<Recorded> {
    const call = { model, corpus: null, seed: SEED, attempt, prompts };
    const { request, hash } = await requestOf(step, input, call, ports);
    const key = canonicalJson({ step: name, ...request });
    const before = kept.get(key);
    if (before) return before;
    const completion = withoutThinking(await llm.complete(request, new AbortController().signal));
    const { text, cut, logprob, usage } = completion;
    const prompt = request.messages.map(({ content }) => content).join('\n');
    const one: Recorded = {
      ...{ model, step: name, question, hash, attempt, input, prompt, text, cut, logprob },
      ...usage,
      request: key,
    };
    await addRecorded(folder, one);
    kept.set(key, one);
    onAsked?.(one);
    return one;
  }

  return {
    wants: (step) => (asked.get(step) ?? 0) < perStep,
    stepsOf: (question) =>
      Object.fromEntries(
        (Object.keys(modelSteps) as StepName[]).map((name) => [
          name,
          (input: unknown) => ask(name, question, input),
        ]),
      ) as unknown as Pick<Steps, StepName>,
  };
}
