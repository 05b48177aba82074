/** What commands work with that are called in this process, and what they print. */
import { stripVTControlCharacters } from 'node:util';
import { vi } from 'vitest';
import type { CliContext } from '../../cli/context.js';
import { quietReporter } from './quiet-reporter.js';

/** Of nobody's machine, but for the changes. */
export function cliContext(changes: Partial<CliContext> = {}): CliContext {
  const { signal } = new AbortController();
  return { env: {}, home: '/nowhere', reporter: quietReporter, signal, ...changes };
}

/** Does some work; `text` is what that wrote to standard output, without colours. */
export async function printedBy<T>(work: () => Promise<T>): Promise<{ text: string; result: T }> {
  let text = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    text += chunk;
    return true;
  });
  try {
    const result = await work();
    return { result, text: stripVTControlCharacters(text) };
  } finally {
    write.mockRestore();
  }
}
