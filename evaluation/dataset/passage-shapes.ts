/** The passages in one field, in any of the ways in which fields have them. Pure. */
import { z } from 'zod';
import { BadField, check } from './line.js';
import type { DatasetPassage } from './record.js';
import { flag, id, score, text, title, writtenIn } from './values.js';

const TEXT = [
  ...['text', 'contents', 'content', 'paragraph_text', 'passage_text', 'passage', 'paragraph'],
  ...['snippet', 'chunk', 'body', 'page_content', 'context', 'contexts', 'sentences'],
  ...['evidence_text', 'fact', 'quote', 'page_snippet', 'search_context', 'wiki_context'],
];
/** What a search gave, which may be nothing. */
const MAY_BE_EMPTY = new Set(['page_snippet', 'search_context', 'wiki_context']);
const TITLE = ['title', 'page_name', 'page_title', 'doc_title'];
const ID = ['id', '_id', 'idx', 'docid', 'doc_id', 'pid', 'passage_id', 'psg_id'];
const GOLD = ['isGold', 'is_gold', 'is_supporting', 'is_selected'];
const HAS_ANSWER = ['hasAnswer', 'has_answer', 'hasanswer'];

/** HotpotQA and 2WikiMultihopQA: a title and its sentences. */
const pairs = z.array(z.tuple([z.string(), z.array(z.string())]));
const lists = z.array(z.array(z.string()));
const NESTED = /^(?:positive|negative)(?:_wrong)?$/;

/**
 * A text, a list of texts, of objects with a text, or of a title with its sentences; columns of
 * them, as Parquet has it; and a list that is written as text, as tables have it.
 *
 * @param field How errors call it.
 * @param heading Title of a field that is one text.
 * @throws BadField for anything else.
 */
export function passagesIn(given: unknown, field: string, heading = ''): DatasetPassage[] {
  const value = typeof given === 'string' ? (writtenIn(given, field) ?? given) : given;
  if (typeof value === 'string') return [{ title: heading, text: check(text, value, field) }];
  if (Array.isArray(value)) {
    if (Array.isArray(value[0])) {
      // RGB has a list for each part of an answer.
      const parts = NESTED.test(field) ? lists.safeParse(value) : undefined;
      return parts?.success
        ? passagesIn(parts.data.flat(), field)
        : ofPairs(check(pairs, value, field));
    }
    return value.map((item, i) => ofItem(item, `${field}.${i}`)).filter((found) => found !== null);
  }
  const rows = isObject(value) ? rowsOf(value) : undefined;
  if (rows) return passagesIn(rows, field);
  const one = ofItem(value, field);
  return one ? [one] : [];
}

function ofPairs(found: z.output<typeof pairs>): DatasetPassage[] {
  return found
    .map(([name, sentences]) => ({ title: name, text: joined(sentences) }))
    .filter((passage) => passage.text !== '');
}

function joined(sentences: readonly string[]): string {
  return sentences
    .map((sentence) => sentence.trim())
    .join(' ')
    .trim();
}

/** Null for a paragraph without sentences, as HotpotQA has some. */
function ofItem(item: unknown, field: string): DatasetPassage | null {
  if (typeof item === 'string') return { title: '', text: check(text, item, field) };
  if (!isObject(item)) throw new BadField(`${field}: no text, and no object with one`);
  const of = (names: readonly string[]) =>
    names.map((name) => [name, item[name]] as const).find(([, value]) => value != null);
  const read = <T>(schema: z.ZodType<T>, names: readonly string[]): T | undefined => {
    const found = of(names);
    return found && check(schema, found[1], `${field}.${found[0]}`);
  };
  const [name, value] = of(TEXT) ?? ['text', undefined];
  if (Array.isArray(value)) {
    const sentences = joined(check(z.array(z.string()), value, `${field}.${name}`));
    if (sentences === '') return null;
    return { ...rest(), text: sentences };
  }
  if (value === '' && MAY_BE_EMPTY.has(name)) return null;
  const whole = check(text, value, `${field}.${name}`);
  if (name !== 'contents' || item.title != null) return { ...rest(), text: whole };
  return { ...rest(), ...split(whole) };

  function rest() {
    const number = read(id, ID);
    const isGold = read(flag, GOLD);
    const hasAnswer = read(flag, HAS_ANSWER);
    const value = read(score, ['score']);
    return {
      ...(number !== undefined && { id: number }),
      title: read(title, TITLE) ?? '',
      ...(value !== undefined && { score: value }),
      ...(hasAnswer !== undefined && { hasAnswer }),
      ...(isGold !== undefined && { isGold }),
    };
  }
}

/** FlashRAG's contents: the title, possibly in quotes, and then the text. */
function split(contents: string): { title: string; text: string } {
  const end = contents.indexOf('\n');
  if (end === -1) return { title: '', text: contents };
  const first = contents
    .slice(0, end)
    .trim()
    .replace(/^"(.*)"$/, '$1');
  const after = contents.slice(end + 1).trim();
  return after === '' ? { title: '', text: first } : { title: first, text: after };
}

/** Columns of the same length made into rows; undefined for an object that is no columns. */
function rowsOf(columns: Record<string, unknown>): Record<string, unknown>[] | undefined {
  const lists = Object.entries(columns).filter(([, column]) => Array.isArray(column)) as [
    string,
    unknown[],
  ][];
  if (!lists.some(([name]) => TEXT.includes(name))) return undefined;
  const lengths = lists.filter(([name]) => TEXT.includes(name) || name === 'title');
  const length = lengths[0]?.[1].length ?? 0;
  // {title: 'T', sentences: [...]} is one passage.
  if (typeof columns.title === 'string') return undefined;
  if (lengths.some(([, column]) => column.length !== length)) return undefined;
  return Array.from({ length }, (_, i) =>
    Object.fromEntries(lists.filter(([, c]) => c.length === length).map(([n, c]) => [n, c[i]])),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
