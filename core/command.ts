/** Commands that messages tell people to type. */

let inForce: readonly string[] = [];

/** Sets the global flags of this process, which the commands that it names need too. */
export function typedWith(flags: readonly string[]): void {
  inForce = flags;
}

/** Returns a command as typed in a shell, such as "durable-rag resume night-1". */
export function command(...words: readonly string[]): string {
  return line([...inForce, ...words]);
}

/** Returns words quoted for a shell, without the program's name. */
export function line(words: readonly string[]): string {
  return ['durable-rag', ...words].map(quoted).join(' ');
}

export function startWorker(): string {
  return `start one with "${command('worker')}" or "${command('dev')}"`;
}

function quoted(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
