/** The version of the code that asks the steps and reads what comes back. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { OwnModelSteps } from '../../steps/own-steps.js';

/** Where that code is, seen from this file. */
const STEPS = new URL('../../steps/', import.meta.url);

/** Ends of the files of the code: what else is there says nothing of how it runs. */
const CODE = /(?<!\.d)\.[jt]s$/;

/**
 * A hash of the code of all steps, somebody's own included: two workers with the same one ask the
 * same and read it in the same way. First 12 hex digits of a SHA-256.
 */
export function stepsVersion(own: OwnModelSteps): string {
  shipped ??= hashOfFiles();
  const names = Object.keys(own).sort();
  if (names.length === 0) return shipped;
  const code = names.map((name) => [name, ...Object.values(own[name] ?? {}).map(String)]);
  return shortHash(JSON.stringify([shipped, code]));
}

let shipped: string | undefined;

function hashOfFiles(): string {
  const files = readdirSync(STEPS, { recursive: true, encoding: 'utf8' });
  const code = files.filter((file) => CODE.test(file)).sort();
  return shortHash(code.map((file) => readFileSync(new URL(file, STEPS), 'utf8')).join('\0'));
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
