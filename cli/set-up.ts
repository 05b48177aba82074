/** Fetches missing parts for `demo` and `dev`, after a confirmation on a terminal. */
import { Failure } from '../core/failure.js';
import { readableBytes } from '../files/disk.js';
import { allOrAbort } from '../files/lock.js';
import { type Finding, stackFindings } from '../temporal-dev/findings.js';
import { isConfirmed, isInteractive } from './confirmed.js';
import type { CliContext } from './context.js';

/** Options for fetching missing parts. */
export interface SetUpOptions {
  /** Whether to skip the confirmation. */
  yes?: boolean | undefined;
}

/**
 * Asks once for all missing downloads, and does them in parallel.
 *
 * @throws Failure Cancelled if the answer is no.
 */
export async function setUp({ yes }: SetUpOptions, context: CliContext): Promise<void> {
  const findings = await stackFindings(context, context.config?.model !== undefined);
  const missing = findings.filter(({ state }) => state === 'fetched');
  if (missing.length > 0 && !(await mayFetch(question(missing, context.home), { yes }, context))) {
    throw new Failure(
      'Cancelled',
      'Nothing was fetched. To use your own services, set TEMPORAL_ADDRESS and OPENAI_BASE_URL; see "durable-rag doctor".',
    );
  }
  await allOrAbort(
    context.signal,
    missing.map(
      ({ fetch }) =>
        async (signal) =>
          fetch?.({ ...context, signal }),
    ),
  );
}

/**
 * Tells whether to download. With `--json` or without a terminal, running the command counts as
 * consent.
 */
export async function mayFetch(
  what: string,
  { yes = false }: SetUpOptions,
  context: CliContext,
): Promise<boolean> {
  return yes || context.json || !isInteractive() || isConfirmed(what, 'yes', context);
}

function question(missing: readonly Finding[], home: string): string {
  const bytes = missing.reduce((sum, finding) => sum + (finding.bytes ?? 0), 0);
  const lines = missing.map(({ part, text }) => `  ${part.padEnd(12)} ${text}`);
  return `These are missing on this machine:\n${lines.join('\n')}\nFetch ${readableBytes(bytes)} to ${home}?`;
}
