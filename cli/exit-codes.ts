/** Defines the exit codes, and the message that a command prints for an error. */
import { grpcCode } from '../client/grpc-code.js';
import { FAILURES, Failure } from '../core/failure.js';

/** Exit codes by name, each with the meaning that the help and docs/reference give. */
const ENDS = {
  ok: [0, 'all well'],
  error: [1, 'something else went wrong: the message says what'],
  usage: [2, 'a command, a flag, an input or a file was refused before anything was asked'],
  unanswered: [
    3,
    'a run or study ended, but some of its questions failed; of ask: no answer (unknown, unreadable, failed)',
  ],
  runFailed: [4, 'a run or job failed, was stopped, is incomplete, or its results are gone'],
  paused: [5, 'a run is paused: by somebody, its budget, or what every question would meet'],
  notFound: [6, 'there is no such run, corpus or schedule'],
  refused: [
    7,
    'what is there does not allow it: another run of that name, one that has ended or is under way',
  ],
  unreachable: [8, 'Temporal, a worker, a store or a model does not answer'],
  gateFailed: [
    9,
    'a gate failed: the whole 95 % interval of a score lies below the least it may be; of runs verify: something differs',
  ],
  gateUndecided: [
    10,
    'a gate is not decided, or nothing has a score in its metric: more questions would tell; of runs verify: not all could be checked',
  ],
  interrupted: [130, 'left by Ctrl-C'],
} as const satisfies Record<string, readonly [code: number, meaning: string]>;

type Ends = typeof ENDS;
export type ExitCode = Ends[keyof Ends][0];

export const EXIT_MEANINGS: readonly (readonly [ExitCode, string])[] = Object.values(ENDS);
export const EXIT = Object.fromEntries(
  Object.entries(ENDS).map(([name, [code]]) => [name, code]),
) as { readonly [Name in keyof Ends]: Ends[Name][0] };

export function exitCodeTable(): string {
  const lines = EXIT_MEANINGS.map(([code, meaning]) => `  ${String(code).padStart(3)}  ${meaning}`);
  return ['Exit codes:', ...lines].join('\n');
}

/** A failure that ends its command with an exit code of its own, instead of that of its type. */
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

/** The code of a command that an error has ended. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CommandFailure) return error.exitCode;
  if (error instanceof Failure) return EXIT[FAILURES[error.type].exit ?? 'error'];
  return isServerError(error) ? EXIT.unreachable : EXIT.error;
}

/** The code of a command whose run was refused before anything of it was begun. */
export function refusalCode(failure: Failure): ExitCode {
  return EXIT[FAILURES[failure.type].exit ?? 'usage'];
}

/** An error as `--json` gives it, on the last line of standard error. */
export function errorJson(error: Error): object {
  const type = error instanceof Failure ? error.type : 'Setup';
  const next = error instanceof CommandFailure ? error.next : undefined;
  return {
    error: { type, message: userMessage(error), next: next ?? null },
    exitCode: exitCodeOf(error),
  };
}

/** Returns the message for a person; errors of the system or the server get an explanation. */
export function userMessage(error: Error): string {
  if (isServerError(error)) {
    const cause = error.cause instanceof Error ? error.cause.message : undefined;
    return `The Temporal server did not do what it was asked: ${cause ?? error.message}`;
  }
  return error.message;
}

/** Whether the error comes from Temporal's server or from the connection to it. */
export function isServerError(error: unknown): boolean {
  return grpcCode(error) !== undefined;
}

/** Whether the operating system reported the error, as for a file that cannot be written. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}
