/** Tests of a method without a server: each is a script, and what comes of it. */
import { expect, it } from 'vitest';
import type { Ports } from '../../activities/runtime/ports.js';
import type { MethodInput } from '../../core/options/input.js';
import type { MethodName, OptionsOf } from '../../interpreters/methods.js';
import type { ScriptedReply, ScriptedStep } from '../../testing/scripted-model.js';
import { runScripted } from './run-scripted.js';
import { corporaThatFind } from './searches.js';

type Played<M extends MethodName> = Awaited<ReturnType<typeof runScripted<M>>> & {
  /** The prompts of a step, or all, in the order in which they were asked. */
  prompts(of?: ScriptedStep): string[];
};

export interface Scenario<M extends MethodName> {
  /** Used up, but for what is `spare`. */
  script: readonly ScriptedReply[];
  spare?: boolean;
  options?: Partial<OptionsOf<M>>;
  /** How often an output that cannot be read is asked for again. */
  reasks?: number;
  /** Of the input, beside the options. */
  input?: Partial<MethodInput<OptionsOf<M>>>;
  changes?: Partial<Ports>;
  /** Ids of the passages that a query finds, best first. */
  finds?: (query: string) => readonly string[];

  /** What is searched for, in this order. */
  queries?: readonly string[];
  /** How often each step is asked. */
  asked?: Partial<Record<ScriptedStep, number>>;
  /** Part of the result. */
  result?: object;
  /** Steps and kinds of all flags, in the order of the alphabet. */
  flags?: readonly string[];
  /** What else is to be looked at. */
  check?: (played: Played<M>) => void;
}

/** One test for each of these scenarios of a method, under its name. */
export function scenarios<M extends MethodName>(
  method: M,
  byName: Readonly<Record<string, Scenario<M>>>,
): void {
  for (const [name, scenario] of Object.entries(byName)) {
    it(name, () => play(method, scenario));
  }
}

/** Plays one scenario, and checks what comes of it. */
export async function play<M extends MethodName>(method: M, scenario: Scenario<M>): Promise<void> {
  const { script, spare, options, reasks, input, changes, finds, check } = scenario;
  const corpora = finds && corporaThatFind(finds);
  const played = await runScripted(
    method,
    script,
    {
      ...(options && { options: options as OptionsOf<M> }),
      ...(reasks !== undefined && { limits: { reasks } }),
      ...input,
    } as Partial<MethodInput<OptionsOf<M>>>,
    { ...changes, ...(corpora && { corpora }) },
  );
  const { result, model, asked } = played;
  const flags = result.flags.map(({ step, kind }) => `${step} ${kind}`).sort();
  if (scenario.result) expect(result).toMatchObject(scenario.result);
  if (scenario.queries) expect(corpora?.queries).toEqual(scenario.queries);
  if (scenario.asked) expect(asked).toEqual(scenario.asked);
  if (scenario.flags) expect(flags).toEqual(scenario.flags);
  if (!spare) expect(model.left).toEqual([]);
  const prompts = (of?: ScriptedStep) =>
    model.requests.flatMap(({ step, prompt }) => (step === (of ?? step) ? [prompt] : []));
  check?.({ ...played, prompts });
}
