/** Records that hold several questions about one text, taken apart. Pure. */
import { z } from 'zod';
import { BadField, check } from './line.js';

/** A question with the path to it inside its record, where it was in one. */
export interface FlatRecord {
  value: unknown;
  path: string;
}

const question = z.looseObject({});
const paragraph = z.looseObject({ qas: z.array(question) });

/**
 * SQuAD's articles (paragraphs with their questions) and MRQA's (a context with its questions) as
 * a record a question; MRQA's header is none; other records are left as they are.
 *
 * @throws BadField for a paragraph without questions or text.
 */
export function flatten(value: unknown): FlatRecord[] {
  if (!isObject(value) || 'question' in value) return [{ value, path: '' }];
  if ('header' in value && Object.keys(value).length === 1) return [];
  if (Array.isArray(value.qas)) return questionsOf(value, '', undefined);
  const { paragraphs, title } = value;
  if (!Array.isArray(paragraphs) || !paragraphs.some((one) => isObject(one) && 'qas' in one)) {
    return [{ value, path: '' }];
  }
  return paragraphs.flatMap((one, i) => questionsOf(one, `paragraphs.${i}.`, title));
}

function questionsOf(value: unknown, at: string, title: unknown): FlatRecord[] {
  const { qas, context } = check(paragraph, value, at.slice(0, -1) || 'the record');
  if (typeof context !== 'string') throw new BadField(`${at}context: no text`);
  return qas.map((one, i) => ({
    value: { ...(title === undefined ? {} : { title }), context, ...one },
    path: `${at}qas.${i}.`,
  }));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
