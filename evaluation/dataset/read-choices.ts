/** Multiple choice: the text of the choice that an answer names. Pure. */
import { z } from 'zod';
import { BadField, check, type Line } from './line.js';
import { text, writtenIn } from './values.js';

export interface Choices {
  /** The field they stand in. */
  field: string;
  texts: string[];
  /** What each is called: A, B, C where the file does not say. */
  labels: string[];
}

/** Some files fill a missing choice with an empty text, which keeps the places of the others. */
const stringOrNumber = z.union([z.string().trim(), z.number().transform(String)]);
const NAMES = ['choices', 'options', 'answer_options', 'answer_choices'];

/**
 * The choices of a question: a list, a map by letter, a list of {label, text}, or columns of them
 * (`{label: [...], text: [...]}`, or a field each: A, B, C ..., option_a ..., option1 ...).
 *
 * @throws BadField for choices in another form.
 */
export function readChoices(line: Line): Choices | undefined {
  for (const name of NAMES) {
    const field = line.find(name);
    if (field) return { field: field.name, ...choicesIn(line.read(field, 'choices'), field.name) };
  }
  // CommonsenseQA keeps them inside the question.
  const question = line.find('question');
  const inside = question?.value;
  if (typeof inside === 'object' && inside !== null && 'choices' in inside) {
    return { field: 'question.choices', ...choicesIn(inside.choices, 'question.choices') };
  }
  return separate(line);
}

const labelled = z.object({ label: stringOrNumber.optional(), text });
/** MedQA calls them by key and value. */
const keyed = z
  .object({ key: stringOrNumber, value: text })
  .transform((choice) => ({ label: choice.key, text: choice.value }));
const listed = z.array(z.union([labelled, keyed]));
const columns = z.object({ label: z.array(stringOrNumber).optional(), text: z.array(text) });

function choicesIn(value: unknown, field: string): Omit<Choices, 'field'> {
  const given = typeof value === 'string' ? writtenIn(value, field) : value;
  if (given === undefined) {
    throw new BadField(`${field}: a list of choices is needed, as ["Nile", "Congo"]`);
  }
  if (Array.isArray(given)) {
    if (given.every((choice) => typeof choice === 'object')) {
      const choices = check(listed, given, field);
      return named(
        choices.map((choice) => choice.text),
        choices.map(({ label }) => label),
      );
    }
    return named(check(z.array(stringOrNumber), given, field));
  }
  if (typeof given === 'object' && given !== null && 'text' in given && Array.isArray(given.text)) {
    const choices = check(columns, given, field);
    return named(choices.text, choices.label);
  }
  const byLabel = check(z.record(z.string(), stringOrNumber), given, field);
  return { texts: Object.values(byLabel), labels: Object.keys(byLabel) };
}

function named(
  texts: string[],
  labels: readonly (string | undefined)[] = [],
): Omit<Choices, 'field'> {
  const marks = texts.map((_, i) => labels[i] ?? String.fromCharCode(65 + i));
  const apart = texts.map(split);
  // "A. Nile", "B. Congo": the label is no part of the choice.
  const areLabelled = apart.every((one, i) => one?.[0].toLowerCase() === marks[i]?.toLowerCase());
  return {
    texts: areLabelled ? apart.map((one, i) => one?.[1] ?? texts[i] ?? '') : texts,
    labels: marks,
  };
}

const LETTERS = [...'ABCDEFGHIJ'];
const NUMBERS = LETTERS.map((_, i) => String(i + 1));
/** How fields that hold a choice each are called, and what they are marked with. */
const SEPARATE: readonly [name: (mark: string) => string, marks: readonly string[]][] = [
  [(letter) => letter, LETTERS],
  ...['option_', 'choice_', 'op'].map((word): [(mark: string) => string, string[]] => [
    (letter) => word + letter,
    LETTERS,
  ]),
  ...['option', 'choice'].map((word): [(mark: string) => string, string[]] => [
    (number) => word + number,
    NUMBERS,
  ]),
];

