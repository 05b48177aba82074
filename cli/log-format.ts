/** How the commands write that run on: what they say is a log. */
import { Option } from '@commander-js/extra-typings';
import { Failure } from '../core/failure.js';

const FORMATS = ['json', 'text'] as const;
export type LogFormat = (typeof FORMATS)[number];

/** The variable behind --log-format. */
const LOG_FORMAT = 'DURABLE_RAG_LOG_FORMAT';

export function logFormatOption() {
  return new Option(
    '--log-format <format>',
    'of the log (default: text on a terminal; else JSON for worker, text for dev)',
  ).choices(FORMATS);
}

/** What each writes where nobody says, and nobody watches: a worker's log is for programs. */
const UNWATCHED: Readonly<Record<string, LogFormat>> = {
  worker: 'json',
  dev: 'text',
  'codec-server': 'text',
};

/**
 * The format of a command's log; undefined of a command that writes none.
 *
 * @param typed The value of --log-format.
 * @throws Failure BadInput naming the variable.
 */
export function logFormatOf(
  command: string,
  { env, json }: { env: NodeJS.ProcessEnv; json?: boolean | undefined },
  typed: unknown,
  isTerminal = process.stderr.isTTY,
): LogFormat | undefined {
  const usual = UNWATCHED[command];
  if (usual === undefined) return undefined;
  const asked = typed ?? (json ? 'json' : env[LOG_FORMAT] || undefined);
  if (asked === undefined) return isTerminal ? 'text' : usual;
  const format = FORMATS.find((one) => one === asked);
  if (format !== undefined) return format;
  throw new Failure('BadInput', `${LOG_FORMAT} must be json or text, and is "${asked}".`);
}
