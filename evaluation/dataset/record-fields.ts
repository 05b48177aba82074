/** Schemas of values in the records of several data sets, and the extra fields stored with a question. Pure. */
import { z } from 'zod';
import type { DatasetPassage } from '../../core/dataset-record.js';
import { isObject } from '../../core/is-object.js';
import { tryExactJson } from '../../files/records/exact-json.js';

/** Schema of a text that is not empty, trimmed. */
export const text = z.string().trim().min(1);
/** Schema of a list of texts, trimmed. Empty ones are left out, since they match nothing. */
export const texts = z
  .array(z.string().trim())
  .transform((values) => values.filter((value) => value !== ''));
/**
 * Schema of answer groups: the names of each wanted answer. An answer with only empty names is
 * kept, and never found.
 */
export const groups = z.array(texts).min(1);
/** Schema of an id: a text, or a number that becomes one. */
export const id = z.union([text, z.number().transform(String)]);
const anything = z.unknown().optional();
/** Returns schema fields for parts of a record that are ignored. */
export function unused<N extends string>(...names: N[]) {
  const fields = names.map((name) => [name, anything]);
  return Object.fromEntries(fields) as { [K in N]: typeof anything };
}

/** Returns the fields of a schema that are not ignored. */
export function fieldsRead({ shape }: z.ZodObject): string[] {
  return Object.keys(shape).filter((name) => shape[name] !== anything);
}

const title = z
  .string()
  .nullish()
  .transform((value) => value ?? '');
/** Schema of a number, which may be written as text, as in DPR's files. */
export const number = z.preprocess(
  (value) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value),
  z.number(),
);

/** Returns a schema of passages that also accepts a text as a passage without a title. */
function orText<S extends z.ZodType>(schema: S) {
  return z.preprocess((value) => (typeof value === 'string' ? { text: value } : value), schema);
}

/** Schema of passages in this project's own format. */
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

/** Schema of passages in the format of DPR, FiD and ALCE. */
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

/** Returns a schema that also accepts its value as JSON in a text. */
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
 * Schema of titles with their sentences in HotpotQA's format, as pairs or as columns. Gives
 * passages.
 */
export const articles = orJsonText(z.union([pairs, columns])).transform((found) =>
  found.map(([title, lines]) => ({ title, text: joined(lines) })),
);

/** Schema of HotpotQA's supporting facts. Gives the titles of the supporting passages. */
export const supportingTitles = orJsonText(
  z.union([
    z.array(z.tuple([z.string(), z.number()])).transform((facts) => facts.map(([name]) => name)),
    z
      .strictObject({ title: z.array(z.string()), sent_id: z.array(z.number()) })
      .transform((facts) => facts.title),
  ]),
);

/** Returns passages with those marked as gold whose title is in a list. */
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

/** Returns texts as passages without titles, marked as gold or not if `isGold` is given. */
export function asPassages(found: readonly string[] = [], isGold?: boolean): DatasetPassage[] {
  return found.map((one) => ({ title: '', text: one.trim(), isGold }));
}

/** Returns values without repetitions, in their order. */
export function unique<T extends string>(values: readonly T[]): T[] {
  return [...new Set(values)];
}

const FORMS: Readonly<Record<string, string[]>> = {
  SUPPORTS: ['supports', 'yes', 'true'],
  REFUTES: ['refutes', 'no', 'false'],
  'NOT ENOUGH INFO': ['not enough info'],
};

/** Schema of the class of a claim, as FEVER names it. */
export const claimClass = z.enum(['SUPPORTS', 'REFUTES', 'NOT ENOUGH INFO']);

/** Returns the answer parts of a claim: its class, with every word for it as an accepted answer. */
export function claimAnswer(label: z.output<typeof claimClass>) {
  return { answers: FORMS[label] ?? [], label, answerKind: 'label' } as const;
}

/** Schema of choices with a label and a text each, as a list or as columns. */
export const labelled = z.union([
  z.array(z.strictObject({ label: text, text })),
  z
    .strictObject({ label: z.array(text), text: z.array(text) })
    .transform(({ label, text }) => label.map((one, i) => ({ label: one, text: text[i] ?? '' }))),
]);

/** Returns the texts of the choices with a label. */
export function labelledChoice(choices: z.output<typeof labelled>, key: string): string[] {
  return choices.filter(({ label }) => label === key).map((choice) => choice.text);
}

/** Most extra fields stored with a question, the first ones of the record. */
export const MAX_FIELDS = 24;
/** Most characters in the path of an extra field. */
export const MAX_FIELD_LENGTH = 64;
/** Most characters in its value: a longer one cannot name a slice. */
export const MAX_VALUE_LENGTH = 200;

/** Levels of nested objects that are searched, as in FlashRAG's `metadata.type`. */
const DEEPEST = 3;

/**
 * Returns the extra fields of a record: its short texts, numbers and booleans as texts, by their
 * dotted paths.
 * Lists are left out, since a question is in one slice only.
 *
 * @param isRead Tells whether a reader uses the field of a path; these are left out.
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
