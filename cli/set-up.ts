/** Fetches missing parts for `demo` and `dev`, after a confirmation on a terminal. */
import { Failure } from '../core/failure.js';
import { readableBytes } from '../files/disk.js';
import { allOrAbort } from '../files/lock.js';
import { type PartFinding, stackFindings } from '../temporal-dev/findings.js';
import { isConfirmed, isInteractive } from './confirmed.js';
import type { CliContext } from './context.js';

/** Options for downloading missing parts of the local stack: whether to skip the confirmation. */
export interface SetUpOptions {
  /** Whether to skip the confirmation. @default false */
  yes?: boolean | undefined;
}

/**
 * Downloads all missing parts of the local stack in parallel, after one confirmation for all of
 * them. Does not ask with `yes`, with `--json` or without a terminal.
 *
 * @throws Failure Cancelled if the user declines; SetupError if a part cannot be downloaded.
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
 * Asks whether to download, and returns whether the user agrees. With `yes`, with `--json` or
 * without a terminal, it is true without asking.
 *
 * @param what The question.
 */
export async function mayFetch(
  what: string,
  { yes = false }: SetUpOptions,
  context: CliContext,
): Promise<boolean> {
  return yes || context.json || !isInteractive() || isConfirmed(what, 'yes', context);
}

function question(missing: readonly PartFinding[], home: string): string {
  const bytes = missing.reduce((sum, finding) => sum + (finding.bytes ?? 0), 0);
  const lines = missing.map(({ part, text }) => `  ${part.padEnd(12)} ${text}`);
  return `These are missing on this machine:\n${lines.join('\n')}\nFetch ${readableBytes(bytes)} to ${home}?`;
}
