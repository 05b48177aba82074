/** The accepted forms in one field, in any of the ways in which fields have them. Pure. */
import { z } from 'zod';
import { plainName } from './fields.js';
import { BadField, check, type Field, type Line } from './line.js';
import { type Choices, chosen } from './read-choices.js';
import { groups, text, texts, unique, writtenIn } from './values.js';

export interface Forms {
  /** Name of the field. */
  field: string;
  /** Every accepted form. */
  forms: string[];
  /** For each answer that is wanted all of its names, where the field has them apart. */
  groups?: string[][] | undefined;
  /** SQuAD 2.0 says so with spans of which there are none. */
  isNone?: boolean;
}

/** What is right of several, by their places: TruthfulQA's choices. */
const flagged = z.object({ choices: z.array(text), labels: z.array(z.int().min(0).max(1)) });
/** The same by text, as in its older files and in BIG-bench's. */
const scored = z.record(z.string(), z.union([z.literal(0), z.literal(1)]));
/** TriviaQA. */
const named = z.object({ value: text, aliases: texts.optional() });
/** SQuAD: as a list, and as columns. */
const spans = z.array(z.object({ text: z.string().trim(), aliases: texts.optional() }));
const spanColumns = z.object({ text: texts });
/** KILT; outputs that are only a provenance have no answer. */
const outputs = z.array(
  z.union([
    z
      .object({ answer: text, aliases: texts.optional() })
      .transform(({ answer, aliases = [] }) => [answer, ...aliases]),
    z.object({ provenance: z.array(z.unknown()) }).transform(() => []),
  ]),
);
/** QAMPARI. */
const listed = z.array(z.object({ answer_text: text, aliases: texts.optional() }));
export const oneOrMore = z.union([text.transform((single) => [single]), texts]);

/**
 * A text, a list of texts, a list written as text, a truth value, a choice, or the objects of
 * SQuAD, TriviaQA, KILT and QAMPARI; a list of lists is a list of answers by their names.
 *
 * @throws BadField for anything else, and for a text that could be one answer or several.
 */
export function readForms(line: Line, field: Field, choices: Choices | undefined): Forms {
  const { name } = field;
  const raw = line.read(field, 'answers');
  const value = typeof raw === 'string' ? (writtenIn(raw, name) ?? raw) : raw;
  if (choices && isChoice(value)) {
    const chosenOnes = (Array.isArray(value) ? value : [value]).map((one) =>
      chosen(one, choices, name),
    );
    return { field: name, forms: unique(chosenOnes) };
  }
  if (typeof value === 'boolean') return { field: name, forms: [value ? 'yes' : 'no'] };
  if (typeof value === 'number') return { field: name, forms: [number(value, name)] };
  if (typeof value === 'string') {
    if (name === 'answers' && !line.cells) {
      throw new BadField(`${name}: a list is needed; a single answer goes under answer`);
    }
    return form(
      line,
      name,
      line.cells && isPlural(name) ? parts(line, value, name) : [single(value, name)],
    );
  }
  if (Array.isArray(value)) {
    const { forms, groups } = formsOfList(value, name);
    // One answer by its names, where the field is not one of lists.
    const isOne = groups?.length === 1 && !LISTS.has(plainName(name));
    return { ...form(line, name, forms), ...(groups && !isOne && { groups }) };
  }
  if (typeof value !== 'object' || value === null) {
    return { field: name, forms: check(oneOrMore, value, name) };
  }
  const right = rightOnes(value);
  if (right) return { field: name, forms: right };
  const lower = Object.fromEntries(Object.entries(value).map(([key, v]) => [key.toLowerCase(), v]));
  if (typeof lower.text === 'string') return { field: name, ...formsOfList([lower], name) };
  if ('text' in lower) {
    const forms = unique(check(spanColumns, lower, name).text);
    return { field: name, forms, isNone: forms.length === 0 };
  }
  const { value: main, aliases = [] } = check(named, lower, name);
  return { field: name, forms: unique([main, ...aliases]) };
}

