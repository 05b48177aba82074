/** The shapes of data set lines that are understood, each brought to one. */
import { z } from 'zod';
import { ANSWER_KINDS } from './record.js';

const text = z.string().trim().min(1);
const question = text.max(20_000);
/** QAMPARI lists some empty names: nothing can match them, so they are left out. */
const texts = z
  .array(z.string().trim())
  .transform((values) => values.filter((value) => value !== ''));
/** A group whose names were all empty stays: ALCE counts it as an answer that nobody finds. */
const groups = z.array(texts).min(1);
const oneOrMore = z.union([text.transform((single) => [single]), texts]);
const id = z.union([z.string().trim().min(1), z.number().transform(String)]);
/** DPR writes scores as strings. */
const score = z.union([z.number(), z.string().trim().min(1).transform(Number).pipe(z.number())]);
const title = z
  .string()
  .nullish()
  .transform((value) => value ?? '');

const passage = z.object({
  id: id.optional(),
  title,
  text,
  hasAnswer: z.boolean().optional(),
  isGold: z.boolean().optional(),
  score: score.optional(),
});

/** This project's own: question, answers and what else a record has. */
const shared = z.object({
  id: id.optional(),
  question,
  answers: texts.default([]),
  answerKind: z.enum(ANSWER_KINDS).optional(),
  passages: z.array(passage).optional(),
  label: text.optional(),
  answerGroups: groups.optional(),
  longAnswers: texts.optional(),
  claims: texts.optional(),
});

/** What a line may have whose answers go by another name. */
const besideAnswers = shared.omit({ answers: true });

/** What every shape is brought to; id and kind are told from the content where they are missing. */
export type DatasetLine = z.output<typeof shared>;

/** A retrieved passage of DPR (has_answer), FiD (hasanswer) and ALCE. */
const context = z
  .object({
    id: id.optional(),
    title,
    text,
    score: score.optional(),
    has_answer: z.boolean().optional(),
    hasanswer: z.boolean().optional(),
  })
  .transform(({ has_answer, hasanswer, ...rest }) => ({
    ...rest,
    hasAnswer: has_answer ?? hasanswer,
  }));

/** FlashRAG: golden_answers, which count into the choices where there are any. */
const flashRag = besideAnswers
  .extend({
    golden_answers: z.union([oneOrMore, z.array(z.int().nonnegative())]),
    choices: texts.optional(),
    ctxs: z.array(context).optional(),
    docs: z.array(context).optional(),
  })
  .transform(({ golden_answers, choices = [], passages, ctxs, docs, ...rest }, issues) => {
    const answers = golden_answers.map((answer) =>
      typeof answer === 'number' ? choices[answer] : answer,
    );
    if (answers.includes(undefined)) {
      issues.addIssue({ code: 'custom', path: ['golden_answers'], message: 'no such choice' });
    }
    return {
      ...rest,
      answers: answers.filter((answer) => answer !== undefined),
      passages: passages ?? ctxs ?? docs,
    };
  });

/** NQ-open: a question and its answers. */
const nqOpen = besideAnswers
  .extend({ answer: oneOrMore })
  .transform(({ answer, ...rest }) => ({ ...rest, answers: answer }));

/** HotpotQA and 2WikiMultihopQA: paragraphs as a title and its sentences. */
const hotpot = z
  .object({
    _id: id.optional(),
    id: id.optional(),
    question,
    answer: oneOrMore,
    context: z.array(z.tuple([z.string(), z.array(z.string())])),
    supporting_facts: z.array(z.tuple([z.string(), z.int()])).optional(),
  })
  .transform(({ _id, id, question, answer, context, supporting_facts }) => {
    const gold = supporting_facts && new Set(supporting_facts.map(([name]) => name));
    const passages = context.map(([name, sentences]) => ({
      title: name,
      text: sentences
        .map((sentence) => sentence.trim())
        .join(' ')
        .trim(),
      isGold: gold?.has(name),
    }));
    const present = passages.filter((paragraph) => paragraph.text !== '');
    return { id: _id ?? id, question, answers: answer, passages: present };
  });

/** DPR, FiD and ALCE: answers, or what ALCE has in their place, and retrieved passages. */
const contexts = z
  .object({
    id: id.optional(),
    sample_id: id.optional(),
    question,
    answers: z.union([texts, groups]).optional(),
    answer: oneOrMore.optional(),
    qa_pairs: z.array(z.object({ short_answers: texts })).nullish(),
    claims: texts.optional(),
    ctxs: z.array(context).optional(),
    docs: z.array(context).optional(),
  })
  .transform(({ sample_id, answers, answer, qa_pairs, ctxs, docs, ...rest }) => {
    const nested = answers?.map((names) => (typeof names === 'string' ? undefined : names));
    const wanted = nested?.filter((names) => names !== undefined) ?? [];
    const flat = answers?.filter((name) => typeof name === 'string') ?? [];
    const short = qa_pairs?.map(({ short_answers }) => short_answers) ?? [];
    const groupsFound = wanted.length > 0 ? wanted : short;
    const isLong = rest.claims !== undefined || short.length > 0;
    return {
      ...rest,
      id: rest.id ?? sample_id,
      answers: flat.length > 0 ? flat : groupsFound.length > 0 ? unique(groupsFound.flat()) : [],
      ...(groupsFound.length > 0 && { answerGroups: groupsFound }),
      ...(wanted.length > 0 && { answerKind: 'list' as const }),
      ...(isLong && answer && { longAnswers: answer }),
      ...(!isLong && answers === undefined && answer && { answers: answer }),
      passages: ctxs ?? docs,
    };
  });

function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}

/**
 * The schema for a line, told by the fields it has: golden_answers (FlashRAG), ctxs or docs (DPR,
 * FiD, ALCE), answer with context (HotpotQA), answer (NQ-open), else this project's own.
 */
export function schemaFor(line: object): z.ZodType<DatasetLine> {
  if ('golden_answers' in line) return flashRag;
  if ('ctxs' in line || 'docs' in line) return contexts;
  if ('answer' in line && !('answers' in line)) return 'context' in line ? hotpot : nqOpen;
  return shared;
}
