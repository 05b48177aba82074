/** Reads what is right of a data set line: accepted answers, groups of them, texts, claims. Pure. */
import { z } from 'zod';
import type { Line } from './line.js';
import { checkNoChoices, readChoices } from './read-choices.js';
import { oneOrMore, readForms } from './read-forms.js';
import { ALIASES, LONG, readGold } from './read-gold.js';
import { readInterpretations } from './read-interpretations.js';
import { answersOf, readLabel } from './read-label.js';
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

/** @throws BadField naming the field that cannot be read, or two that contradict each other. */
export function readAnswers(line: Line): ReferenceAnswers {
  const choices = readChoices(line);
  const claims = line.take(texts.transform(undefinedIfEmpty), 'claims');
  const nested = readGroups(line);
  const interpreted = readInterpretations(line);
  const written = interpreted ? undefined : readAnnotations(line);
  // ALCE's `answer` beside short answers, claims or its annotators' texts is such a text.
  const isText = claims || nested || written;
  const names = isText ? [...LONG, 'answer'] : LONG;
  const longAnswers = [
    ...(line.take(oneOrMore, 'longAnswers', ...names) ?? []),
    ...(written ?? []),
  ];
  const found = readGold(line, choices) ?? interpreted;
  const aliases = ALIASES.flatMap((name) => {
    const field = line.find(name);
    return field ? readForms(line, field, undefined).forms : [];
  });
  const answerGroups = found?.groups ?? nested;
  const forms = [...(found?.forms ?? []), ...aliases];
  const label = readLabel(line, forms);
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

/** The texts that ASQA's annotators wrote. */
function readAnnotations(line: Line): string[] | undefined {
  return line.take(annotations, 'annotations')?.map(({ long_answer }) => long_answer);
}

/** SQuAD 2.0 and MuSiQue say of some questions that what they bring holds no answer. */
function isUnanswerable(line: Line): boolean {
  const impossible = line.take(flag, 'is_impossible');
  return line.take(flag, 'answerable') === false || impossible === true;
}
