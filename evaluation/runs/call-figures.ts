/** Computes the figures of a question's calls from their records. Pure. */
import { addCall, NO_USAGE, withEstimated } from '../../core/usage.js';
import type { CalledOutput, CallRecord } from '../../steps/call-record.js';
import { callNames } from './call-names.js';

/**
 * The figures of one recorded call of a question, as `callFigures` returns them: its short `name`,
 * `address`, `step` and `label`, its `output` and `models`, its `usage` (an object of calls,
 * tokens and US dollars), and whether it was repeated (`reasked`), replaced by a fallback, cut or
 * taken from the parent run.
 */
export type CallFigures = ReturnType<typeof callFigures>[number];

/**
 * Returns an array with one object for each recorded call of a question, in the order of the
 * records: its short `name`, `address`, `step`, `label`, `output` (absent if it failed), `found`
 * (only for a search), `models`, `usage`, `reasked`, `fallback`, `cut` and `taken`.
 */
export function callFigures(calls: readonly CallRecord[]) {
  const names = callNames(calls);
  return calls.map(({ address, step, label, output, events, taken = false }) => {
    const answers: CalledOutput[] = [];
    const models = new Set<string>();
    let usage = NO_USAGE;
    let found: number | undefined;
    for (const event of events) {
      if (event.kind === 'computed') continue;
      if (event.kind === 'searched') found = event.found;
      else if (event.kind === 'lost') usage = withEstimated(usage, event.estimated);
      else {
        usage = addCall(usage, event.output.usage);
        models.add(event.output.model);
        if (event.kind === 'called') answers.push(event.output);
      }
    }
    const last = answers.at(-1);
    return {
      /** Its short name, such as `summarize[2]`. */
      name: names.get(address) ?? step,
      address,
      step,
      label,
      /** Its output; undefined if it failed. */
      ...(output !== undefined && { output }),
      /** Number of passages that a search found; undefined for other calls. */
      ...(found !== undefined && { found }),
      /** The models that served it, as their providers name them. */
      models: [...models],
      usage: taken ? NO_USAGE : usage,
      /** Number of times that its output was requested again. */
      reasked: Math.max(0, answers.length - 1),
      /** Whether the documented fallback replaced its output. */
      fallback: last?.unread !== undefined && !last.long,
      /** Whether its output was stopped at the token limit. */
      cut: last?.cut === true,
      /** Whether it was taken from the parent run of a fork, so that it cost nothing here. */
      taken,
    };
  });
}
