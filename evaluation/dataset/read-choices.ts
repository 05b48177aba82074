/** Multiple choice: the text of the choice that an answer names. Pure. */
import { z } from 'zod';
import { BadField, check, type Line } from './line.js';
import { listIn, text } from './values.js';

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
 * (`{label: [...], text: [...]}`, or A, B, C ... beside the question).
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
  return lettered(line);
}

const listed = z.array(z.object({ label: stringOrNumber.optional(), text }));
const columns = z.object({ label: z.array(stringOrNumber).optional(), text: z.array(text) });

function choicesIn(value: unknown, field: string): Omit<Choices, 'field'> {
  const given = typeof value === 'string' ? listIn(value, field) : value;
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
  return { texts, labels: texts.map((_, i) => labels[i] ?? String.fromCharCode(65 + i)) };
}

/** A, B, C ..., or option_a, option_b ... */
function lettered(line: Line): Choices | undefined {
  for (const write of [(letter: string) => letter, (letter: string) => `option_${letter}`]) {
    const fields = [...'ABCDEFGHIJ'].map((letter) => line.find(write(letter)));
    const end = fields.indexOf(undefined);
    const found = (end < 0 ? fields : fields.slice(0, end)).filter((field) => field !== undefined);
    if (found.length < 2) continue;
    const values = found.map((field) =>
      check(stringOrNumber, line.read(field, 'choices'), field.name),
    );
    return { field: found.map(({ name }) => name).join(', '), ...named(values) };
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
  const labelled = labels.findIndex((label) => label.toLowerCase() === bare(said).toLowerCase());
  const byLabel = texts[labelled];
  const byPlace = /^\d+$/.test(said) ? texts[Number(said)] : undefined;
  const named = byLabel ?? byPlace;
  // Our own answers are texts; elsewhere a text that is a label as well could be either.
  if (field === 'answers' && byText !== undefined) return byText;
  const readings = typeof answer === 'number' ? [named] : [byText, named];
  const found = [...new Set(readings.filter((choice) => choice !== undefined))];
  if (found.length === 1 && found[0] !== undefined) return found[0];
  if (found.length > 1) {
    throw new BadField(
      `${field}: is the text of one choice and the label of another: write the text under answers, and leave ${choices.field} out`,
    );
  }
  if (typeof answer === 'string' && said.length > 2) return said;
  throw new BadField(`${field}: names none of the ${labels.length} choices in ${choices.field}`);
}

const LETTER = /^\(?[A-Ja-j]\)?\.?$/;
const LETTERED = /(?:^|\s)\(?A[).:]\s[\s\S]*\s\(?B[).:]\s/;
const CHOICE_WORD = /choice|option|alternative|ending|candidate/i;

/** @throws BadField for a letter that names a choice which is not understood as one. */
export function checkNoChoices(line: Line, answers: readonly string[]): void {
  const letter = answers.find((answer) => LETTER.test(answer));
  if (letter === undefined) return;
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

/** "(B)" and "B." name B. */
function bare(label: string): string {
  return label.replace(/^\((.*)\)$/, '$1').replace(/[.)]$/, '');
}
