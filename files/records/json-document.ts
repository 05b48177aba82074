/** Reads the records of one JSON document as a stream. */
import type { Failure } from '../../core/failure.js';
import type { FileEntry } from './entry.js';
import { exactParser, invalidJsonHint } from './exact-json.js';
import type { SourceFile } from './source-file.js';

/**
 * The position of the records in a JSON document: their path, whether their keys are their ids,
 * and whether the keys above them name splits.
 */
export interface DocumentLayout {
  /** Path for @streamparser/json, for example `$.data.*`. */
  path: string;
  /** Whether a record's key is its id. */
  keyed: boolean;
  /** Whether the key above the record names a split, such as "train". Only one split may exist. */
  split: boolean;
}

/** No record is this long; a document of another kind must not fill the memory. */
const LONGEST = 64 * 1024 * 1024;

/**
 * Yields an entry for each record of a JSON document, in order: its `value`, its `place` such as
 * "record 2", and its `key` if the layout says that keys are ids. Memory is limited to a few
 * buffers and the longest record. Sets `source.format`.
 *
 * @throws Failure BadInput for a file that is not JSON in UTF-8, for a record longer than 64 MB,
 * and for a document with several splits.
 */
export async function* readDocument(
  source: SourceFile,
  { path, keyed, split }: DocumentLayout,
): AsyncGenerator<FileEntry> {
  source.format = 'JSON';
  // Several consecutive values are allowed only if each value is itself a record.
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
  let broken: unknown;
  for await (const chunk of source.utf8()) {
    feed(() => parser.write(chunk));
    since = found.length > 0 ? 0 : since + chunk.length;
    if (since > LONGEST) {
      throw source.refuse(`has a record of more than 64 MB after record ${number}`);
    }
    for (const { value, key, splitName } of found.splice(0)) {
      only ??= splitName;
      if (splitName !== only) {
        throw source.refuse(
          'contains several splits: write the one that you want to a file of its own',
        );
      }
      yield { value, key, place: `record ${++number}` };
    }
    if (broken) throw await refusal('');
  }
  feed(parser.end);
  if (broken) throw await refusal(': it ends in the middle');

  function feed(step: () => unknown): void {
    try {
      step();
    } catch (error) {
      broken = error;
    }
  }

  async function refusal(why: string): Promise<Failure> {
    const { line, rest } = await source.at(parser.offset());
    return source.refuse(
      `is not JSON after record ${number}, at line ${line}${why}${invalidJsonHint(rest)}`,
      broken,
    );
  }
}
