/** Reads a line of a corpus file as a passage, or says why it is none. */

import { isUtf8 } from 'node:buffer';
import { toUSVString } from 'node:util';
import { jsonIn } from '../core/canonical-json.js';
import { isObject } from '../core/is-object.js';
import type { Passage } from '../core/vocabulary.js';

/** The form of a line, which every message about a bad line repeats. */
const EXPECTED = 'Expected {"id": ..., "title": ..., "text": ...} or {"id": ..., "contents": ...}.';

/** Why a line is not a passage. The caller adds file and line number. */
export class BadLine extends Error {}

/**
 * Reads {id | _id, title, text} or FlashRAG's {id, contents}, whose first line is the title,
 * possibly in quotes. Other fields are ignored, a missing title is ''. Ids may be numbers.
 *
 * @throws BadLine with the field and what was expected.
 */
export function parseCorpusLine(line: Buffer): Passage {
  if (!isUtf8(line)) throw new BadLine('is not UTF-8 text: give JSON Lines, plain or gzip.');
  const record = parseObject(line.toString('utf8'));
  const id = readId(record.id ?? record._id);
  if (record.text === undefined && record.contents !== undefined) {
    return { id, ...splitContents(readString('contents', record.contents)) };
  }
  if (record.text === undefined || record.text === null) {
    throw new BadLine(`(id ${id}) has no field "text". ${EXPECTED}`);
  }
  const title = readString('title', record.title ?? '');
  const text = readString('text', record.text);
  if (title.trim() === '' && text.trim() === '') {
    throw new BadLine(`(id ${id}) has an empty "text" and no "title": nothing to search.`);
  }
  return { id, title, text };
}

function parseObject(text: string): Record<string, unknown> {
  const value = jsonIn(text);
  if (value === undefined) throw new BadLine(`is not JSON. ${EXPECTED}`);
  if (!isObject(value)) throw new BadLine(`holds ${kindOf(value)}, not an object. ${EXPECTED}`);
  return value;
}

function readId(value: unknown): string {
  if (value === undefined || value === null) throw new BadLine(`has no field "id". ${EXPECTED}`);
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') {
    throw new BadLine(`has ${kindOf(value)} as "id"; expected a string or a number.`);
  }
  if (value === '') throw new BadLine('has an empty "id".');
  return toUSVString(value);
}

function readString(field: string, value: unknown): string {
  if (typeof value === 'string') return toUSVString(value);
  throw new BadLine(`has ${kindOf(value)} as "${field}"; expected a string.`);
}

function splitContents(contents: string): { title: string; text: string } {
  if (contents.trim() === '') throw new BadLine('has empty "contents": nothing to search.');
  const end = contents.indexOf('\n');
  if (end === -1) return { title: '', text: contents };
  const first = contents.slice(0, end).trim();
  const quoted = first.length >= 2 && first.startsWith('"') && first.endsWith('"');
  return { title: quoted ? first.slice(1, -1) : first, text: contents.slice(end + 1) };
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
