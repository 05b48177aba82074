/** How the recorded outputs are read by the parsers as they are now. Pure. */

import { canonicalJson } from '../../core/canonical-json.js';
import { type ModelStep, outputOf } from '../../steps/define.js';
import { modelSteps } from '../../steps/table.js';
import { REASKS } from './asking.js';
import type { Recorded, StepName } from './recorded.js';

/** What was asked once, and again as long as it could not be read. */
export interface Reading {
  model: string;
  step: StepName;
  /** In the order of the askings, up to the first that can be read. */
  outputs: Recorded[];
  /** Undefined where none of them can be read. */
  value: unknown;
}

/** Reads every output again. Of the same input with another prompt, each is a reading. */
export function readAgain(recorded: readonly Recorded[]): Reading[] {
  const asked = new Map<string, Recorded[]>();
  for (const one of recorded) {
    const { model, step, hash, input } = one;
    const key = canonicalJson({ model, step, hash, input });
    asked.set(key, [...(asked.get(key) ?? []), one]);
  }
  return [...asked.values()].map((outputs) => {
    const ordered = [...outputs].sort((a, b) => a.attempt - b.attempt);
    const values = ordered.map(readValue);
    const read = values.findIndex((value) => value !== undefined);
    const [{ model, step }] = ordered as [Recorded];
    return {
      ...{ model, step },
      outputs: read === -1 ? ordered : ordered.slice(0, read + 1),
      value: read === -1 ? undefined : values[read],
    };
  });
}

/** What a step's parser makes of an output; undefined where it cannot be read. */
function readValue({ step, input, text, cut, logprob }: Recorded): unknown {
  return outputOf(modelSteps[step] as ModelStep<unknown, unknown>, input).read({
    text,
    cut,
    logprob,
  });
}

const HEADINGS = [
  ...['step', 'model', 'asked', 'read', 'unreadable', 'fallen back'],
  ...['prompt tokens', 'of these cached'],
];

/**
 * A row for each step and model: how many inputs were asked, how many first outputs were read and
 * how many not, and for how many the fallback stands in after all askings. Then what was read in
 * all, and the part of it that the server had in its prefix cache.
 */
export function table(readings: readonly Reading[]): string {
  const models = [...new Set(readings.map(({ model }) => model))].sort();
  const rows = (Object.keys(modelSteps) as StepName[]).flatMap((step) =>
    models.flatMap((model) => {
      const of = readings.filter((one) => one.step === step && one.model === model);
      if (of.length === 0) return [];
      const atOnce = of.filter(({ outputs, value }) => outputs.length === 1 && value !== undefined);
      // What an older parser read was not asked again: it is, at the next gathering.
      const never = of.filter(
        ({ outputs, value }) => value === undefined && outputs.length > REASKS,
      );
      const counts = [of.length, atOnce.length, of.length - atOnce.length, never.length];
      const outputs = of.flatMap((one) => one.outputs);
      const tokens = sum(outputs.map(({ promptTokens }) => promptTokens));
      const cached = sum(outputs.map(({ cachedPromptTokens }) => cachedPromptTokens));
      const share = `${Math.round((100 * cached) / Math.max(tokens, 1))} %`;
      return [[`\`${step}\``, model, ...[...counts, tokens].map(String), share]];
    }),
  );
  const rule = HEADINGS.map((_, i) => (i < 2 ? '---' : '---:'));
  return [HEADINGS, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** For a person to look at: every unreadable output, and some of the read with what was read. */
export function toLookAt(readings: readonly Reading[], read: number): string {
  const steps = [...new Set(readings.map(({ step }) => step))];
  const blocks = steps.flatMap((step) => {
    const of = readings.filter((one) => one.step === step);
    const unreadable = of.flatMap(({ outputs }) =>
      outputs.filter((output) => readValue(output) === undefined),
    );
    const good = of.filter(({ value }) => value !== undefined).slice(0, read);
    return [
      ...unreadable.map((output) => `${heading(output)} UNREADABLE\n${output.text}`),
      ...good.map(({ outputs, value }) => {
        const output = outputs.at(-1) as Recorded;
        return `${heading(output)}\n${output.text}\n=> ${JSON.stringify(value)}`;
      }),
    ];
  });
  return blocks.join('\n\n');
}

function heading({ step, model, question, attempt, cut }: Recorded): string {
  const again = attempt === 0 ? '' : `, asking ${attempt + 1}`;
  return `--- ${step}, ${model}, ${question}${again}${cut ? ', cut' : ''}`;
}
