/** Decomposition: least-to-most prompting (Zhou et al., ICLR 2023) for questions. */

import { z } from 'zod';
import { whole } from '../../core/options/ranges.js';
import { chainPassages, inIdOrder } from '../../core/passages-read.js';
import { type Conclusion, concluded } from '../../core/result.js';
import type { PassageRef } from '../../core/vocabulary.js';
import {
  baseView,
  cards,
  chip,
  note,
  section,
  titleList,
} from '../../report/views/section-parts.js';
import type { Question } from '../algorithm.js';
import { defineMethod } from '../define-method.js';

/** Pattern of a reference to the answer of an earlier sub-question: "#1". */
const REFERENCE = /#\d{1,2}(?!\d)/g;

const options = z.strictObject({
  subQuestions: whole(1, 10).default(3).describe('m, sub-questions at most (ours: 3)'),
  passages: whole(1, 50)
    .default(5)
    .describe('k, passages retrieved for each sub-question, or for a question without any (ours)'),
});

/**
 * Options of `decompose` (sub-questions, then the question from their answers), with all defaults.
 */
export type DecomposeOptions = z.output<typeof options>;

/**
 * A sub-question as written and as asked, its passages, its answer, null if there is none, and the
 * ids of the passages that the answer rests on.
 */
export interface SubQuestion {
  /** Sub-question as the model wrote it, with #1 for the answer to the first. */
  written: string;
  /** Sub-question as it was asked, with the answers inserted. */
  question: string;
  passages: PassageRef[];
  /** Answer; null if the passages do not contain it or the output could not be read. */
  answer: string | null;
  /** Ids of the passages that the answer rests on: those it cites, or all if it cites none. */
  evidence: string[];
}

/**
 * The chain of `decompose`: the sub-questions with their answers, the passages shown in the last
 * call, and the answer as read.
 */
export interface DecomposeChain {
  /** Sub-questions; empty if the question was not broken up. */
  subQuestions: SubQuestion[];
  /** Passages shown in the last call: the evidence of all sub-questions, without repeats. */
  passages: PassageRef[];
  /** The answer as read; null if it could not be read. */
  reading: string | null;
}

/**
 * The method `decompose`: breaks a question into sub-questions, answers each after those that it
 * refers to, and the question from their answers (after "Least-to-Most Prompting Enables Complex
 * Reasoning in Large Language Models").
 */
export const decompose = defineMethod({
  module: import.meta.url,
  name: 'decompose',
  title: 'Decomposition: sub-questions answered in order, then the question from their answers',
  source:
    'Least-to-most prompting (Zhou et al., ICLR 2023), with a search for each sub-question (ours)',
  options,
  facts: { mostSearches: ({ subQuestions }) => subQuestions },
  passagesRead: chainPassages,
  view(chain: DecomposeChain, context) {
    const items = chain.subQuestions.map(
      ({ written, question, answer, passages: found, evidence }) => ({
        title: question,
        chips: [answer === null ? chip('no answer', 'warn') : chip(answer)],
        blocks: [
          ...note(written !== question && `Written as: ${written}`),
          ...note(evidence.length < found.length && `Rests on ${evidence.length} of:`),
          ...titleList(found),
        ],
      }),
    );
    return [
      ...section('Sub-questions', cards(items), { note: `${items.length}` }),
      ...baseView(chain, context),
    ];
  },
  figures: 'of other tasks: the paper reports none for questions over passages',

  /**
   * Breaks the question up and answers each sub-question from its own passages; one that refers to
   * earlier answers waits for them. Then answers the question from their answers and evidence. A
   * question that is not broken up is read as in `base`.
   */
  async algorithm(asked): Promise<Conclusion<DecomposeChain>> {
    const { question, options, step } = asked;
    const written = await step.decomposeQuestion({ question, count: options.subQuestions });
    if (written.length === 0) {
      const passages = await step.retrieve({ query: question, count: options.passages });
      const ids = passages.map(({ id }) => id);
      const reading = await step.read({ question, passages: ids, demonstrations: [] });
      return concluded(reading, ids, { subQuestions: [], passages, reading });
    }

    const asking: Promise<SubQuestion>[] = [];
    for (const one of written) asking.push(answerOne(asked, one, [...asking]));
    const subQuestions = await Promise.all(asking);

    const evidence = [...new Set(subQuestions.flatMap((one) => one.evidence))];
    const reading = await step.answerFromSubQuestions({
      question,
      passages: evidence,
      subQuestions: subQuestions.map(({ question, answer, evidence: own }) => ({
        question,
        answer,
        evidence: own.map((id) => evidence.indexOf(id) + 1),
      })),
    });
    const found = subQuestions.flatMap(({ passages }) => passages);
    const chain = { subQuestions, passages: inIdOrder(found, evidence), reading };
    return concluded(reading, evidence, chain);
  },
});

/** Answers one sub-question. @param earlier The sub-questions before it. */
async function answerOne(
  { question: whole, options, step, flag }: Question<DecomposeOptions>,
  written: string,
  earlier: readonly Promise<SubQuestion>[],
): Promise<SubQuestion> {
  const question = await filledIn(written, earlier, whole);
  const passages = await step.retrieve({ query: question, count: options.passages });
  const ids = passages.map(({ id }) => id);
  const { answer, cited } = await step.answerSubQuestion({ question, passages: ids });

  const isThere = (number: number) => number >= 1 && number <= ids.length;
  const unknown = cited.filter((number) => !isThere(number)).map((number) => `[${number}]`);
  if (unknown.length > 0) {
    flag('unknownCitations', 'answerSubQuestion', `${unknown.join('')} of ${ids.length}`);
  }
  const shown = cited.filter(isThere).flatMap((number) => ids[number - 1] ?? []);
  return { written, question, passages, answer, evidence: shown.length > 0 ? shown : ids };
}

/**
 * Returns a sub-question with answers in place of its references ("Where was #1 born?"); a
 * sub-question without an answer is inserted itself. References to no earlier sub-question, and
 * those that the whole question has too ("the #1 hit"), stay unchanged.
 */
async function filledIn(
  written: string,
  earlier: readonly Promise<SubQuestion>[],
  whole: string,
): Promise<string> {
  const own = new Set(whole.match(REFERENCE));
  const names = [...new Set(written.match(REFERENCE))].filter((name) => !own.has(name));
  const answers = new Map<string, string>();
  for (const name of names) {
    const named = await earlier[Number(name.slice(1)) - 1];
    if (named) answers.set(name, named.answer ?? named.question.replace(/\s*\?$/, ''));
  }
  return written.replace(REFERENCE, (name) => answers.get(name) ?? name);
}
