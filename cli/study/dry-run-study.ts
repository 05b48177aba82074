/** `study run --dry-run`: what a study would take, before a cent is spent. */
import { dollars } from '../../core/dollars.js';
import { parseRunInput } from '../../workflows/methods.js';
import type { CliContext } from '../context.js';
import { EXIT } from '../exit-codes.js';
import { show } from '../output.js';
import { methodsOf } from '../own-methods.js';
import { dryRunLine } from '../run/describe-dry-run.js';
import { dryRunsOf } from '../run/dry-run.js';
import { cellsIn, type StudyFile } from './study-file.js';

/** Prints a line a run, and the sum. Nothing is stored. */
export async function dryRunStudy(read: StudyFile, context: CliContext): Promise<number> {
  const lines: string[] = [];
  const runs: object[] = [];
  let [calls, usd, unpriced]: [number, number, string[]] = [0, 0, []];
  const cells = cellsIn(read, read.files, context);
  for (const { label, of } of read.study.datasets) {
    const inputs = cells.filter(({ dataset }) => dataset === label).flatMap((cell) => cell.inputs);
    const { reader, fields, kind } = of;
    const asked = inputs.map((input) => {
      const how = {
        ...(reader && { as: reader }),
        ...(fields && { fields }),
        ...(kind && { kind }),
      };
      return { spec: parseRunInput({ ...input, ...how }, methodsOf(context)), isNamed: true };
    });
    for (const { spec, dry } of await dryRunsOf(asked, context)) {
      const { together } = dry;
      lines.push(`  ${spec.run}  ${dryRunLine(dry) ?? 'its calls are not known'}`);
      runs.push({ run: spec.run, calls: together.calls, costUsd: together.costUsd });
      calls += together.calls;
      usd += together.knownUsd;
      unpriced = [...new Set([...unpriced, ...together.unpriced])];
    }
  }
  const price = unpriced.length > 0 ? `, without the price of ${unpriced.join(', ')}` : '';
  const total = `${runs.length} runs, at most ${calls} calls to pay for, ${dollars(usd)}${price}`;
  const shared = 'Calls that several runs share are counted for each; they are paid for once.';
  show(
    context,
    { study: read.study.name, calls, costUsd: unpriced.length > 0 ? null : usd, runs },
    [`${read.study.name}: ${total}`, ...lines, shared].join('\n'),
  );
  return EXIT.ok;
}
