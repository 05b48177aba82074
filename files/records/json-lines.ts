/** Reads a JSON Lines file as a stream. */
import type { FileEntry } from './entry.js';
import { exactJson, invalidJsonHint } from './exact-json.js';
import type { SourceFile } from './source-file.js';

/**
 * Yields an entry for each line of a JSON Lines file, plain or gzip, with its `value` and a
 * `place` such as "line 3"; blank lines are skipped. Memory is limited to a few buffers and the
 * longest line. Sets `source.format`.
 *
 * @throws Failure BadInput for a line that is not JSON in UTF-8, or is longer than 64 MB.
 */
export async function* readJsonLines(source: SourceFile): AsyncGenerator<FileEntry> {
  source.format = 'JSON Lines';
  for await (const line of source.lines()) {
    const place = `line ${line.number}`;
    const text = source.text(line);
    let value: unknown;
    try {
      value = exactJson(text);
    } catch (error) {
      throw source.refuse(`${place} is not JSON${invalidJsonHint(text)}`, error);
    }
    yield { value, place };
  }
}
