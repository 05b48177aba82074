/** Writes output in which text from models, corpora or providers cannot control the terminal. */
import { once } from 'node:events';
import pc from 'picocolors';
import { printable, printableInColours, printableJson } from '../report/views/printable.js';

/** Writes lines for a person to standard output. */
export function print(text: string): void {
  process.stdout.write(`${forTerminal(text)}\n`);
}

/** Writes lines for a person to standard error. */
export function tell(text: string): void {
  process.stderr.write(`${forTerminal(text)}\n`);
}

/** Writes a value as JSON to standard output. */
export function printJson(value: unknown, space?: number): void {
  process.stdout.write(`${printableJson(JSON.stringify(value, undefined, space))}\n`);
}

/** Writes a value as JSON to standard error. */
export function tellJson(value: unknown): void {
  process.stderr.write(`${printableJson(JSON.stringify(value))}\n`);
}

/** Writes a line of JSON to standard output; waits if its reader is slower. */
export async function printJsonLine(line: string): Promise<void> {
  if (!process.stdout.write(`${printableJson(line)}\n`)) await once(process.stdout, 'drain');
}

function forTerminal(text: string): string {
  return pc.isColorSupported ? printableInColours(text) : printable(text);
}
