/** The version of the code that asks the steps and reads what comes back. */
import { readdirSync, readFileSync } from 'node:fs';
import { canonicalJson } from '../../core/canonical-json.js';
import { sha256Of } from '../../core/sha256.js';
import { type ModelSteps, promptsOf } from '../../steps/define.js';

/** Where that code is, seen from this file. */
const STEPS = new URL('../../steps/', import.meta.url);

/** Ends of the files of the code: what else is there says nothing of how it runs. */
const CODE = /(?<!\.d)\.[jt]s$/;

/**
 * A hash of the code of our steps: two workers with the same one ask the same and read it in the
 * same way. First 12 hex digits of a SHA-256.
 */
export function stepsVersion(): string {
  shipped ??= hashOfFiles();
  return shipped;
}

/**
 * By name the same of each step of somebody's own: its settings, and the text of its functions. What
 * these call elsewhere is not in it.
 */
export function ownStepVersions(own: ModelSteps): Record<string, string> {
  const versions = Object.entries(own).map(([name, step]) => {
    // A line for people is no part of what a step does; the prompt's text has a hash of its own.
    const { label: _, ...parts } = step;
    const told = { ...parts, prompt: promptsOf(step), output: withText(step.output) };
    return [name, sha256Of(canonicalJson(withText(told)), 12)];
  });
  return Object.fromEntries(versions);
}

/** With the text of its functions in their place. */
function withText(parts: object): unknown {
  if (typeof parts === 'function') return String(parts);
  const texts = Object.entries(parts).map(([name, part]) => [
    name,
    typeof part === 'function' ? String(part) : part,
  ]);
  return Object.fromEntries(texts);
}

let shipped: string | undefined;

function hashOfFiles(): string {
  const files = readdirSync(STEPS, { recursive: true, encoding: 'utf8' });
  const code = files.filter((file) => CODE.test(file)).sort();
  return sha256Of(code.map((file) => readFileSync(new URL(file, STEPS), 'utf8')).join('\0'), 12);
}
