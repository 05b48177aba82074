import { addCall, noUsage, type Usage, withEstimated } from '../../core/usage.js';
import type { CalledOutput, CallRecord } from '../../steps/call-record.js';
import { callNames } from './call-names.js';

export interface CallFigures {
  /** Its short name, such as `summarize[2]`. */
  name: string;
  address: string;
  step: string;
  label: string;
  /** What it gave; left out where it failed. */
  output?: unknown;
  /** The number of passages that a search found. */
  found?: number;
  /** The models that served it, as their providers name them. */
  models: string[];
  usage: Usage;
  /** How often its output was asked for again. */
  reasked: number;
  /** The documented fallback stands in for its output. */
  fallback: boolean;
  /** Its output was stopped at the token limit. */
  cut: boolean;
  /** It was taken from the run that this one is forked of, and took nothing here. */
  taken: boolean;
}

/** Returns the calls of a question with their names and what each took. */
export function callFigures(calls: readonly CallRecord[]): CallFigures[] {
  const names = callNames(calls);
  return calls.map(({ address, step, label, output, events, taken = false }) => {
    const answers: CalledOutput[] = [];
    const models = new Set<string>();
    let usage = noUsage;
    let found: number | undefined;
    for (const event of events) {
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
      ...{ name: names.get(address) ?? step, address, step, label },
      ...(output !== undefined && { output }),
      ...(found !== undefined && { found }),
      ...{
        models: [...models],
        usage: taken ? noUsage : usage,
        reasked: Math.max(0, answers.length - 1),
      },
      ...{ fallback: last?.unread !== undefined, cut: last?.cut === true, taken },
    };
  });
}
