import { readUtf8, refuseDataset } from './bytes.js';
import type { Entry } from './entry.js';
import { exactParser } from './exact-json.js';

/** Where the records stand in a document. */
export interface DocumentLayout {
  /** As @streamparser/json writes it, for example `$.data.*`. */
  path: string;
  /** Whether a record's key is its id. */
  keyed: boolean;
  /** Whether the step before the record names a split, of which only one can be meant. */
  split: boolean;
}

/** No record is this long; a document of another kind must not fill the memory. */
const LONGEST = 64 * 1024 * 1024;

/**
 * The records in the order of the document; memory stays at a few buffers and the longest record.
 *
 * @throws Failure BadInput for what is not JSON, and for a document of several splits.
 */
export async function* readDocument(
  file: string,
  { path, keyed, split }: DocumentLayout,
  signal?: AbortSignal,
): AsyncGenerator<Entry> {
  // Several values one after the other are allowed only where the value itself is the record.
  const options = { paths: [path], keepStack: false, ...(path === '$' && { separator: '' }) };
  const found: { value: unknown; key: string | undefined; splitName: string | undefined }[] = [];
  const parser = exactParser(options, ({ value, key, stack }) => {
    const parent = stack.at(-1)?.key;
    found.push({
      value,
      key: keyed ? String(key) : undefined,
      splitName: split ? String(parent) : undefined,
    });
  });
  let number = 0;
  let since = 0;
  let only: string | undefined;
  for await (const chunk of readUtf8(file)) {
    signal?.throwIfAborted();
    feed(() => parser.write(chunk));
    since = found.length > 0 ? 0 : since + chunk.length;
    if (since > LONGEST) {
      throw refuseDataset(file, `has no end of a record in 64 MB after record ${number}`);
    }
    for (const { value, key, splitName } of found.splice(0)) {
      only ??= splitName;
      if (splitName !== only) {
        throw refuseDataset(
          file,
          'holds several splits: write the one that is wanted into a file of its own',
        );
      }
      yield { value, key, place: `record ${++number}` };
    }
  }
  feed(parser.end);

  function feed(step: () => unknown): void {
    try {
      step();
    } catch (error) {
      throw refuseDataset(file, `is not JSON after record ${number + found.length}`, error);
    }
  }
}
