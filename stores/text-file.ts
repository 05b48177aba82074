import { readFile } from 'node:fs/promises';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a text file: UTF-8, with or without a byte order mark.
 *
 * @throws An error with a `code`: Node's, or `NOT_UTF8`.
 */
export async function readTextFile(file: string): Promise<string> {
  const bytes = await readFile(file);
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw Object.assign(new Error(`${file} is not in UTF-8.`, { cause }), { code: 'NOT_UTF8' });
  }
}
