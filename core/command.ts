/** Commands that messages suggest. */

let globalFlags: readonly string[] = [];

/**
 * Sets the global flags that this process was started with; `command` includes them in every
 * command.
 */
export function setGlobalFlags(flags: readonly string[]): void {
  globalFlags = flags;
}

/**
 * Returns a command of durable-rag as typed in a shell, with the global flags that `setGlobalFlags`
 * set.
 *
 * @example command('resume', 'night-1') // 'durable-rag resume night-1'
 */
export function command(...words: readonly string[]): string {
  return commandLine([...globalFlags, ...words]);
}

/**
 * Returns "durable-rag" followed by the words, each quoted for a shell if necessary; global flags
 * are not added.
 */
export function commandLine(words: readonly string[]): string {
  return ['durable-rag', ...words].map(quoted).join(' ');
}

/**
 * Returns the advice to start a worker as a clause for a message: `start one with "..." or "..."`.
 */
export function startWorkerAdvice(): string {
  return `start one with "${command('worker')}" or "${command('dev')}"`;
}

function quoted(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
