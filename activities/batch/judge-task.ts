/** What a judge is asked about an answer of a run. */

import type { ToJudge } from '../../evaluation/citations/judge-answer.js';
import { readStatements } from '../../evaluation/citations/statements.js';
import { goldAnswers } from '../../evaluation/gold-answers.js';
import type { RecordRef } from '../../methods/batch/batch.js';
import type { Batch } from '../../methods/batch/input.js';
import { type Citation, withoutCitations } from '../../methods/citations.js';
import { Failure } from '../../methods/failure.js';
import { MOST_SHOWN, type Rubric } from '../../methods/own-metric.js';
import { readBy } from '../../methods/passages-read.js';
import type { MethodRegistry } from '../../methods/registry.js';
import type { MethodResult } from '../../methods/result.js';
import type { Judgement, RunManifest, RunQuestion, RunStore } from '../../results/run-store.js';
import type { Source } from '../../steps/other/retrieve.js';
import { type RubricInput, showsPassages } from '../../steps/rubric.js';
import type { Ports } from '../runtime/ports.js';
import { type GivenPorts, givenPassages } from './given-passages.js';
import { citingForm, judgedOf, type Known } from './judged.js';
import { checkFit, type FitPorts } from './run-fit.js';
import { corpusName, manifestOf, questionOf } from './run-of.js';

export interface JudgeTask extends ToJudge {
  judge: string;
  /** How the run makes its calls. */
  settings: Pick<Batch, 'cache' | 'limits' | 'prompts' | 'seed' | 'tier'> & { retrieval: Source };
  question: string;
  /** As a question's; see Prepared. */
  awaitsCalls?: true | undefined;
  /** Only where there are any. */
  rubrics?: RubricTask[];
}

/** A rubric that an answer is to be read by. */
export interface RubricTask {
  /** The metric, which is the name of its step. */
  metric: string;
  title: string;
  input: RubricInput;
}

/** The end of the chain of a method whose answers cite. */
interface Cited {
  /** The answer as the model wrote it: a passage that does not exist supports nothing. */
  reading?: string;
  citations?: Citation[];
}

/**
 * The same once the worker has been found set up as the run was begun, with the prompts as they are.
 *
 * @throws Failure RunMismatch where it is not; as `givenPassages`.
 */
export async function takeJudgeTask(
  record: RecordRef,
  ports: FitPorts & GivenPorts & Pick<Ports, 'metrics' | 'methods'>,
): Promise<JudgeTask> {
  const manifest = await manifestOf(record.run, ports.runs);
  await checkFit(manifest, ports);
  await givenPassages(record, manifest, ports);
  const { settings, ...task } = await judgeTaskOf(record, manifest, ports);
  const prompts = await ports.prompts.pin(settings.prompts);
  return { ...task, settings: { ...settings, prompts }, awaitsCalls: true };
}

/** @throws Failure BadInput when there is nothing to judge. */
export async function readJudgeTask(
  record: RecordRef,
  ports: Pick<Ports, 'runs' | 'metrics' | 'methods'>,
): Promise<JudgeTask> {
  return judgeTaskOf(record, await manifestOf(record.run, ports.runs), ports);
}

async function judgeTaskOf(
  record: RecordRef,
  manifest: RunManifest,
  { runs, ...known }: Pick<Ports, 'runs'> & Known,
): Promise<JudgeTask> {
  const { input } = manifest;
  const question = await questionOf(record, runs);
  const result = (await runs.get(record.run, record.id))?.result;
  const { judge, cache, limits, prompts, seed, tier } = input;
  if (judge === undefined || !result || result.answer === null) {
    throw new Failure('BadInput', `Of ${record.id} there is nothing to judge in ${record.run}.`);
  }
  const corpus = corpusName(manifest);
  return {
    judge,
    // Nothing is searched any more: what matters is where the passages are read.
    settings: {
      ...{ cache, limits, prompts, seed },
      ...(tier && { tier }),
      retrieval:
        question.stored || corpus === null ? { supplied: question.stored ?? [] } : { corpus },
    },
    question: question.question,
    ...toJudge(input, question, result, known),
  };
}

/** What of a result is judged. */
type Answered = Pick<MethodResult, 'method' | 'outcome' | 'answer' | 'chain' | 'evidence'>;

/** What a judge is asked about an answer. */
export function toJudge(
  input: Batch,
  question: RunQuestion,
  result: Answered,
  known: Known,
): ToJudge & Pick<JudgeTask, 'rubrics'> {
  const judged = judgedOf(input, question, known);
  const said = result.answer ?? '';
  const form = citingForm(input, known.methods);
  const cited: Cited = form ? Object(result.chain) : {};
  const { citations = [], reading = said } = cited;
  const listFor = form === 'list' ? { listFor: question.question } : {};
  // What the reading cites and is not among the citations is higher than any of them, or 0.
  const passages = Math.max(0, ...citations.map(({ number }) => number));
  return {
    statements: judged.citations ? readStatements(reading, { passages, ...listFor }) : null,
    citations,
    answer: withoutCitations(said),
    claims: judged.claims ? (question.claims ?? []) : null,
    ...(judged.rubrics.length > 0 && {
      rubrics: judged.rubrics.flatMap((rubric) =>
        rubricTask(rubric, question, result, known.methods),
      ),
    }),
  };
}

/** None where the judge is to be shown what was read, and nobody knows what that was. */
function rubricTask(
  { name, title, prompt }: Rubric,
  asked: RunQuestion,
  result: Answered,
  methods: MethodRegistry,
): RubricTask[] {
  const read = showsPassages(prompt) ? readBy(result, methods) : undefined;
  if (read === 'unknown') return [];
  const documents = read?.documents.map((text) => ({ id: '', title: '', text })) ?? [];
  const input = {
    question: asked.question,
    answer: result.answer ?? '',
    goldAnswers: goldAnswers(asked),
    passages: [...(read?.passages ?? []).map(({ id }) => id), ...documents].slice(0, MOST_SHOWN),
  };
  return [{ metric: name, title, input }];
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
