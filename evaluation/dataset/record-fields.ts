/**
 * Schemas for the values in records of several data sets, and the extra fields stored with a
 * question. Pure.
 */
import { z } from 'zod';
import type { DatasetPassage } from '../../core/dataset-record.js';
import { isObject } from '../../core/is-object.js';
import { tryExactJson } from '../../files/records/exact-json.js';

/** Schema of a string that is trimmed and must not be empty. */
export const text = z.string().trim().min(1);
/**
 * Schema of an array of strings, which are trimmed. Empty ones are left out, since they match
 * nothing.
 */
export const texts = z
  .array(z.string().trim())
  .transform((values) => values.filter((value) => value !== ''));
/**
 * Schema of one or more answer groups: for each wanted answer, an array of its names. A group whose
 * names are all empty is kept, and counts as never found.
 */
export const groups = z.array(texts).min(1);
/** Schema of an id: a string that is not empty, or a number that becomes one. */
export const id = z.union([text, z.number().transform(String)]);
const anything = z.unknown().optional();
/**
 * Returns optional schema fields of any type by the given names, for parts of a record that are
 * known but ignored.
 */
export function unused<N extends string>(...names: N[]) {
  const fields = names.map((name) => [name, anything]);
  return Object.fromEntries(fields) as { [K in N]: typeof anything };
}

/** Returns the names of a schema's fields except those declared by `unused`. */
export function fieldsRead({ shape }: z.ZodObject): string[] {
  return Object.keys(shape).filter((name) => shape[name] !== anything);
}

const title = z
  .string()
  .nullish()
  .transform((value) => value ?? '');
/** Schema of a number, which may be written as a string, as in DPR's files. */
export const number = z.preprocess(
  (value) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value),
  z.number(),
);

/** Returns a schema of passages that also accepts a text as a passage without a title. */
function orText<S extends z.ZodType>(schema: S) {
  return z.preprocess((value) => (typeof value === 'string' ? { text: value } : value), schema);
}

/**
 * Schema of an array of passages in this project's own format; a string is a passage without a
 * title.
 */
export const passages = z.array(
  orText(
    z.strictObject({
      id: id.optional(),
      title,
      text,
      score: number.optional(),
      hasAnswer: z.boolean().optional(),
      isGold: z.boolean().optional(),
      grade: z.number().positive().optional(),
    }),
  ),
);

/**
 * Schema of an array of passages in the format of DPR, FiD and ALCE. Its output is an array of
 * `DatasetPassage`, in the same order.
 */
export const retrieved = z.array(
  z
    .strictObject({
      id: id.optional(),
      passage_id: id.optional(),
      psg_id: id.optional(),
      title,
      text,
      score: number.optional(),
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

/**
 * Returns a schema that accepts what another schema accepts, and also a string that contains it as
 * JSON.
 */
export function orJsonText<S extends z.ZodType>(schema: S) {
  return z.preprocess((value) => {
    const written = typeof value === 'string' ? tryExactJson(value) : undefined;
    return written === undefined ? value : written;
  }, schema);
}

const sentences = z.array(z.string());
const pairs = z.array(z.tuple([z.string(), sentences]));
const columns = z
  .strictObject({ title: z.array(z.string()), sentences: z.array(sentences) })
  .transform(({ title, sentences }) => title.map((name, i) => [name, sentences[i] ?? []] as const));

/**
 * Schema of the paragraphs of a HotpotQA record, as pairs or as columns of titles and sentences, or
 * a string that contains them as JSON. Its output is an array of passages, each with its sentences
 * joined to one text.
 */
export const articles = orJsonText(z.union([pairs, columns])).transform((found) =>
  found.map(([title, lines]) => ({ title, text: joined(lines) })),
);

/**
 * Schema of HotpotQA's supporting facts, as pairs or as columns, or a string that contains them as
 * JSON. Its output is an array of the titles of the supporting passages, which may repeat.
 */
export const supportingTitles = orJsonText(
  z.union([
    z.array(z.tuple([z.string(), z.number()])).transform((facts) => facts.map(([name]) => name)),
    z
      .strictObject({ title: z.array(z.string()), sent_id: z.array(z.number()) })
      .transform((facts) => facts.title),
  ]),
);

/**
 * Returns copies of passages with `isGold` set by whether their title is in `needed`; it is
 * undefined in all of them if there is no such list.
 */
export function withGoldTitles(
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

/**
 * Returns strings, trimmed, as passages without titles; none for undefined. All have the given
 * value of `isGold`, if any.
 */
export function asPassages(found: readonly string[] = [], isGold?: boolean): DatasetPassage[] {
  return found.map((one) => ({ title: '', text: one.trim(), isGold }));
}

/** Returns the values without repetitions, in the order of their first occurrence. */
export function unique<T extends string>(values: readonly T[]): T[] {
  return [...new Set(values)];
}

const FORMS: Readonly<Record<string, string[]>> = {
  SUPPORTS: ['supports', 'yes', 'true'],
  REFUTES: ['refutes', 'no', 'false'],
  'NOT ENOUGH INFO': ['not enough info'],
};

/** Schema of the class of a claim: SUPPORTS, REFUTES or NOT ENOUGH INFO, as FEVER writes it. */
export const claimClass = z.enum(['SUPPORTS', 'REFUTES', 'NOT ENOUGH INFO']);

/**
 * Returns the fields `answers`, `label` and `answerKind` of a question about a claim: the accepted
 * words for its class, such as "supports", "yes" and "true", the class itself, and the kind
 * "label".
 */
export function claimAnswer(label: z.output<typeof claimClass>) {
  return { answers: FORMS[label] ?? [], label, answerKind: 'label' } as const;
}

/**
 * Schema of the choices of a question, as a list of objects or as columns. Its output is an array
 * of objects with `label` and `text`.
 */
export const labelled = z.union([
  z.array(z.strictObject({ label: text, text })),
  z
    .strictObject({ label: z.array(text), text: z.array(text) })
    .transform(({ label, text }) => label.map((one, i) => ({ label: one, text: text[i] ?? '' }))),
]);

/**
 * Returns the texts of the choices whose label is `key`: usually one, and none for an unknown
 * label.
 */
export function labelledChoice(choices: z.output<typeof labelled>, key: string): string[] {
  return choices.filter(({ label }) => label === key).map((choice) => choice.text);
}

/**
 * Maximum number of extra fields that are stored with a question. Of more, the first ones of the
 * record are stored.
 */
export const MAX_FIELDS = 24;
/**
 * Maximum number of characters in the path of an extra field. A field with a longer path is not
 * stored.
 */
export const MAX_FIELD_LENGTH = 64;
/**
 * Maximum number of characters in the value of an extra field. A field with a longer value is not
 * stored.
 */
export const MAX_VALUE_LENGTH = 200;

/** Levels of nested objects in which extra fields are found, as in FlashRAG's `metadata.type`. */
const DEEPEST = 3;

/**
 * Returns the extra fields of a record: its short strings, numbers and booleans, as strings by
 * their dotted paths, in up to three levels of objects; the first 24 of them. Lists are left out,
 * since a question is in one slice only.
 *
 * @param isRead Returns whether the question already uses the field at a path, which is then left
 * out.
 * @example
 * keptFields({ type: 'bridge', metadata: { hop: 2 } }, () => false);
 * // { type: 'bridge', 'metadata.hop': '2' }
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
        value.length <= MAX_VALUE_LENGTH &&
        path.length <= MAX_FIELD_LENGTH &&
        !isRead(path),
    );
  return Object.fromEntries(found.slice(0, MAX_FIELDS));
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
