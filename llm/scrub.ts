/** Takes secrets out of texts that people, logs and histories will see. */

import { codeOf } from '../core/failure.js';
import { shortened } from '../core/shortened.js';

const HIDDEN = '[hidden]';

/** Characters of what somebody else says that a message of ours repeats. */
export const SAID = 300;

/** Shapes of secrets that can stand in a provider's message though we never configured them. */
const SHAPES: readonly [RegExp, string][] = [
  [/\bBearer\s+[^\s"',;]+/gi, `Bearer ${HIDDEN}`],
  [/\bBasic\s+[\w+/-]{8,}=*/gi, `Basic ${HIDDEN}`],
  // Also half-masked, as OpenAI repeats a wrong key ("sk-abc***xyz").
  [/\bsk-[\w*.-]{4,}/g, HIDDEN],
  [/\bAIza[\w-]{20,}/g, HIDDEN],
  [/(api key provided:?\s*)[^\s"',]+/gi, `$1${HIDDEN}`],
  [/(\/\/)[^\s/@"']+@/g, `$1${HIDDEN}@`],
  [/([?&][\w-]*(?:key|token|secret|password|sig)[\w-]*=)[^\s&"']+/gi, `$1${HIDDEN}`],
];

/**
 * Replaces the given secrets and everything that looks like one.
 *
 * @param secrets Values known to be secret; those under four characters are too common to replace.
 */
export function scrub(text: string, secrets: readonly string[]): string {
  const known = secrets
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .filter((secret) => secret.length >= 4)
    // A secret that begins with another one must go first, or its tail would stay.
    .sort((a, b) => b.length - a.length);
  const withoutKnown = known.reduce((left, secret) => left.replaceAll(secret, HIDDEN), text);
  return SHAPES.reduce((left, [shape, by]) => left.replace(shape, by), withoutKnown);
}

/**
 * A stand-in for an error that is safe to keep as a cause: names, codes and messages of the chain,
 * scrubbed, and nothing else (no headers, no bodies, no stack of the client's internals).
 */
export function scrubError(error: unknown, secrets: readonly string[], depth = 3): Error {
  const known = error instanceof Error ? error : new Error(String(error));
  const code = codeOf(known);
  const said = shortened(scrub(known.message, secrets), SAID);
  const safe = new Error(code === undefined ? said : `${said} (${code})`);
  // Whether anything was sent is told by it: see `mayBeBilled`.
  if (code !== undefined) Object.assign(safe, { code });
  safe.name = known.name;
  safe.stack = `${safe.name}: ${safe.message}`;
  if (known.cause !== undefined && depth > 1) {
    safe.cause = scrubError(known.cause, secrets, depth - 1);
  }
  return safe;
}