/** A, B, C ...; option_a, choice_a ...; option1, choice1 ... */
function separate(line: Line): Choices | undefined {
  for (const [name, marks] of SEPARATE) {
    const fields = marks.map((mark) => line.find(name(mark)));
    const end = fields.indexOf(undefined);
    const found = (end < 0 ? fields : fields.slice(0, end)).filter((field) => field !== undefined);
    if (found.length < 2) continue;
    const values = found.map((field) =>
      check(stringOrNumber, line.read(field, 'choices'), field.name),
    );
    return { field: found.map((field) => field.name).join(', '), ...named(values, marks) };
  }
  return undefined;
}

/**
 * The text of the choice that an answer names: by its text, its label, or its place counted from 0.
 * A longer text that is no choice stands for itself.
 *
 * @throws BadField where there is no such choice, and where it could be two.
 */
export function chosen(answer: string | number, choices: Choices, field: string): string {
  const { texts, labels } = choices;
  const said = String(answer).trim();
  const byText = texts.find((choice) => choice === said);
  const [label, behind] = split(said) ?? [bare(said)];
  const byLabel = texts[placeOf(label, labels)];
  // Labels that are numbers themselves are counted from 1, so that no place is meant beside them.
  const isNumbered = labels.every((label) => /^\d+$/.test(label));
  const byPlace = !isNumbered && /^\d+$/.test(said) ? texts[Number(said)] : undefined;
  const named = byLabel ?? byPlace;
  // Our own answers are texts; elsewhere a text that is a label as well could be either.
  if (field === 'answers' && byText !== undefined) return byText;
  const readings = typeof answer === 'number' ? [named] : [byText, matching(named, behind)];
  const found = [...new Set(readings.filter((choice) => choice !== undefined))];
  if (found.length === 1 && found[0] !== undefined) return found[0];
  if (found.length > 1) {
    throw new BadField(
      `${field}: is the text of one choice and the label of another: write the text under answers, and leave ${choices.field} out`,
    );
  }
  if (SEVERAL.test(said)) {
    throw new BadField(`${field}: names several choices: write a list of their texts`);
  }
  if (typeof answer === 'string' && said.length > 2) return said;
  throw new BadField(`${field}: names none of the ${labels.length} choices in ${choices.field}`);
}

/** The choice that a label names, unless a text behind the label says another: "B. Ada". */
function matching(choice: string | undefined, behind: string | undefined): string | undefined {
  return behind === undefined || behind === choice ? choice : undefined;
}

function placeOf(label: string, labels: readonly string[]): number {
  return labels.findIndex((one) => one.toLowerCase() === label.toLowerCase());
}

/** Several labels, as "A, C". */
const SEVERAL = /^\(?[A-J]\)?(?:\s*(?:[,;/&+]|\band\b)\s*\(?[A-J]\)?)+$/;
const LABELLED = /^\(?([A-Ja-j]|\d{1,2})[.):]\s*(\S[\s\S]*)$/;

/** A label and the text behind it: "(B) Ada". */
function split(said: string): [label: string, text: string] | undefined {
  const [, label, behind] = LABELLED.exec(said) ?? [];
  return label === undefined || behind === undefined ? undefined : [label, behind];
}

const LETTER = /^\(?[A-Ja-j]\)?\.?$/;
const LETTERED = /(?:^|\s)\(?A[).:]\s[\s\S]*\s\(?B[).:]\s/;
const CHOICE_WORD = /choice|option|alternative|ending|candidate|distractor/i;

/** @throws BadField for a letter that names a choice which is not understood as one. */
export function checkNoChoices(line: Line, answers: readonly string[]): void {
  const isLetter = answers.some((answer) => LETTER.test(answer));
  const isLabelled = answers.some((answer) => split(answer) !== undefined);
  if (!isLetter && !isLabelled) return;
  const field = line
    .rest()
    .find(({ name, value }) => CHOICE_WORD.test(name) && typeof value === 'object');
  const question = line.find('question')?.value;
  const inText = typeof question === 'string' && LETTERED.test(question);
  if (!field && !inText) return;
  throw new BadField(
    `${field?.name ?? 'question'}: seems to hold the choices of which the answer names one: choices are read from ${NAMES.join(', ')}, or from A, B, C ...`,
  );
}

/** "(B)", "B." and "Option B" name B. */
function bare(label: string): string {
  return label
    .replace(/^(?:option|choice|answer)\s+/i, '')
    .replace(/^\((.*)\)$/, '$1')
    .replace(/[.)]$/, '');
}
