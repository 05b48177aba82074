/** What a judge is asked about an answer of a run. */
import { readStatements, type Statement } from '../../evaluation/citations/statements.js';
import type { RecordRef } from '../../methods/batch.js';
import type { Batch } from '../../methods/batch-input.js';
import { type Citation, withoutCitations } from '../../methods/citations.js';
import { Failure } from '../../methods/failure.js';
import type { Judgement, RunStore } from '../../results/run-store.js';
import type { Source } from '../retrieve.js';
import { judgedOf } from './judged.js';
import { manifestOf, questionOf } from './run-of.js';

export interface JudgeTask {
  judge: string;
  /** How the run makes its calls. */
  settings: Pick<Batch, 'cache' | 'limits' | 'prompts' | 'seed'> & { retrieval: Source };
  question: string;
  /** Null where the answer was not to cite. */
  statements: Statement[] | null;
  /** What the numbers in the answer stand for. */
  citations: Citation[];
  /** The answer without its citations. */
  answer: string;
  /** Null where the question has no reference claims. */
  claims: string[] | null;
}

/** @throws Failure BadInput when there is nothing to judge. */
export async function readJudgeTask(record: RecordRef, runs: RunStore): Promise<JudgeTask> {
  const { input } = await manifestOf(record.run, runs);
  const question = await questionOf(record, runs);
  const result = (await runs.get(record.run, record.id))?.result;
  const { judge, options, cache, limits, prompts, seed, corpus } = input;
  if (judge === undefined || !result || result.answer === null) {
    throw new Failure('BadInput', `Of ${record.id} there is nothing to judge in ${record.run}.`);
  }
  const judged = judgedOf(input, question);
  const { citations = [] } = Object(result.chain) as { citations?: Citation[] };
  const listFor = options.answerForm === 'list' ? { listFor: question.question } : {};
  const passages = Math.max(0, ...citations.map(({ number }) => number));
  return {
    judge,
    // Nothing is searched any more: what matters is where the passages are read.
    settings: {
      ...{ cache, limits, prompts, seed },
      retrieval: question.stored ? { supplied: question.stored } : { corpus },
    },
    question: question.question,
    statements: judged.citations ? readStatements(result.answer, { passages, ...listFor }) : null,
    citations,
    answer: withoutCitations(result.answer),
    claims: judged.claims ? (question.claims ?? []) : null,
  };
}

/** Keeps what was found with the answer. @throws Failure BadInput when there is no answer. */
export async function recordJudgement(
  { run, id }: RecordRef,
  judgement: Judgement,
  runs: RunStore,
): Promise<void> {
  const answer = await runs.get(run, id);
  if (!answer) throw new Failure('BadInput', `The run ${run} has no answer to ${id} to judge.`);
  await runs.put(run, { ...answer, judgement });
}
