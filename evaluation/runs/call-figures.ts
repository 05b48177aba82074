import { addCall, noUsage, withEstimated } from '../../core/usage.js';
import type { CalledOutput, CallRecord } from '../../steps/call-record.js';
import { callNames } from './call-names.js';

export type CallFigures = ReturnType<typeof callFigures>[number];

/** Returns the calls of a question with their names and what each took. */
export function callFigures(calls: readonly CallRecord[]) {
  const names = callNames(calls);
  return calls.map(({ address, step, label, output, events, taken = false }) => {
    const answers: CalledOutput[] = [];
    const models = new Set<string>();
    let usage = noUsage;
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
      /** What it gave; left out where it failed. */
      ...(output !== undefined && { output }),
      /** The number of passages that a search found. */
      ...(found !== undefined && { found }),
      /** The models that served it, as their providers name them. */
      models: [...models],
      usage: taken ? noUsage : usage,
      /** How often its output was asked for again. */
      reasked: Math.max(0, answers.length - 1),
      /** The documented fallback stands in for its output. */
      fallback: last?.unread !== undefined && !last.long,
      /** Its output was stopped at the token limit. */
      cut: last?.cut === true,
      /** It was taken from the run that this one is forked of, and took nothing here. */
      taken,
    };
  });
}
