/** The commands that messages tell people to type. */

let inForce: readonly string[] = [];

/** Sets the flags that this process was typed with, which every command that it names needs too. */
export function typedWith(flags: readonly string[]): void {
  inForce = flags;
}

/** Returns a command as a shell takes it, such as "durable-rag resume night-1". */
export function command(...words: readonly string[]): string {
  return line([...inForce, ...words]);
}

/** Returns words that were typed behind the name of this program as a shell takes them. */
export function line(words: readonly string[]): string {
  return ['durable-rag', ...words].map(quoted).join(' ');
}

export function startWorker(): string {
  return `start one with "${command('worker')}" or "${command('dev')}"`;
}

function quoted(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
