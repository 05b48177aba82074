/** Writes output in which text from models, corpora or providers cannot control the terminal. */
import { once } from 'node:events';
import pc from 'picocolors';
import { printable, printableInColours, printableJson } from '../report/views/printable.js';

/** Writes text for a person to standard output, with a line end. */
export function print(text: string): void {
  process.stdout.write(`${forTerminal(text)}\n`);
}

/** Writes text for a person to standard error, with a line end. */
export function printToStderr(text: string): void {
  process.stderr.write(`${forTerminal(text)}\n`);
}

/** Writes a value as JSON to standard output, with a line end. */
export function printJson(value: unknown, space?: number): void {
  process.stdout.write(`${printableJson(JSON.stringify(value, undefined, space))}\n`);
}

/** Writes a value as one line of JSON to standard error. */
export function printJsonToStderr(value: unknown): void {
  process.stderr.write(`${printableJson(JSON.stringify(value))}\n`);
}

/** Writes a line that is already JSON to standard output; waits if its reader is slower. */
export async function printJsonLine(line: string): Promise<void> {
  if (!process.stdout.write(`${printableJson(line)}\n`)) await once(process.stdout, 'drain');
}

/**
 * Returns text whose control characters cannot act on the terminal; keeps colours if it has them.
 */
function forTerminal(text: string): string {
  return pc.isColorSupported ? printableInColours(text) : printable(text);
}
