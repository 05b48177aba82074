/** The accepted forms in one field, in any of the ways in which fields have them. Pure. */
import { z } from 'zod';
import { BadField, check, type Field, type Line } from './line.js';
import { type Choices, chosen } from './read-choices.js';
import { groups, listIn, text, texts, unique } from './values.js';

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

/** TriviaQA. */
const named = z.object({ value: text, aliases: texts.optional() });
/** SQuAD: as a list, and as columns. */
const spans = z.array(z.object({ text: z.string().trim() }));
const spanColumns = z.object({ text: texts });
/** KILT; outputs that are only a provenance have no answer. */
const outputs = z.array(
  z.union([
    z.object({ answer: text }).transform(({ answer }) => answer),
    z.object({ provenance: z.array(z.unknown()) }).transform(() => ''),
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
  const value = typeof raw === 'string' ? (listIn(raw, name) ?? raw) : raw;
  if (choices && isChoice(value)) {
    const chosenOnes = (Array.isArray(value) ? value : [value]).map((one) =>
      chosen(one, choices, name),
    );
    return { field: name, forms: unique(chosenOnes) };
  }
  if (typeof value === 'boolean') return { field: name, forms: [value ? 'yes' : 'no'] };
  if (typeof value === 'string') {
    if (name === 'answers' && !line.cells) {
      throw new BadField(`${name}: a list is needed; a single answer goes under answer`);
    }
    return { field: name, forms: [single(value, name)] };
  }
  if (Array.isArray(value)) return { field: name, ...formsOfList(value, name) };
  if (typeof value !== 'object' || value === null) {
    return { field: name, forms: check(oneOrMore, value, name) };
  }
  const lower = Object.fromEntries(Object.entries(value).map(([key, v]) => [key.toLowerCase(), v]));
  if ('text' in lower) {
    const forms = unique(check(spanColumns, lower, name).text);
    return { field: name, forms, isNone: forms.length === 0 };
  }
  const { value: main, aliases = [] } = check(named, lower, name);
  return { field: name, forms: unique([main, ...aliases]) };
}

function formsOfList(value: unknown[], field: string): Omit<Forms, 'field'> {
  const [first] = value;
  if (typeof first !== 'object' || first === null) {
    return { forms: check(texts, value.map(spelled), field) };
  }
  if (Array.isArray(first)) return ofGroups(check(groups, value, field));
  if ('answer_text' in first) {
    const found = check(listed, value, field);
    return ofGroups(
      found.map(({ answer_text, aliases = [] }) => unique([answer_text, ...aliases])),
    );
  }
  if ('text' in first) {
    return { forms: present(check(spans, value, field).map((span) => span.text)) };
  }
  return { forms: present(check(outputs, value, field)) };
}

function ofGroups(wanted: string[][]): Omit<Forms, 'field'> {
  return { forms: unique(wanted.flat()), groups: wanted };
}

function present(forms: string[]): string[] {
  return unique(forms.filter((form) => form !== ''));
}

function spelled(value: unknown): unknown {
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : value;
}

function isChoice(value: unknown): value is string | number | (string | number)[] {
  if (Array.isArray(value)) return value.length > 0 && value.every((one) => isChoice(one));
  return typeof value === 'string' || Number.isInteger(value);
}

/** @throws BadField for what could be one answer or several: "AC|DC", "Gray | Bell". */
function single(value: string, field: string): string {
  const form = check(text, value, field);
  if (!form.includes('|')) return form;
  throw new BadField(
    `${field}: a text with "|" could be one answer or several: write a list, ["AC|DC"] or ["Gray", "Bell"]`,
  );
}
