/** Reads text files. */
import { readFile } from 'node:fs/promises';
import { errorCodeOf, Failure } from '../core/failure.js';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Returns the text of a UTF-8 file, without its byte order mark if it has one.
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

/**
 * Reads a text file, and returns the result of parsing its text.
 *
 * @param parse Parses the text; its Failure BadInput need not name the file.
 * @throws Failure BadInput naming the file: if it cannot be read, and if `parse` refuses it.
 */
export async function parseTextFile<T>(
  file: string,
  parse: (text: string) => Promise<T> | T,
): Promise<T> {
  const text = await readTextFile(file).catch((cause: unknown) => {
    const code = errorCodeOf(cause);
    const what = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
    throw new Failure('BadInput', `${file}: ${what}.`, { cause });
  });
  try {
    return await parse(text);
  } catch (error) {
    throw inFile(error, file);
  }
}

/**
 * Returns the error of parsing a file: a Failure BadInput gets the file's name before its message,
 * and any other error is returned as it is.
 */
export function inFile(error: unknown, file: string): unknown {
  if (!(error instanceof Failure) || error.type !== 'BadInput') return error;
  return new Failure('BadInput', `${file}: ${error.message}`, { cause: error });
}
