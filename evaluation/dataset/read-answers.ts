/** Reads what is right of a data set line: accepted answers, groups of them, texts, claims. Pure. */
import { z } from 'zod';
import { ROLE_FIELDS } from './fields.js';
import { BadField, check, type Line } from './line.js';
import { type Choices, checkNoChoices, readChoices } from './read-choices.js';
import { type Forms, oneOrMore, readForms } from './read-forms.js';
import { flag, groups, text, texts, unique } from './values.js';

export interface ReferenceAnswers {
  /** Every accepted form. */
  answers: string[];
  /** For each answer that is wanted all of its names. */
  answerGroups?: string[][] | undefined;
  /** Whether the groups are what is asked for, and not what a text should hold. */
  isList: boolean;
  longAnswers?: string[] | undefined;
  claims?: string[] | undefined;
  label?: string | undefined;
  /** False where the file says that there is no answer in what it brings. */
  answerable?: false;
}

/** Other forms of an answer that stands elsewhere. */
const ALIASES = ['answer_aliases', 'aliases'];
const LONG = ['long_answers', 'long_answer'];
/**
 * What is right, if the line has one of these. Beside them `answer` is a model's, as in RAGAS, or
 * one of theirs; alone it is what is right.
 */
const GOLD = ROLE_FIELDS.answers.filter(
  (name) => ![...ALIASES, ...LONG, 'answer', 'target'].includes(name),
);

/** @throws BadField naming the field that cannot be read, or two that contradict each other. */
export function readAnswers(line: Line): ReferenceAnswers {
  const choices = readChoices(line);
  const claims = line.take(texts.transform(undefinedIfEmpty), 'claims');
  const nested = readGroups(line);
  const longAnswers = readLong(line);
  const gold = readGold(line, choices);
  // ALCE's `answer` beside short answers or claims is a text that holds them.
  if (claims || nested || longAnswers.length > 0) {
    longAnswers.unshift(...(line.take(oneOrMore, 'longAnswers', 'answer') ?? []));
  }
  const found = gold ?? readOnly(line, choices);
  if (gold) matchAnswer(line, gold);
  const aliases = ALIASES.flatMap((name) => {
    const field = line.find(name);
    return field ? readForms(line, field, undefined).forms : [];
  });
  const answerGroups = found?.groups ?? nested;
  const forms = [...(found?.forms ?? []), ...aliases];
  const label = readLabel(line, forms.length === 0);
  const unanswerable = isUnanswerable(line) || found?.isNone === true;
  if (!choices) checkNoChoices(line, forms);
  const answers = forms.length > 0 ? forms : (answerGroups?.flat() ?? answersOf(label));
  return {
    answers: unanswerable ? [] : unique(answers),
    answerGroups,
    isList: found?.groups !== undefined,
    ...(longAnswers.length > 0 && { longAnswers: unique(longAnswers) }),
    claims,
    label,
    ...(unanswerable && { answerable: false }),
  };
}

/** A list of none says nothing of the kind of answer that is wanted. */
function undefinedIfEmpty(values: string[]): string[] | undefined {
  return values.length > 0 ? values : undefined;
}

/** @throws BadField where two fields of right answers say different things. */
function readGold(line: Line, choices: Choices | undefined): Forms | undefined {
  const fields = new Set(
    GOLD.map((name) => line.find(name)).filter((field) => field !== undefined),
  );
  return [...fields]
    .map((field) => readForms(line, field, choices))
    .reduce<Forms | undefined>((gold, next) => (gold ? same(gold, next) : next), undefined);
}

/** The larger of two that agree. */
function same(one: Forms, other: Forms): Forms {
  const [large, small] = other.forms.length > one.forms.length ? [other, one] : [one, other];
  if (small.forms.every((form) => large.forms.includes(form))) {
    return { ...large, groups: large.groups ?? small.groups };
  }
  throw new BadField(
    `${other.field}: says other answers than ${one.field}: keep the one that holds the right answers`,
  );
}

/** The only field that could hold what is right: KILT's `output`, `answer`, FiD's `target`. */
function readOnly(line: Line, choices: Choices | undefined): Forms | undefined {
  const output = line.find('output');
  const isKilt = Array.isArray(output?.value);
  const field = [isKilt ? output : undefined, line.find('answer'), line.find('target')].find(
    (candidate) => candidate && !line.isRead(candidate),
  );
  return field && readForms(line, field, choices);
}

/** `answer` is read where it is one of the right ones; otherwise it is not used. */
function matchAnswer(line: Line, { forms }: Forms): void {
  for (const name of ['answer', 'target']) {
    const field = line.find(name);
    const said = typeof field?.value === 'string' ? field.value.trim() : undefined;
    if (field && said !== undefined && forms.includes(said)) line.read(field, 'answers');
  }
}

const qaPairs = z.array(
  z.union([
    z.object({ short_answers: texts }).transform(({ short_answers }) => short_answers),
    z.object({ shortAnswers: texts }).transform(({ shortAnswers }) => shortAnswers),
  ]),
);

/** Our own answerGroups, or ASQA's pairs of a question and its short answers. */
function readGroups(line: Line): string[][] | undefined {
  const own = line.take(groups, 'answerGroups');
  const pairs = line.take(qaPairs, 'qa_pairs');
  return own ?? (pairs && pairs.length > 0 ? pairs : undefined);
}

const annotations = z.array(z.object({ long_answer: text }));

/** Reference texts under their own name, and all that ASQA's annotators wrote. */
function readLong(line: Line): string[] {
  const own = LONG.flatMap((name) => line.take(oneOrMore, name) ?? []);
  const written = line.take(annotations, 'annotations') ?? [];
  return [...own, ...written.map(({ long_answer }) => long_answer)];
}

/** @param needed Whether nothing else says what is right. */
function readLabel(line: Line, needed: boolean): string | undefined {
  const field = line.find('label') ?? line.find('gold_label');
  if (!field || (typeof field.value !== 'string' && !needed)) return undefined;
  return check(text, line.read(field, 'label'), field.name);
}

/** SQuAD 2.0 and MuSiQue say of some questions that what they bring holds no answer. */
function isUnanswerable(line: Line): boolean {
  const impossible = line.take(flag, 'is_impossible');
  return line.take(flag, 'answerable') === false || impossible === true;
}

const SIDES: Readonly<Record<string, string[]>> = {
  supports: ['supports', 'yes', 'true'],
  supported: ['supports', 'yes', 'true'],
  refutes: ['refutes', 'no', 'false'],
  refuted: ['refutes', 'no', 'false'],
};

/** A claim without answers is answered by its class. */
function answersOf(label: string | undefined): string[] {
  if (label === undefined) return [];
  return SIDES[label.toLowerCase()] ?? [label.toLowerCase()];
}
