/**
 * Starts the servers of the local stack, which stop when the command line decides and never outlive
 * it.
 *
 * Ctrl-C in a terminal goes to the whole foreground process group, but Temporal must not stop before
 * the worker has drained. So each child leads a process group of its own, and only the parent gets
 * Ctrl-C and stops its children in order. To stop them when the parent is killed too, a small shell
 * between the two reads a pipe from the parent, and kills the group as soon as the pipe closes. No
 * pid files are needed, and no orphans are left.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, renameSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SetupError } from './setup-error.js';

/**
 * Shell script between the parent and a child. It passes SIGTERM on and waits; when the pipe on
 * stdin closes, it kills the group with SIGKILL. A wait that a signal interrupts returns the signal's
 * code, so it waits again, which returns the child's own code, or 127 if the first wait had returned
 * that.
 */
const WATCHDOG_SCRIPT = `
exec 3<&0
code=
trap 'told=1; kill -TERM "$child" 2>/dev/null' TERM
"$@" </dev/null 3<&- &
child=$!
(trap '' TERM INT HUP; read -r _; kill -KILL 0) <&3 3<&- >/dev/null 2>&1 &
watchdog=$!
trap '' INT HUP
while :; do
  told=
  wait "$child"; now=$?
  [ "$now" = 127 ] && [ -n "$code" ] && break
  code=$now
  [ -n "$told" ] || break
done
kill -KILL "$watchdog"
exit "$code"
`;

const GRACE_MS = 10_000;
const LOG_LINES = 12;

/** A child process that was started, with its log. It ends at the latest with this process. */
export interface Child {
  /** Resolves when the process has ended; `expected` is true after `stop`. Never rejects. */
  readonly exited: Promise<{ name: string; expected: boolean; code: number | null }>;
  readonly running: boolean;
  readonly logFile: string;
  /** Sends SIGTERM, and SIGKILL after 10 s; resolves when the process has ended. */
  stop(): Promise<void>;
  /** Returns the last lines of the log, for an error message. */
  lastLines(): Promise<string>;
}

/** The program of a child process, and where its output goes. */
interface ChildOptions {
  /** Name for messages. */
  name: string;
  command: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  /** File for stdout and stderr; the previous log is renamed to `.previous`. */
  logFile: string;
  /** User to run as, which only root can choose; undefined for this process's own. */
  user?: User | undefined;
}

/** User id and group id under which a process runs. */
export interface User {
  uid: number;
  gid: number;
}

/**
 * Starts a process in a process group of its own, which is killed, at the latest, when this process
 * ends.
 *
 * @param output Where its stdout and stderr go: a file descriptor, or 'pipe'.
 */
function spawnWatched(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  output: number | 'pipe',
  user?: User,
): ChildProcess {
  const keeper = spawn('/bin/sh', ['-c', WATCHDOG_SCRIPT, 'durable-rag', command, ...args], {
    detached: true,
    stdio: ['pipe', output, output],
    env,
    ...user,
  });
  keeper.stdin?.on('error', () => {}); // The pipe is only ever closed, never written to.
  keeper.once('exit', () => keeper.stdin?.destroy());
  return keeper;
}

/**
 * Starts a process that writes to a log file, and returns it without waiting. It ends, at the
 * latest, with this process.
 */
export function startChild(options: ChildOptions): Child {
  const { name, command, args, env, logFile, user } = options;
  const log = openLog(logFile);
  const keeper = spawnWatched(command, args, env, log, user);
  closeSync(log);

  let expected = false;
  let running = true;
  const exited = new Promise<Awaited<Child['exited']>>((done) => {
    const finish = (code: number | null) => {
      running = false;
      done({ name, expected, code });
    };
    keeper.once('exit', finish);
    keeper.once('error', () => finish(null));
  });

  return {
    exited,
    logFile,
    get running() {
      return running;
    },
    async stop() {
      expected = true;
      if (!running) return;
      keeper.kill('SIGTERM');
      const late = setTimeout(() => killGroup(keeper), GRACE_MS);
      await exited;
      clearTimeout(late);
    },
    async lastLines() {
      const text = await readFile(logFile, 'utf8').catch(() => '');
      return text.trimEnd().split('\n').slice(-LOG_LINES).join('\n');
    },
  };
}

/** Opens a new log file, after renaming the previous one, and returns its file descriptor. */
function openLog(logFile: string): number {
  mkdirSync(dirname(logFile), { recursive: true });
  try {
    renameSync(logFile, `${logFile}.previous`);
  } catch {
    // The first start has no log before it.
  }
  return openSync(logFile, 'a');
}

/** Kills a process started by `spawnWatched`, and all that it started, with SIGKILL. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}

/**
 * Runs a program to its end, and returns its exit code (`code`: 128 plus the number of the signal
 * if one ended it, null if it is not known) and the last 20,000 characters of its stdout and
 * stderr (`output`). It has a process group of its own, so Ctrl-C stops it only through `signal`.
 *
 * @param command The program, with its first arguments.
 * @param args Further arguments.
 * @throws The signal's reason once it aborts. Not for an exit code other than 0, nor for a program
 * that does not exist, which has the code 127.
 */
export function runToEnd(
  [program = '', ...before]: readonly string[],
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<{ code: number | null; output: string }> {
  return new Promise((done, fail) => {
    signal?.throwIfAborted();
    const child = spawnWatched(program, [...before, ...args], env, 'pipe');
    const kill = () => killGroup(child);
    let output = '';
    const take = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-20_000);
    };
    child.stdout?.on('data', take);
    child.stderr?.on('data', take);
    signal?.addEventListener('abort', kill, { once: true });
    child.once('error', fail);
    child.once('close', (code) => {
      signal?.removeEventListener('abort', kill);
      if (signal?.aborted) fail(signal.reason);
      else done({ code, output });
    });
  });
}

const POLL_MS = 100;

/** Options of a process that must become ready. */
interface ServingOptions extends ChildOptions {
  /** Returns whether the process serves; called repeatedly while it starts. */
  isReady(): Promise<boolean>;
  /** Longest wait until it is ready, in milliseconds. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/**
 * Starts a server process and returns it once `isReady` returns true. Stops it if it does not
 * become ready in time.
 *
 * @throws {SetupError} with the last lines of its log.
 * @throws The reason of `signal` if aborted.
 */
export async function startServing(options: ServingOptions): Promise<Child> {
  const { name, isReady, timeoutMs, signal } = options;
  signal?.throwIfAborted();
  const child = startChild(options);
  const failed = async (how: string) =>
    new SetupError(
      `${name} ${how}. The end of its log (${child.logFile}):\n${await child.lastLines()}`,
    );
  try {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      signal?.throwIfAborted();
      if (!child.running) throw await failed('ended as it started');
      if (await isReady()) return child;
      if (Date.now() > deadline) throw await failed(`did not serve within ${timeoutMs / 1000} s`);
      await sleep(POLL_MS);
    }
  } catch (error) {
    await child.stop();
    throw error;
  }
}
