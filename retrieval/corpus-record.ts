/**
 * Reads a record of a corpus file as a passage, by a mapping of its fields or by known field names.
 * Pure.
 */
import { toUSVString } from 'node:util';
import { z } from 'zod';
import { isObject } from '../core/is-object.js';
import type { Passage } from '../core/vocabulary.js';
import type { FileEntry } from '../files/records/entry.js';
import { fieldPath, parseMapping, valuesAt } from '../files/records/field-path.js';
import { parseCellValue } from '../files/records/python-value.js';

/** Paths of the fields of a corpus. */
const corpusFields = z
  .strictObject({
    /** Path of the id; absent if the file is a map of passages by id. */
    id: fieldPath.exactOptional(),
    title: fieldPath.exactOptional(),
    /** Several values, as of sentences[], are joined by line breaks. */
    text: fieldPath.exactOptional(),
    /** A text whose first line is the title, possibly in quotes, in place of `text`. */
    contents: fieldPath.exactOptional(),
  })
  .refine(({ text, contents }) => (text === undefined) !== (contents === undefined), {
    error: 'needs either text or contents',
  });

/** The paths of the fields of a corpus's records; either `text` or `contents` is set. */
export type CorpusFields = z.output<typeof corpusFields>;

/**
 * Parses the value of the flag `--fields` for a corpus, and returns the paths of the fields.
 *
 * @throws Failure BadInput naming the field.
 * @example parseCorpusFields('id=docid,title=headings[0],text=segment')
 */
export function parseCorpusFields(written: string): CorpusFields {
  return parseMapping(corpusFields, written);
}

/**
 * The error of a record that cannot be read as a passage. Its message is a predicate that follows
 * the place of the record, such as "has no text".
 */
export class BadPassage extends Error {}

/**
 * Returns the paths of the fields of records with known names: id or _id, title, text (this
 * project, DPR, BEIR), or id, contents (FlashRAG, Pyserini). Undefined for other records.
 *
 * @param names Names of a record's fields.
 * @param hasKey Whether the file is a map of records, whose keys are the ids unless they have one.
 */
export function knownFields(names: readonly string[], hasKey = false): CorpusFields | undefined {
  const first = (...wanted: string[]) => wanted.find((name) => names.includes(name));
  const id = first('id', '_id');
  const text = first('text', 'contents');
  if (text === undefined || (id === undefined && !hasKey)) return undefined;
  return {
    ...(id && { id }),
    ...(text === 'text' && { title: 'title' }),
    [text]: text,
  };
}

/** Common field names in lower case, for suggested mappings. */
const CALLED = {
  id: 'id _id docid doc_id docno document_id pid passage_id psg_id paragraph_id chunk_id idx index wikipedia_id url',
  title: 'title wikipedia_title document_title page_title headline heading name page',
  text: 'text contents content passage passage_text body abstract paragraph paragraph_text segment snippet chunk sentence sentences document doc',
};

/**
 * Returns a value of `--fields` to suggest for a record whose field names are unknown, guessed
 * from common ones. An id or text that cannot be guessed is `...`; such a title is left out.
 */
export function suggestedMapping(record: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(record);
  const find = (field: keyof typeof CALLED) => {
    const called = CALLED[field].split(' ').flatMap((one) => {
      const name = names.find((other) => other.toLowerCase() === one);
      return name === undefined ? [] : [name];
    });
    return called[0];
  };
  const [id, title, text] = [find('id'), find('title'), find('text')];
  const items = text !== undefined && Array.isArray(record[text]) ? '[]' : '';
  // Passages of a document may share its title; a number distinguishes them.
  const parts = [`id=${id ?? title ?? '...'}`, `text=${text ?? '...'}${items}`];
  return [...parts, ...(title === undefined ? [] : [`title=${title}`])].join(',');
}

/**
 * Returns the passage in an entry of a corpus file, read from the paths of `fields`.
 *
 * @throws BadPassage naming the field and what is expected.
 */
export function passageOf({ value, key }: FileEntry, fields: CorpusFields): Passage {
  if (!isObject(value)) throw new BadPassage(`is ${kindOf(value)}, not an object`);
  const id = fields.id === undefined ? (key ?? '') : idAt(value, fields.id);
  if (id === '') throw new BadPassage(`has an empty id (${fields.id})`);
  if (fields.contents !== undefined) {
    const contents = textAt(value, fields.contents) ?? missing(value, id, fields.contents);
    const title = textAt(value, fields.title);
    if (title !== undefined) return searchable(id, title, contents);
    return searchable(id, ...splitContents(contents));
  }
  const { text = '' } = fields;
  const title = textAt(value, fields.title) ?? '';
  return searchable(id, title, textAt(value, text) ?? missing(value, id, text));
}

function searchable(id: string, title: string, text: string): Passage {
  if (title.trim() !== '' || text.trim() !== '') return { id, title, text };
  throw new BadPassage(`(id ${id}) has neither a text nor a title: nothing to search`);
}

function missing(record: object, id: string, path: string): never {
  throw new BadPassage(`(id ${id}) has no ${path}. Its fields are ${fieldNamesText(record)}`);
}

/** Maximum number of field names shown, and maximum length of each. */
const SHOWN = 24;
const LONGEST_NAME = 40;

/**
 * Returns the names of a record's fields as one text for a message: at most 24 names, each cut to
 * 40 characters.
 */
export function fieldNamesText(record: object): string {
  const names = Object.keys(record).map((name) =>
    name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}...` : name,
  );
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '';
  return `${names.slice(0, SHOWN).join(', ')}${more}`;
}

function idAt(record: Record<string, unknown>, path: string): string {
  const values = at(record, path);
  if (values.length === 0) {
    throw new BadPassage(`has no ${path}. Its fields are ${fieldNamesText(record)}`);
  }
  const parts = values.map((value) => {
    if (typeof value === 'number') return String(value);
    if (typeof value === 'string') return toUSVString(value);
    throw new BadPassage(`has ${kindOf(value)} in ${path}, the id, which must be text or a number`);
  });
  return parts.join('-');
}

/** Returns undefined if there is no such field, or null in it. */
function textAt(record: Record<string, unknown>, path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  const values = at(record, path);
  if (values.length === 0) return undefined;
  return values
    .map((value) => {
      if (typeof value === 'string') return toUSVString(value);
      const help = Array.isArray(value)
        ? `; ${path}[] joins its items with line breaks`
        : isObject(value) && Object.keys(value).length > 0
          ? `; it has the fields ${fieldNamesText(value)}, such as ${path}.${Object.keys(value)[0]}`
          : '';
      throw new BadPassage(`has ${kindOf(value)} in ${path}, which must be text${help}`);
    })
    .join('\n');
}

/**
 * Returns the values at a path. A cell of a table is a text, and is read if a path leads into it.
 */
function at(record: Record<string, unknown>, path: string): unknown[] {
  const [root = ''] = path.split(/[.[]/, 1);
  const held = Object.hasOwn(record, path) ? record[path] : record[root];
  if (held === undefined || held === null) return [];
  if (path === root || Object.hasOwn(record, path)) return [held];
  const whole = typeof held === 'string' ? parseCellValue(held) : held;
  return valuesAt({ [root]: whole }, path);
}

function splitContents(contents: string): [title: string, text: string] {
  const end = contents.indexOf('\n');
  if (end === -1) return ['', contents];
  const first = contents.slice(0, end).trim();
  const quoted = first.length >= 2 && first.startsWith('"') && first.endsWith('"');
  return [quoted ? first.slice(1, -1) : first, contents.slice(end + 1)];
}

/** Returns the kind of a value in words, without its content, such as "a list". */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
