/** Tables of bad input that can be read aloud: what is given, and the whole sentence that refuses it. */
import { expect, test } from 'vitest';
import { Failure } from '../../core/failure.js';

/**
 * Makes a test of each row: `refuse` is called with what is given, and must throw the row's sentence.
 * In a sentence, FOLDER stands for the temporary folder of the test.
 *
 * @param type The failure's type, or the name of an error that is no `Failure`.
 */
export function refusals<Given extends readonly unknown[]>(
  refuse: (...given: Given) => unknown,
  rows: readonly (readonly [...given: Given, sentence: string])[],
  type = 'BadInput',
): void {
  test.each(rows.map((row) => [nameOf(row), row] as const))('%s', async (_, row) => {
    const given = row.slice(0, -1) as unknown as Given;
    expect(await refusalBy(() => refuse(...given))).toEqual({ type, sentence: row.at(-1) });
  });
}

async function refusalBy(refuse: () => unknown): Promise<{ type: string; sentence: string }> {
  try {
    await refuse();
  } catch (error) {
    const { name, message } = error as Error;
    const sentence = message.replaceAll(/[\w/.-]*durable-rag-test-\w+/g, 'FOLDER');
    return { type: error instanceof Failure ? error.type : name, sentence };
  }
  throw new Error('It was accepted.');
}

/** Returns what is given as the name of a test, without files. */
function nameOf(row: readonly unknown[]): string {
  const given = row.slice(0, -1).filter((one) => !Buffer.isBuffer(one));
  const texts = given.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
  return texts.join(' ').split('\n', 1)[0]?.slice(0, 100) ?? '';
}
