/** How the commands write that run on: what they say is a log. */
import { type Settings, setting } from '../core/settings.js';

/** What each writes where nobody says, and nobody watches: a worker's log is for programs. */
const UNWATCHED: Readonly<Record<string, Settings['DURABLE_RAG_LOG_FORMAT']>> = {
  worker: 'json',
  dev: 'text',
  'codec-server': 'text',
};

/** The format of a command's log; undefined of a command that writes none. */
export function logFormatOf(
  command: string,
  { env, json }: { env: NodeJS.ProcessEnv; json?: boolean | undefined },
  isTerminal = process.stderr.isTTY,
): Settings['DURABLE_RAG_LOG_FORMAT'] {
  const usual = UNWATCHED[command];
  if (usual === undefined || json) return usual && 'json';
  return setting(env, 'DURABLE_RAG_LOG_FORMAT') ?? (isTerminal ? 'text' : usual);
}
