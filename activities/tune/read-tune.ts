/** Reads the results of a tune from its stored runs. */
import { Failure } from '../../core/failure.js';
import type { RunSpec } from '../../core/run/input.js';
import { type Candidate, candidateOf } from '../../core/tune/candidates.js';
import { runOfCandidate, runOfStart, type TunePlan } from '../../core/tune/tune-runs.js';
import {
  type ProposedPrompts,
  type TunedPipeline,
  type TuneTable,
  tuneTable,
} from '../../evaluation/tune/tune-table.js';
import type { TunePorts } from './opened-tune.js';
import { type TuneState, tuneState } from './tune-state.js';

/** The results of a tune: the table of its pipelines, their inputs, and the cost so far. */
export interface TuneResults {
  /** Results of its pipelines. */
  table: TuneTable;
  /**
   * Cost of its runs and of the prompts written for it, in US dollars; null if a price is not
   * known.
   */
  spentUsd: number | null;
  /** The tune, with the prompts that were written for it. */
  plan: TunePlan;
  /**
   * Inputs of the runs of its pipelines, by the label of the candidate; the start has the label
   * "start".
   */
  pipelines: ReadonlyMap<string, RunSpec>;
}

/**
 * Returns the input of the tune of this name, a TunePlan, from the manifest of its newest run.
 *
 * @throws Failure UnknownRun if the store has no run of it.
 */
export async function planOfTune(
  name: string,
  { runs }: Pick<TunePorts, 'runs'>,
): Promise<TunePlan> {
  for (const { input } of await runs.list()) {
    if (input.study?.name === name && input.study.tune) {
      return input.study.tune as unknown as TunePlan;
    }
  }
  throw new Failure('UnknownRun', `There is no tune "${name}" of which a run is stored.`);
}

/**
 * Returns the results of a tune, read from its runs. Makes no call.
 *
 * @throws Failure as `tuneState`; BadInput if the start has not begun to answer half A.
 */
export async function readTune(plan: TunePlan, ports: TunePorts): Promise<TuneResults> {
  const state = await tuneState(plan, ports, { stopped: true });
  const { searched, confirmation, plan: known } = state;
  const { name } = plan.definition;
  if (!searched) throw new Failure('BadInput', `The tune "${name}" has not answered half A yet.`);
  const { questions, metric, search, start, startOn, figures } = searched;
  const all = [...searched.candidates, ...search.joined];
  const pipelines = all.map(({ id, label }): TunedPipeline => {
    const { questions: asked = 0, ...onA } = figures.get(id) ?? { mean: 0, usd: null };
    const shown = confirmation?.shown.find((one) => one.id === id);
    const startOnA = asked === 0 ? 0 : startOn(asked).mean;
    return { label, questions: asked, onA, startOnA, onB: confirmation?.figures.get(id), shown };
  });
  const begin = {
    label: 'start',
    questions: questions.length,
    onA: start,
    startOnA: start.mean,
    onB: confirmation?.start,
  };
  return {
    table: tuneTable(plan.definition, metric.title, begin, pipelines, proposedIn(known)),
    plan: known,
    spentUsd: await spentBy(state, all, ports),
    pipelines: await specsOf(state, all, ports),
  };
}

/** Returns the prompts that were written for a tune, by the labels of their candidates. */
function proposedIn({ proposed = [] }: TunePlan): ProposedPrompts | undefined {
  if (proposed.length === 0) return undefined;
  return {
    written: proposed.flatMap(({ round, written }) =>
      written.map(({ step, set, by }) => {
        const { label } = candidateOf([{ of: 'prompts', at: step, to: set }]);
        return { candidate: label, by, round };
      }),
    ),
    refused: proposed.flatMap(({ refused }) => refused),
  };
}

/**
 * Returns the cost of the runs of a tune and of the prompts written for it, in US dollars; null if
 * a price is not known.
 */
async function spentBy(
  state: TuneState,
  candidates: readonly Candidate[],
  { runs }: TunePorts,
): Promise<number | null> {
  let usd: number | null = 0;
  for (const { usage } of state.plan.proposed ?? []) {
    usd = usd === null || usage.costUsd === null ? null : usd + usage.costUsd;
  }
  for (const run of runsOf(state, candidates)) {
    if (!(await runs.manifest(run))) continue;
    for await (const { question } of runs.questions(run)) {
      const took = (await runs.get(run, question.id))?.result?.usage.costUsd;
      if (took === undefined) continue;
      usd = usd === null || took === null ? null : usd + took;
    }
  }
  return usd;
}

function runsOf(state: TuneState, candidates: readonly Candidate[]): string[] {
  const claim = state.confirmation?.claim;
  const starts = (['A', 'B'] as const).map((half) => runOfStart(state, half, claim));
  return [
    ...starts.flatMap(({ run, input }) => (input ? [run] : [])),
    ...candidates.flatMap((one) => [
      runOfCandidate(state, one, 'A').run,
      runOfCandidate(state, one, 'B', claim).run,
    ]),
  ];
}

async function specsOf(
  state: TuneState,
  candidates: readonly Candidate[],
  { runs }: TunePorts,
): Promise<ReadonlyMap<string, RunSpec>> {
  const specs = new Map([['start', state.start]]);
  for (const one of candidates) {
    const manifest = await runs.manifest(runOfCandidate(state, one, 'A').run);
    if (manifest) specs.set(one.label, manifest.input);
  }
  return specs;
}
