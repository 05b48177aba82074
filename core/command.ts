/** Commands that messages tell people to type. */

let inForce: readonly string[] = [];

/**
 * Sets the global flags that this process was started with. Every command that a later message
 * suggests includes them.
 */
export function setGlobalFlags(flags: readonly string[]): void {
  inForce = flags;
}

/**
 * Returns a command of durable-rag as typed in a shell, with the global flags of this process.
 *
 * @example command('resume', 'night-1') // 'durable-rag resume night-1'
 */
export function command(...words: readonly string[]): string {
  return commandLine([...inForce, ...words]);
}

/** Returns "durable-rag" followed by the words, each quoted for a shell if necessary. */
export function commandLine(words: readonly string[]): string {
  return ['durable-rag', ...words].map(quoted).join(' ');
}

/** Returns the advice to start a worker, as the end of a sentence. */
export function startWorkerAdvice(): string {
  return `start one with "${command('worker')}" or "${command('dev')}"`;
}

function quoted(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
