/** What a judge is asked about an answer at most. Pure. */
import type { Given, PlannedCall } from '../../methods/planned-call.js';
import { partOf, times } from '../../methods/planned-call.js';
import type { Passage } from '../../methods/vocabulary.js';
import type { StepName } from '../../steps/table.js';

/** How a cited answer is taken to be made, since nothing bounds how many statements it has. */
export const STATEMENTS = {
  /** Sentences of so many tokens or more, each with so many citations: what ALCE counts of them. */
  prose: { tokens: 20, citations: 3 },
  /** Items with one citation each, as the prompt asks. */
  list: { tokens: 8, citations: 1 },
} as const;

export interface ToJudge {
  /** The form of the answers that are to cite; undefined where they are not. */
  form?: 'prose' | 'list' | undefined;
  /** Reference claims. */
  claims: readonly string[];
  /** Steps of rubrics. */
  rubrics: readonly string[];
  /** What an answer should say. */
  gold: string;
  /** What a rubric is shown at most of what the method has read. */
  read: readonly Passage[];
}

/** The steps that can write an answer. */
const ANSWERING: readonly string[] = [
  'read',
  'readPassage',
  'readSummaries',
  'readBackground',
  'choose',
  'infer',
  'reason',
  'metaReason',
  'followUp',
  'selfAsk',
  'thinkAndAnswer',
  'takeNotes',
  'answerFromNotes',
  'answerWithEvidence',
  'answerWithCitations',
  'generateCandidates',
  'checkClaim',
  'reply',
] satisfies StepName[];

/** One call a claim, and one a rubric; for each statement the calls of `judgeStatement`. */
export function planJudging(
  { form, claims, rubrics, gold, read }: ToJudge,
  plan: readonly PlannedCall[],
  given: Given,
): PlannedCall[] {
  const text = longestAnswer(plan, given);
  const { question } = given;
  return [
    ...claims.map((claim) => ({
      step: 'judgeClaim' as const,
      input: { claim, premise: { text } },
    })),
    ...rubrics.map((step) => ({
      step,
      input: { question, answer: text, goldAnswers: [gold], passages: read },
    })),
    ...(form === undefined ? [] : planStatements(form, given)),
  ];
}

/** How many statements the longest answer has, as `STATEMENTS` takes them to be. */
function statementsOf(form: 'prose' | 'list', answer: string): number {
  return Math.max(1, Math.floor(answer.length / 4 / STATEMENTS[form].tokens));
}

function planStatements(
  form: 'prose' | 'list',
  { question, passages, output }: Given,
): PlannedCall[] {
  const answer = output('answerWithCitations', { form });
  const count = statementsOf(form, answer);
  const { citations } = STATEMENTS[form];
  const said = partOf(answer, count);
  const claim = form === 'list' ? `${question} ${said}` : said;
  const ask = (cited: number): PlannedCall => ({
    step: 'judgeClaim',
    input: { claim, premise: passages(cited) },
  });
  const alone = citations === 1 ? 0 : citations;
  return times(count, () => [
    ask(citations),
    ...times(alone, () => [ask(1), ask(citations - 1)]).flat(),
  ]).flat();
}

function longestAnswer(plan: readonly PlannedCall[], { output }: Given): string {
  const texts = plan
    .filter(({ step }) => ANSWERING.includes(step))
    .map(({ step, input }) => output(step as StepName, input));
  return texts.reduce((longest, text) => (text.length > longest.length ? text : longest), '');
}
