/** Values that the records of several data sets have, and the fields that are stored though no reader uses them. Pure. */
import { z } from 'zod';
import type { DatasetPassage } from '../../core/dataset-record.js';
import { isObject } from '../../core/is-object.js';
import { exactJsonIn } from '../../files/records/exact-json.js';

export const text = z.string().trim().min(1);
/** Empty ones are left out: nothing can match them. */
export const texts = z
  .array(z.string().trim())
  .transform((values) => values.filter((value) => value !== ''));
/**
 * Names of each wanted answer. An answer with only empty names stays, so that it is never found.
 */
export const groups = z.array(texts).min(1);
export const id = z.union([text, z.number().transform(String)]);
const anything = z.unknown().optional();
/** Fields of a record that are not read. */
export function unused<N extends string>(...names: N[]) {
  const fields = names.map((name) => [name, anything]);
  return Object.fromEntries(fields) as { [K in N]: typeof anything };
}

/** The fields of a record that are read. */
export function fieldsRead({ shape }: z.ZodObject): string[] {
  return Object.keys(shape).filter((name) => shape[name] !== anything);
}

const title = z
  .string()
  .nullish()
  .transform((value) => value ?? '');
/** The score of a passage: a number, or a number as text as DPR writes it. */
export const score = z.union([z.number(), text.transform(Number).pipe(z.number())]);

/** A text alone is a passage without a title. */
function orText<S extends z.ZodType>(schema: S) {
  return z.preprocess((value) => (typeof value === 'string' ? { text: value } : value), schema);
}

/** Passages in the form of this project's own data sets. */
export const passages = z.array(
  orText(
    z.strictObject({
      id: id.optional(),
      title,
      text,
      score: score.optional(),
      hasAnswer: z.boolean().optional(),
      isGold: z.boolean().optional(),
      grade: z.number().positive().optional(),
    }),
  ),
);

/** Passages as DPR, FiD and ALCE store them. */
export const retrieved = z.array(
  z
    .strictObject({
      id: id.optional(),
      passage_id: id.optional(),
      psg_id: id.optional(),
      title,
      text,
      score: score.optional(),
      has_answer: z.boolean().optional(),
      hasanswer: z.boolean().optional(),
      ...unused('title_score', 'rec_score', 'url', 'summary', 'extraction', 'answers_found'),
    })
    .transform(
      ({ title, text, score, ...one }): DatasetPassage => ({
        id: one.id ?? one.passage_id ?? one.psg_id,
        title,
        text,
        score,
        hasAnswer: one.has_answer ?? one.hasanswer,
      }),
    ),
);

/** A list or an object that some files have written as JSON in a text. */
export function orWritten<S extends z.ZodType>(schema: S) {
  return z.preprocess((value) => {
    const written = typeof value === 'string' ? exactJsonIn(value) : undefined;
    return written === undefined ? value : written;
  }, schema);
}

const sentences = z.array(z.string());
const pairs = z.array(z.tuple([z.string(), sentences]));
const columns = z
  .strictObject({ title: z.array(z.string()), sentences: z.array(sentences) })
  .transform(({ title, sentences }) => title.map((name, i) => [name, sentences[i] ?? []] as const));

/** Titles with their sentences, as HotpotQA has them, or as columns. */
export const articles = orWritten(z.union([pairs, columns])).transform((found) =>
  found.map(([title, lines]) => ({ title, text: joined(lines) })),
);

/** The titles that the answer needs, with the number of a sentence each. */
export const supportingTitles = orWritten(
  z.union([
    z.array(z.tuple([z.string(), z.number()])).transform((facts) => facts.map(([name]) => name)),
    z
      .strictObject({ title: z.array(z.string()), sent_id: z.array(z.number()) })
      .transform((facts) => facts.title),
  ]),
);

/** HotpotQA marks the passages that are needed by their titles. */
export function markedByTitle(
  found: readonly DatasetPassage[],
  needed: readonly string[] | undefined,
): DatasetPassage[] {
  return found.map((one) => ({ ...one, isGold: needed?.includes(one.title) }));
}

function joined(lines: readonly string[]): string {
  return lines
    .map((line) => line.trim())
    .join(' ')
    .trim();
}

/** Returns texts as passages; `isGold` marks them as needed or not, if known. */
export function asPassages(found: readonly string[] = [], isGold?: boolean): DatasetPassage[] {
  return found.map((one) => ({ title: '', text: one.trim(), isGold }));
}

export function unique<T extends string>(values: readonly T[]): T[] {
  return [...new Set(values)];
}

const FORMS: Readonly<Record<string, string[]>> = {
  SUPPORTS: ['supports', 'yes', 'true'],
  REFUTES: ['refutes', 'no', 'false'],
  'NOT ENOUGH INFO': ['not enough info'],
};

/** The class of a claim, named as FEVER names it. */
export const claimClass = z.enum(['SUPPORTS', 'REFUTES', 'NOT ENOUGH INFO']);

/** A claim is answered by its class, in any of its forms. */
export function ofClass(label: z.output<typeof claimClass>) {
  return { answers: FORMS[label] ?? [], label, answerKind: 'label' } as const;
}

/** Choices as a list of label and text, or as columns of them. */
export const labelled = z.union([
  z.array(z.strictObject({ label: text, text })),
  z
    .strictObject({ label: z.array(text), text: z.array(text) })
    .transform(({ label, text }) => label.map((one, i) => ({ label: one, text: text[i] ?? '' }))),
]);

/** The text of the choice that a key names. */
export function keyed(choices: z.output<typeof labelled>, key: string): string[] {
  return choices.filter(({ label }) => label === key).map((choice) => choice.text);
}

/** Most fields stored of a record; the first ones of the file. */
export const MOST_FIELDS = 24;
/** Characters of a field's path and of its value, at most: a longer one is no name of a slice. */
export const LONGEST_FIELD = 64;
export const LONGEST_VALUE = 200;

/** Levels of objects that are gone into, as FlashRAG's `metadata.type`. */
const DEEPEST = 3;

/**
 * Returns the short texts, numbers and booleans of a record by their dotted paths, as texts. Lists are
 * left out, since a question is in one slice.
 *
 * @param isRead Whether a reader makes something of the field of a path: it is left out.
 * @example keptFields({ type: 'bridge', metadata: { hop: 2 } }, () => false) // type, metadata.hop
 */
export function keptFields(
  record: object,
  isRead: (path: string) => boolean,
): Record<string, string> {
  const found = valuesIn(record, '', 1)
    .map(([path, value]) => [path, String(value).trim()] as const)
    .filter(
      ([path, value]) =>
        value !== '' &&
        value.length <= LONGEST_VALUE &&
        path.length <= LONGEST_FIELD &&
        !isRead(path),
    );
  return Object.fromEntries(found.slice(0, MOST_FIELDS));
}

function valuesIn(
  held: object,
  at: string,
  level: number,
): [path: string, value: string | number | boolean][] {
  return Object.entries(held).flatMap(([name, value]) => {
    const path = at === '' ? name : `${at}.${name}`;
    if (isObject(value)) return level < DEEPEST ? valuesIn(value, path, level + 1) : [];
    return ['string', 'number', 'boolean'].includes(typeof value) ? [[path, value]] : [];
  });
}
