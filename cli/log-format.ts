/** How the commands write that run on: what they say is a log. */
import { type Settings, setting } from '../core/settings.js';

export type LogFormat = NonNullable<Settings['DURABLE_RAG_LOG_FORMAT']>;

/**
 * Returns the format of a command's log.
 *
 * @param unwatched What it writes where nobody says, and nobody watches.
 */
export function logFormatOf(
  unwatched: LogFormat,
  { env, json }: { env: NodeJS.ProcessEnv; json?: boolean | undefined },
  isTerminal = process.stderr.isTTY,
): LogFormat {
  if (json) return 'json';
  return setting(env, 'DURABLE_RAG_LOG_FORMAT') ?? (isTerminal ? 'text' : unwatched);
}
