/** Carries out a tune in the process of the test, without a server: what it asks, the test answers. */
import { openRun } from '../../activities/run/open-run.js';
import { recordAnswer } from '../../activities/run/record-answer.js';
import type { OfflinePorts } from '../../activities/runtime/ports.js';
import { advanceTune } from '../../activities/tune/advance-tune.js';
import { methodNamed } from '../../core/method-registry.js';
import type { RunSpec } from '../../core/run/input.js';
import { modelFor } from '../../core/step-models.js';
import type { TuneStep } from '../../core/study/plan.js';
import type { TunePlan } from '../../core/tune/tune-runs.js';
import { type PlannedTune, planTune } from '../../interpreters/plan-tune.js';
import { costOfCall, type PriceTable } from '../../llm/prices.js';
import { callsOf } from '../../stores/runs/call-records.js';
import { type Call, runAlgorithm } from '../../workflows/algorithm.js';
import { performFork } from '../../workflows/question/forked.js';
import { Ledger } from '../../workflows/question/ledger.js';
import { passages } from './ports.js';

/** A call that the test answers, and the run that makes it. */
export interface AskedHere {
  question: string;
  model: string;
  spec: RunSpec;
}

interface TunedHere {
  planned: PlannedTune;
  last: TuneStep;
  /** Names of the runs that were asked something, with the number of model calls that were paid. */
  paid: Map<string, number>;
}

/**
 * Takes a tune to its end.
 *
 * @param stopAfter Questions of a candidate after which the search has spent its part of the budget.
 * @throws Failure as its activities.
 */
export async function tuneHere(
  plan: TunePlan,
  ports: OfflinePorts,
  say: (asked: AskedHere) => string,
  stopAfter = Infinity,
): Promise<TunedHere> {
  const planned = await planTune(plan, ports);
  const paid = new Map<string, number>();
  const asked: Record<string, number> = {};
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    const stopped = Object.values(asked).some((questions) => questions > stopAfter);
    const step = await advanceTune({ tune: plan, failed: [], asked, stopped }, ports);
    if (step.ask.length === 0) return { planned, last: step, paid };
    // All runs of a step begin at once: a fork takes what its parent has answered by then.
    for (const { input } of step.ask) await openRun(input, ports, new AbortController().signal);
    for (const { input, questions } of step.ask) {
      await askHere(input, questions ?? Infinity, ports, say, paid);
      asked[input.run] = questions ?? Number.MAX_SAFE_INTEGER;
    }
  }
  throw new Error(`The tune asks on after ${MOST_STEPS} steps.`);
}

/** More steps than any tune of a test takes. */
const MOST_STEPS = 20;

/** Asks the first questions of a run, as far as they have no answer. */
export async function askHere(
  input: { run: string },
  most: number,
  ports: OfflinePorts,
  say: (asked: AskedHere) => string,
  paid = new Map<string, number>(),
): Promise<void> {
  const { run } = input;
  const { runs } = ports;
  await openRun(input, ports, new AbortController().signal);
  const spec = (await runs.manifest(run))?.input;
  if (!spec) return;
  const { algorithm } = methodNamed(spec.method, ports.methods);
  let [at, read] = [0, 0];
  for await (const { question: asked, next } of runs.questions(run)) {
    if (read++ === most) break;
    const place = at;
    at = next;
    if (!algorithm || (await runs.get(run, asked.id))?.result) continue;
    const { id, question, taken } = asked;
    const ledger = new Ledger(spec.method, question);
    const ask = (call: Call) =>
      answered(call, { question, spec, prices: ports.prices }, ledger, say, paid);
    const calls = callsOf({ id, ...(taken !== undefined && { calls: taken }) }) ?? [];
    const perform = spec.fork
      ? performFork({ ...spec.fork, changed: [], taken: calls }, ask, ledger, async () => undefined)
      : ask;
    const { options } = spec;
    const { conclusion } = await runAlgorithm(
      algorithm,
      { question, options },
      { perform, flag: ledger.flag },
    );
    const result = ledger.result('', conclusion);
    const record = { result, failure: null, startedAt: 0, calls: ledger.calls };
    await recordAnswer({ run, id, at: place }, record, ports);
  }
}

/** Tokens of every call. */
const TOKENS = { promptTokens: 300, cachedPromptTokens: 0, completionTokens: 5 };

function answered(
  call: Call,
  { question, spec, prices }: Pick<AskedHere, 'question' | 'spec'> & { prices: PriceTable },
  ledger: Ledger,
  say: (asked: AskedHere) => string,
  paid: Map<string, number>,
): Promise<unknown> {
  return ledger.track(call, async (row) => {
    if (call.step === 'retrieve') {
      const { count } = call.input as { count: number };
      ledger.addEvent(row, { kind: 'searched', found: count });
      return passages.slice(0, count).map(({ id, title }) => ({ id, title, score: 1 }));
    }
    const { model } = modelFor(call.step, spec, 'start');
    paid.set(spec.run, (paid.get(spec.run) ?? 0) + 1);
    const costUsd = costOfCall(TOKENS, [model], { prices, isLocal: false });
    const usage = { cached: false, ...TOKENS, costUsd };
    const output = { usage, model, prompt: 'p', key: 'k' };
    ledger.addEvent(row, { kind: 'called', last: true, output });
    return say({ question, model, spec });
  });
}
