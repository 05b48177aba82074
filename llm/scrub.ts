/** Removes secrets from texts that people, logs and histories will see. */

import { errorCodeOf } from '../core/failure.js';
import { SECRET_PATTERNS } from '../core/key-shapes.js';
import { shortened } from '../core/shortened.js';

const HIDDEN = '[hidden]';

/** Maximum number of characters of a server's text that an error message quotes. */
export const QUOTED_CHARS = 300;

/** Patterns of secrets that may be in a provider's message although they were never configured. */
const SHAPES: readonly [RegExp, string][] = [
  ...SECRET_PATTERNS.map((shape): [RegExp, string] => [shape, HIDDEN]),
  [/(api key provided:\s*)[^\s"',]*\w[^\s"',]*/gi, `$1${HIDDEN}`],
  [/(\/\/)[^\s/@"']+@/g, `$1${HIDDEN}@`],
  [/([?&][\w-]*(?:key|token|secret|password|sig)[\w-]*=)[^\s&"']+/gi, `$1${HIDDEN}`],
];

/**
 * Matches words that may be followed by a secret or by an ordinary word: "Bearer authentication".
 */
const BEFORE = /\b(bearer|basic|api key provided)(\s+)([^\s"',;]+)/gi;

/** An ordinary word of letters and inner signs, or a name in place of a value. */
const ORDINARY =
  /^[([]?(?:[A-Z]?[a-z]{1,20}(?:[-'/][A-Za-z]?[a-z]{0,20})*|[A-Z]{1,12})[)\].:!?]*$|^[<{$]/;

/**
 * Returns a text with "[hidden]" in place of the given secrets and of everything that looks like a
 * secret.
 *
 * @param secrets Known secrets; those under four characters are too common to replace.
 */
export function scrub(text: string, secrets: readonly string[]): string {
  const known = secrets
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .filter((secret) => secret.length >= 4)
    // A secret that begins with another one must come first, or its end would stay.
    .sort((a, b) => b.length - a.length);
  const withoutKnown = known.reduce((left, secret) => left.replaceAll(secret, HIDDEN), text);
  const withoutShapes = SHAPES.reduce((left, [shape, by]) => left.replace(shape, by), withoutKnown);
  return withoutShapes.replace(BEFORE, (all, before: string, space: string, value: string) =>
    isSecret(value) ? `${before}${space}${HIDDEN}` : all,
  );
}

function isSecret(value: string): boolean {
  return !ORDINARY.test(value) && value.replace(/\W/g, '').length >= 4;
}

/**
 * Returns a copy of an error and its causes that is safe to record: names and codes, and messages
 * without secrets. Headers, bodies and stacks are left out.
 *
 * @param depth Maximum number of errors of the chain of causes, the error itself included.
 */
export function scrubError(error: unknown, secrets: readonly string[], depth = 3): Error {
  const known = error instanceof Error ? error : new Error(String(error));
  const code = errorCodeOf(known);
  const message = shortened(scrub(known.message, secrets), QUOTED_CHARS);
  const safe = new Error(code === undefined ? message : `${message} (${code})`);
  // The code tells whether anything was sent: see `mayBeBilled`.
  if (code !== undefined) Object.assign(safe, { code });
  safe.name = known.name;
  safe.stack = `${safe.name}: ${safe.message}`;
  if (known.cause !== undefined && depth > 1) {
    safe.cause = scrubError(known.cause, secrets, depth - 1);
  }
  return safe;
}