/** In these a list of lists wants every answer, as few as there may be. */
const LISTS = new Set(['answers', 'answerlist', 'goldenanswers']);

/** What QuAC, MS MARCO, MultiHop-RAG and Qasper write in place of an answer. */
const NONE = /^(?:cannotanswer|no answer present|insufficient information|unanswerable)\.?$/i;

/** Of a claim they are a class. */
function form(line: Line, field: string, forms: string[]): Forms {
  const isNone = !line.find('claim') && forms.length > 0 && forms.every((one) => NONE.test(one));
  return { field, forms: isNone ? [] : forms, ...(isNone && { isNone }) };
}

function rightOnes(value: object): string[] | undefined {
  const columns = flagged.safeParse(value);
  if (columns.success) {
    const { choices, labels } = columns.data;
    return choices.filter((_, i) => labels[i] === 1);
  }
  const scores = scored.safeParse(value);
  if (!scores.success || Object.keys(value).length === 0) return undefined;
  return Object.keys(value).filter((choice) => scores.data[choice] === 1);
}

function formsOfList(value: unknown[], field: string): Omit<Forms, 'field'> {
  const [first] = value;
  if (typeof first !== 'object' || first === null) {
    return {
      forms: check(
        texts,
        value.map((one) => spelled(one, field)),
        field,
      ),
    };
  }
  if (Array.isArray(first)) {
    const written = value.map((names) =>
      Array.isArray(names) ? names.map((one) => spelled(one, field)) : names,
    );
    return ofGroups(check(groups, written, field));
  }
  if ('answer_text' in first) {
    const found = check(listed, value, field);
    return ofGroups(
      found.map(({ answer_text, aliases = [] }) => unique([answer_text, ...aliases])),
    );
  }
  if ('text' in first) {
    const found = check(spans, value, field);
    return { forms: present(found.flatMap((span) => [span.text, ...(span.aliases ?? [])])) };
  }
  if ('value' in first) {
    const found = check(z.array(named), value, field);
    return { forms: present(found.flatMap((one) => [one.value, ...(one.aliases ?? [])])) };
  }
  return { forms: present(check(outputs, value, field).flat()) };
}

function ofGroups(wanted: string[][]): Omit<Forms, 'field'> {
  return { forms: unique(wanted.flat()), groups: wanted };
}

function present(forms: string[]): string[] {
  return unique(forms.filter((form) => form !== ''));
}

function spelled(value: unknown, field: string): unknown {
  if (typeof value === 'number') return number(value, field);
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : value;
}

/** @throws BadField for 0 and 1, which are truth values and places as well. */
function number(value: number, field: string): string {
  if (value !== 0 && value !== 1) return String(value);
  throw new BadField(
    `${field}: ${value} could be a number, a truth value or the place of a choice: write it as a text, or true or false`,
  );
}

function isChoice(value: unknown): value is string | number | (string | number)[] {
  if (Array.isArray(value)) return value.length > 0 && value.every((one) => isChoice(one));
  return typeof value === 'string' || Number.isInteger(value);
}

function isPlural(name: string): boolean {
  return /(?:answers|truths|references|targets|aliases)$/.test(plainName(name));
}

/**
 * A cell of a column for several answers. Beside the best of them semicolons separate, as in
 * TruthfulQA's table.
 *
 * @throws BadField for other semicolons, which may belong to an answer.
 */
function parts(line: Line, value: string, field: string): string[] {
  const whole = single(value, field);
  if (!whole.includes(';')) return [whole];
  if (line.find('best_answer')) return present(whole.split(';').map((part) => part.trim()));
  throw new BadField(
    `${field}: a cell with ";" could hold one answer or several: write a list, ["Gray", "Bell"]`,
  );
}

/** @throws BadField for what could be one answer or several: "AC|DC", "Gray | Bell". */
function single(value: string, field: string): string {
  const form = check(text, value, field);
  if (!form.includes('|')) return form;
  throw new BadField(
    `${field}: a text with "|" could be one answer or several: write a list, ["AC|DC"] or ["Gray", "Bell"]`,
  );
}
