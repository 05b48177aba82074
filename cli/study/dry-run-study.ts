/** `study run --dry-run`: estimates the calls and cost of a study before it starts. */

import { dollars } from '../../core/dollars.js';
import { splitReading } from '../../core/run/dataset-input.js';
import type { RunSpec } from '../../core/run/input.js';
import { modelFor } from '../../core/step-models.js';
import { parseRunInput } from '../../interpreters/methods.js';
import type { ModelSteps } from '../../steps/define.js';
import { ownSteps } from '../../steps/own-steps.js';
import { modelSteps } from '../../steps/table.js';
import type { CliContext } from '../context.js';
import { methodsOf } from '../own-methods.js';
import type { CommandOutput } from '../print-output.js';
import { type DryRun, dryRunLine, freeRemarks, refusalLines } from '../run/describe-dry-run.js';
import { dryRunsOf } from '../run/dry-run.js';
import { type CheckedStudy, cellsIn, surveyDatasets } from './study-file.js';

/**
 * Returns the output of a dry run: the calls and cost of each run of a study, and their sum. The
 * JSON is an object with `study` (its name), `calls`, `costUsd` (US dollars; null if a price is
 * unknown) and `runs`, an array with the same for each run. Calls that runs share count with the
 * first. No model is asked and no run or data set is stored; only a data set at an address is
 * downloaded, and a missing sample corpus is indexed.
 */
export async function dryRunStudy(read: CheckedStudy, context: CliContext): Promise<CommandOutput> {
  const lines: string[] = [];
  const runs: object[] = [];
  let [calls, usd, unpriced]: [number, number, string[]] = [0, 0, []];
  const paid = new Set<string>();
  const planned: DryRun[] = [];
  // A part of it is the budget of each run.
  const { budgetUsd } = read.study;
  const budget = budgetUsd === undefined ? {} : { budgetUsd };
  let isGreedy = true;
  // The runs have the study's names, by which their stored answers are found.
  const cells = cellsIn(read, await surveyDatasets(read, context), context);
  for (const { label, of } of read.study.datasets) {
    const inputs = cells.filter(({ dataset }) => dataset === label).flatMap((cell) => cell.inputs);
    const { reading } = splitReading({ ...of, as: of.reader });
    const file = read.files.get(label);
    const asked = inputs.map((input) => {
      const how = { ...(file && { dataset: file }), ...reading };
      const spec = parseRunInput({ ...input, ...how, ...budget }, methodsOf(context));
      return { spec, isNamed: true };
    });
    for (const { spec, dry } of await dryRunsOf(asked, context, { paid })) {
      const { together } = dry;
      planned.push(dry);
      lines.push(`  ${spec.run}  ${dryRunLine(dry) ?? 'its calls are not known'}`);
      const { assumedFree, refused = null } = dry;
      const { calls: toPay, costUsd } = together;
      runs.push({ run: spec.run, calls: toPay, costUsd, assumedFree, refused });
      isGreedy &&= dry.plan.steps.every(({ step }) => asksGreedily(step, spec, context));
      calls += together.calls;
      usd += together.knownUsd;
      unpriced = [...new Set([...unpriced, ...together.unpriced])];
    }
  }
  const price = unpriced.length > 0 ? `, without the price of ${unpriced.join(', ')}` : '';
  const total = `${runs.length} runs, at most ${calls} calls to pay for, ${dollars(usd)}${price}`;
  const notes = [
    'Calls that runs share are counted with the first of them.',
    ...(isGreedy && read.study.repeats > 1 ? [GREEDY] : []),
    ...freeRemarks(planned).map((remark) => `Free: ${remark}.`),
    ...refusalLines(planned),
  ];
  return {
    value: { study: read.study.name, calls, costUsd: unpriced.length > 0 ? null : usd, runs },
    text: [`${read.study.name}: ${total}`, ...lines, ...notes].join('\n'),
  };
}

const GREEDY =
  'Every step asks at temperature 0: the spread between repeats says how far the endpoint varies by itself, and nothing else.';

/** Returns whether a step always asks at temperature 0. */
function asksGreedily(step: string, { models }: RunSpec, { config }: CliContext): boolean {
  const known: ModelSteps = modelSteps;
  const own = ownSteps(config?.steps).steps;
  const { sampling } = own[step] ?? known[step] ?? {};
  return (modelFor(step, { models }, '').parameters?.temperature ?? (sampling ? 1 : 0)) === 0;
}
