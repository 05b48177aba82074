/** Defines the exit codes, and the messages that commands print for errors. */
import { grpcCode } from '../client/grpc-code.js';
import { FAILURES, Failure } from '../core/failure.js';

/** Exit codes by name, each with its meaning for the help and docs/reference. */
const ENDS = {
  ok: [0, 'success'],
  error: [1, 'any other error; see the message'],
  usage: [2, 'a command, a flag, an input or a file was refused before anything was asked'],
  unanswered: [
    3,
    'a run or study ended, but some of its questions failed; for ask: no answer (unknown, unreadable, failed)',
  ],
  runFailed: [4, 'a run or job failed, was stopped, is incomplete, or its results are gone'],
  paused: [5, 'a run is paused: by a user, its budget, or a failure that affects every question'],
  notFound: [6, 'there is no such run, corpus or schedule'],
  refused: [7, 'a conflict: another run of that name, or a run that has ended or is under way'],
  unreachable: [8, 'Temporal, a worker, a store or a model does not answer'],
  gateFailed: [
    9,
    'a gate failed: the whole 95 % interval of a score is below the required minimum; for runs verify: something differs',
  ],
  gateUndecided: [
    10,
    'a gate is undecided, or nothing has a score in its metric; for runs verify: not everything could be checked',
  ],
  interrupted: [130, 'interrupted by Ctrl-C'],
} as const satisfies Record<string, readonly [code: number, meaning: string]>;

type Ends = typeof ENDS;
/** An exit code of a command: 0 to 10, or 130. */
export type ExitCode = Ends[keyof Ends][0];

/** All exit codes as an array of pairs: the code, and its meaning in words. */
export const EXIT_MEANINGS: readonly (readonly [ExitCode, string])[] = Object.values(ENDS);
/** The exit codes by their names in the code, such as `EXIT.notFound`. */
export const EXIT = Object.fromEntries(
  Object.entries(ENDS).map(([name, [code]]) => [name, code]),
) as { readonly [Name in keyof Ends]: Ends[Name][0] };

/** Returns a table of the exit codes with their meanings, as text for the help. */
export function exitCodeTable(): string {
  const lines = EXIT_MEANINGS.map(([code, meaning]) => `  ${String(code).padStart(3)}  ${meaning}`);
  return ['Exit codes:', ...lines].join('\n');
}

/**
 * A failure of a command with an exit code of its own, in place of the one that its type has, and
 * with a next step for the user if there is one.
 */
export class CommandFailure extends Failure {
  constructor(
    readonly exitCode: ExitCode,
    { type, message, cause }: Pick<Failure, 'type' | 'message'> & { cause?: unknown },
    /** Next step for the user, as one line. */
    readonly next?: string,
  ) {
    super(type, message, { cause });
  }
}

/**
 * Returns the exit code of a command that ended with this error: that of the failure or of its
 * type, 8 for another error of the Temporal server, otherwise 1.
 */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CommandFailure) return error.exitCode;
  if (error instanceof Failure) return EXIT[FAILURES[error.type].exit ?? 'error'];
  return isServerError(error) ? EXIT.unreachable : EXIT.error;
}

/**
 * Returns the exit code of a command whose run was refused at its start: that of the failure's
 * type, or 2 (`EXIT.usage`) if the type has none of its own.
 */
export function refusalCode(failure: Failure): ExitCode {
  return EXIT[FAILURES[failure.type].exit ?? 'usage'];
}

/**
 * Returns an error as the JSON value that `--json` prints on the last line of standard error: `{
 * error: { type, message, next }, exitCode }`.
 */
export function errorJson(error: Error): object {
  const type = error instanceof Failure ? error.type : 'Setup';
  const next = error instanceof CommandFailure ? error.next : undefined;
  return {
    error: { type, message: userMessage(error), next: next ?? null },
    exitCode: exitCodeOf(error),
  };
}

/** Returns the message to print for an error. Errors of the Temporal server get an explanation. */
export function userMessage(error: Error): string {
  if (isServerError(error)) {
    const cause = error.cause instanceof Error ? error.cause.message : undefined;
    return `The Temporal server reported an error: ${cause ?? error.message}`;
  }
  return error.message;
}

/** Returns whether an error comes from the Temporal server or the connection to it. */
export function isServerError(error: unknown): boolean {
  return grpcCode(error) !== undefined;
}
