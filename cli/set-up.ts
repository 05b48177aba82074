/** What `demo` and `dev` do first: fetch what is missing, after asking where somebody can answer. */
import { Failure } from '../core/failure.js';
import { readableBytes } from '../temporal-dev/bytes.js';
import { obtainEngine } from '../temporal-dev/fetch-part.js';
import { type Finding, stackFindings } from '../temporal-dev/findings.js';
import { canAnswer, isConfirmed } from './confirmed.js';
import type { CliContext } from './context.js';

export interface SetUp {
  /** Do not ask. */
  yes?: boolean | undefined;
}

/**
 * Asks once for all that would be fetched, and fetches the search engine. Without a terminal
 * nobody can answer: what was asked for by typing the command is fetched.
 *
 * @throws Failure Cancelled where the answer is no.
 */
export async function setUp({ yes = false }: SetUp, context: CliContext): Promise<void> {
  const { config } = context;
  const findings = await stackFindings(context, config?.model !== undefined);
  const missing = findings.filter(({ state }) => state === 'fetched');
  const asks = missing.length > 0 && !yes && !context.json && canAnswer();
  if (asks && !(await isConfirmed(question(missing, context.home), 'yes', context))) {
    throw new Failure(
      'Cancelled',
      'Nothing was fetched. To use services of your own set TEMPORAL_ADDRESS and OPENAI_BASE_URL; "durable-rag doctor" says more.',
    );
  }
  if (missing.some(({ part }) => part === 'Search')) await obtainEngine(context);
}

function question(missing: readonly Finding[], home: string): string {
  const bytes = missing.reduce((sum, finding) => sum + (finding.bytes ?? 0), 0);
  const lines = missing.map(({ part, text }) => `  ${part.padEnd(12)} ${text}`);
  return `These are missing on this machine:\n${lines.join('\n')}\nFetch ${readableBytes(bytes)} to ${home}?`;
}
