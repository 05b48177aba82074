/** Finds the field that says what is right, among those that may. Pure. */
import { plainName, ROLE_FIELDS } from './fields.js';
import { BadField, type Field, type Line } from './line.js';
import type { Choices } from './read-choices.js';
import { type Forms, readForms } from './read-forms.js';
import { unique } from './values.js';

/** Other forms of an answer that stands elsewhere. */
export const ALIASES = [
  ...['answer_aliases', 'aliases', 'alt_ans', 'alt_answers'],
  ...['alternative_answers', 'alternate_answers', 'additional_answers'],
] as const;
/** Reference texts beside short answers. */
export const LONG = ['long_answers', 'long_answer', 'ideal_answer'] as const;
/** Which of the choices is right. */
const KEYS = [
  ...['answerKey', 'answer_idx', 'answer_index', 'correct_option', 'correct_choice'],
  ...['correct_index', 'correct_idx', 'correct', 'gold'],
] as const;
/** What stands alone is right; beside another field of right answers it is a model's. */
const ALONE = ['answer', 'target'] as const;
/**
 * What is right, if the line has one of these. Beside them `answer` is a model's, as in RAGAS, or
 * one of theirs; alone it is what is right.
 */
const GOLD = ROLE_FIELDS.answers.filter(
  (name) => ![...ALIASES, ...LONG, ...KEYS, ...ALONE].includes(name as never),
);
const NUMBERED = /^(?:gold|correct|reference|expected)?answer\d+$/;

/**
 * The accepted forms of the field that says what is right; undefined where there is none.
 *
 * @throws BadField where two fields of right answers say different things, and where it cannot be
 * told whether a model wrote the only one.
 */
export function readGold(line: Line, choices: Choices | undefined): Forms | undefined {
  const named = fieldsOf(line, GOLD).map((field) => readForms(line, field, choices));
  const keys = choices ? keysOf(line).map((field) => readForms(line, field, choices)) : [];
  const gold = [...named, ...keys].reduce<Forms | undefined>(
    (found, next) => (found ? same(found, next) : next),
    undefined,
  );
  if (gold) {
    matchAnswer(line, gold, choices);
    checkReferences(line, gold);
  }
  const found = withNumbered(line, gold ?? readAlone(line, choices));
  if (found && !choices) checkNoKey(line, found);
  return found ?? readKey(line, choices);
}

/** The name of a field that says which of several is right: correct_answer_id. */
const KEY_WORD =
  /^(?:label|goldlabel|correct|(?:correct|gold|right|answer)\w*(?:id|idx|index|key|label|option|choice))$/;
const PLACE = /^(?:\d{1,2}|[A-J])$/;

/** @throws BadField for answers of which a key names one: they are choices (QuAIL, CosmosQA). */
function checkNoKey(line: Line, { field, forms, groups }: Forms): void {
  if (forms.length < 2 || groups) return;
  const key = line
    .rest()
    .find(({ name, value }) => KEY_WORD.test(plainName(name)) && PLACE.test(String(value)));
  if (!key) return;
  throw new BadField(
    `${field}: seems to hold the choices of which ${key.name} names one: call them choices, and the right one answers`,
  );
}

function fieldsOf(line: Line, names: readonly string[]): Field[] {
  const found = names.map((name) => line.find(name)).filter((field) => field !== undefined);
  return [...new Set(found)];
}

function keysOf(line: Line): Field[] {
  return fieldsOf(line, KEYS).filter(({ value }) => typeof value !== 'boolean');
}

/** The larger of two that agree. */
function same(one: Forms, other: Forms): Forms {
  const [large, small] = other.forms.length > one.forms.length ? [other, one] : [one, other];
  if (small.forms.every((form) => large.forms.includes(form))) {
    return { ...large, groups: large.groups ?? small.groups };
  }
  // The best of several may be told in other words.
  if ([one, other].some(({ field }) => plainName(field) === 'bestanswer')) {
    return { ...large, forms: unique([...large.forms, ...small.forms]) };
  }
  throw new BadField(
    `${other.field}: says other answers than ${one.field}: keep the one that holds the right answers`,
  );
}

/** The only field that could hold what is right: KILT's `output`, `answer`, FiD's `target`. */
function readAlone(line: Line, choices: Choices | undefined): Forms | undefined {
  const output = line.find('output');
  const isKilt = Array.isArray(output?.value);
  const field = [isKilt ? output : undefined, ...ALONE.map((name) => line.find(name))].find(
    (candidate) => candidate && !line.isRead(candidate),
  );
  return field && readForms(line, field, choices);
}

/** `answer` is read where it is one of the right ones; otherwise it is not used. */
function matchAnswer(line: Line, { forms }: Forms, choices: Choices | undefined): void {
  for (const name of ALONE) {
    const field = line.find(name);
    const said = typeof field?.value === 'string' ? field.value.trim() : undefined;
    if (!field || said === undefined) continue;
    const place = choices?.labels.indexOf(said) ?? -1;
    const named = choices?.texts[place];
    if (forms.includes(named ?? said)) line.read(field, 'answers');
    else if (named !== undefined) {
      throw new BadField(`${field.name}: names another choice than the field of right answers`);
    }
  }
}

/** In WebGLM's files the references are what an answer was written from, in others they are it. */
function checkReferences(line: Line, { field }: Forms): void {
  const answer = line.find('answer');
  if (plainName(field) !== 'references' || !answer || line.isRead(answer)) return;
  throw new BadField(
    `${field}: could be right answers or passages, beside an answer that is none of them: call them answers or passages`,
  );
}

/** The forms in answer1, answer2 ...: all of them are right, unless a list says which are. */
function withNumbered(line: Line, found: Forms | undefined): Forms | undefined {
  const fields = line.rest().filter(({ name }) => NUMBERED.test(plainName(name)));
  const read = fields
    .filter(({ value }) => value !== '')
    .map((field) => readForms(line, field, undefined));
  const [first, ...others] = read;
  if (!first) return found;
  const forms = unique([first, ...others].flatMap((one) => one.forms));
  return found ? same(found, { ...first, forms }) : { field: first.field, forms };
}

/**
 * A class that is the place of a choice; and a key without choices, which says nothing, unless it
 * is a text itself.
 */
function readKey(line: Line, choices: Choices | undefined): Forms | undefined {
  if (choices) {
    // Classes count from 0: beside choices that count from 1 (COPA) either could be meant.
    const label = line.find('label') ?? line.find('gold_label');
    const said = String(label?.value).trim();
    if (!label) return undefined;
    if (choices.texts.includes(said)) return readForms(line, label, choices);
    if (!/^(?:\d|[A-J])$/.test(said)) return undefined;
    if (!choices.labels.includes('1')) return readForms(line, label, choices);
    throw new BadField(
      `${label.name}: counts from 0, and ${choices.field} from 1: write the text of the choice under answers`,
    );
  }
  const [key] = keysOf(line);
  if (!key) return undefined;
  if (typeof key.value === 'string' && key.value.trim().length > 2) {
    return readForms(line, key, undefined);
  }
  throw new BadField(
    `${key.name}: names one of several choices, and the line has no field of choices that is read`,
  );
}
