/** Prepares what a judge is asked about an answer of a run. */

import { canonicalJson } from '../../core/canonical-json.js';
import { type Citation, withoutCitations } from '../../core/citations.js';
import { Failure } from '../../core/failure.js';
import { isRubric, MOST_JUDGED_PASSAGES, type Rubric } from '../../core/metric.js';
import { answerSources } from '../../core/passages-read.js';
import type { MethodResult } from '../../core/result.js';
import type { RunSpec } from '../../core/run/input.js';
import type { JudgeScores, RecordRef } from '../../core/run/run.js';
import { sha256Of } from '../../core/sha256.js';
import { hasFields, type Judge, mapPromptSets } from '../../core/step-models.js';
import { addUsage, NO_USAGE } from '../../core/usage.js';
import type { JudgeInput } from '../../evaluation/citations/judge-answer.js';
import { readStatements } from '../../evaluation/citations/statements.js';
import { goldAnswers } from '../../evaluation/gold-answers.js';
import { type ApplicableMetrics, scoreJudged } from '../../evaluation/score-answer.js';
import { rubricReasons } from '../../evaluation/unscored.js';
import { showsPassages } from '../../steps/rubric.js';
import type { RunAnswer, RunManifest, RunQuestion } from '../../stores/runs/run-store.js';
import type { JudgeFindings, JudgeTask, RubricTask } from '../../workflows/activities/run.js';
import type { OwnMethods } from '../../workflows/define-method.js';
import type { Ports } from '../runtime/ports.js';
import { tenantShare } from '../runtime/tenant-share.js';
import { recordUnsupported } from './change-run.js';
import { checkFit, type FitPorts, type GivenPorts, givenPassages } from './run-fit.js';
import { applyingInRun, citingForm, type KnownMetrics } from './run-metrics.js';
import { corpusName, manifestOfRun, questionOf } from './run-of.js';
import { judgePrompts } from './worker-setup.js';

/** The part of the chain of a citing method that its judge reads. */
interface Cited {
  /** The answer as the model wrote it, with citations of passages that do not exist. */
  reading?: string;
  citations?: Citation[];
}

/**
 * Checks that this worker's setup fits the run, and returns what the judge is asked about a stored
 * answer, as `judgeTask` does, with the current versions of the judge's prompts.
 *
 * @throws Failure UnknownRun; RunMismatch if the setup does not fit; the failures of
 * `givenPassages` and `judgeTaskOf`.
 */
export async function readJudgeTask(
  record: RecordRef,
  ports: FitPorts & GivenPorts & Pick<Ports, 'metrics' | 'methods' | 'tenants' | 'watch'>,
  taskQueue: string,
): Promise<JudgeTask> {
  const manifest = await manifestOfRun(record.run, ports.runs);
  await checkFit(manifest, ports, 'judge');
  await givenPassages(record, manifest, ports);
  const { settings, ...task } = await judgeTaskOf(record, manifest, ports);
  const prompts = await mapPromptSets(settings.prompts, ports.prompts.pin);
  const tenant = await tenantShare(record.run, manifest.input.tenant, ports, taskQueue);
  return { ...task, settings: { ...settings, prompts }, ...(tenant && { tenant }) };
}

/**
 * Returns what the judge of a run is asked about a stored answer, as `judgeTask` does.
 *
 * @throws Failure BadInput if the run has no judge, if the question has no answer, or if the store
 * does not have the question.
 */
export async function judgeTaskOf(
  record: RecordRef,
  manifest: RunManifest,
  { runs, ...known }: Pick<Ports, 'runs'> & KnownMetrics,
): Promise<JudgeTask> {
  const { input } = manifest;
  const question = await questionOf(record, runs);
  const result = (await runs.get(record.run, record.id))?.result;
  const { judge } = input;
  if (judge === undefined || !result || result.answer === null) {
    throw new Failure(
      'BadInput',
      `The run ${record.run} has nothing to judge for the question ${record.id}.`,
    );
  }
  return judgeTask({ ...input, judge }, question, result, corpusName(manifest), known);
}

/**
 * Returns what the judge is asked about the result of a question: the `question` with the fields
 * of `judgeInput`, the `judge`, and the `settings` of its calls.
 *
 * @param corpus Corpus of the passages that did not come with the question; null if there is none.
 */
export function judgeTask(
  input: RunSpec & { judge: Judge },
  question: RunQuestion,
  result: Answered,
  corpus: string | null,
  known: KnownMetrics,
): JudgeTask {
  const { judge, cache, limits, prompts, seed, tier, outputs, extraBody } = input;
  return {
    judge,
    // Nothing is searched any more; only the source of the passages matters.
    settings: {
      cache,
      limits,
      prompts,
      seed,
      ...(hasFields(extraBody) && { extraBody }),
      ...(tier && { tier }),
      ...(outputs && { outputs }),
      retrieval:
        question.stored || corpus === null ? { supplied: question.stored ?? [] } : { corpus },
    },
    question: question.question,
    ...judgeInput(input, question, result, known),
  };
}

type Answered = Pick<MethodResult, 'method' | 'outcome' | 'answer' | 'chain' | 'evidence'>;

/**
 * Returns what a judge reads to score the result of a question: the answer without its citations,
 * its statements with the positions of the passages that each cites, these passages, the reference
 * claims and the rubrics. Statements and claims are null, and rubrics left out, if no metric that
 * applies to the question needs them. A rubric that shows the passages read is also left out if
 * these are not known.
 */
export function judgeInput(
  input: RunSpec,
  question: RunQuestion,
  result: Answered,
  known: KnownMetrics & { applying?: ApplicableMetrics },
): JudgeInput & Pick<JudgeTask, 'rubrics'> {
  const { judged } = known.applying ?? applyingInRun(input, question, known);
  const asks = (from: 'citations' | 'claims') => judged.some((metric) => metric.from === from);
  const rubrics = judged
    .filter(isRubric)
    .flatMap((rubric) => rubricTask(rubric, question, result, known.methods));
  const answer = result.answer ?? '';
  const form = citingForm(input, known.methods);
  const cited: Cited = form ? Object(result.chain) : {};
  const { citations = [], reading = answer } = cited;
  const listFor = form === 'list' ? { listFor: question.question } : {};
  // A citation in the reading that is not listed is higher than any listed number, or 0.
  const passages = Math.max(0, ...citations.map(({ number }) => number));
  return {
    statements: asks('citations') ? readStatements(reading, { passages, ...listFor }) : null,
    citations,
    answer: withoutCitations(answer),
    claims: asks('claims') ? (question.claims ?? []) : null,
    ...(rubrics.length > 0 && { rubrics }),
  };
}

/**
 * Returns whether the judge of a run must be asked about an answer: it was not judged yet, or by
 * another judge, or the judge would now be asked something else, such as another prompt. False if
 * the question was not answered, or if no judged metric applies.
 */
export function needsJudge(
  manifest: Pick<RunManifest, 'input' | 'prompts'>,
  question: RunQuestion,
  { result, judgement }: Pick<RunAnswer, 'judgement' | 'result'>,
  known: KnownMetrics & { applying?: ApplicableMetrics },
): boolean {
  if (result?.outcome !== 'answered') return false;
  const { applying = applyingInRun(manifest.input, question, known) } = known;
  if (applying.judged.length === 0) return false;
  return judgement?.of !== askedOf(manifest, question, result, { ...known, applying });
}

/** Returns a hash of the judge of a run and of what it is asked about an answer. */
function askedOf(
  manifest: Pick<RunManifest, 'input' | 'prompts'>,
  question: RunQuestion,
  result: Answered,
  known: KnownMetrics & { applying: ApplicableMetrics },
): string {
  const { input } = manifest;
  const rubrics = known.applying.judged.filter(isRubric);
  const asked = {
    judge: input.judge,
    ...judgeInput(input, question, result, known),
    ...(hasFields(input.extraBody) && { extraBody: input.extraBody }),
    scales: rubrics.map(({ name, prompt, scale }) => [name, prompt.text, scale]),
    prompts: judgePrompts(manifest, rubrics),
  };
  return sha256Of(canonicalJson(asked), 32);
}

/**
 * Returns the task of a rubric; none if the judge should see the passages that were read and they
 * are not known.
 */
function rubricTask(
  { name, title, prompt }: Rubric,
  asked: RunQuestion,
  result: Answered,
  methods: OwnMethods,
): RubricTask[] {
  const read = showsPassages(prompt) ? answerSources(result, methods) : undefined;
  if (read === 'unknown') return [];
  const documents = read?.documents.map((text) => ({ id: '', title: '', text })) ?? [];
  const input = {
    question: asked.question,
    answer: result.answer ?? '',
    goldAnswers: goldAnswers(asked),
    passages: [...(read?.passages ?? []).map(({ id }) => id), ...documents].slice(
      0,
      MOST_JUDGED_PASSAGES,
    ),
  };
  return [{ metric: name, title, input }];
}

/**
 * Scores an answer by the verdicts of the judge, and stores scores and verdicts with the answer.
 * Returns the judge's `scores` (0 to 1) by metric, and as `unscored` the reasons for missing ones,
 * absent if there are none. Recording the same judgement again changes nothing.
 *
 * @throws Failure BadInput if there is no answer.
 */
export async function recordJudgement(
  record: RecordRef,
  { verdicts, usage }: JudgeFindings,
  { runs, ...known }: Pick<Ports, 'runs'> & KnownMetrics,
): Promise<Omit<JudgeScores, 'usage'>> {
  const { run, id } = record;
  const answer = await runs.get(run, id);
  if (!answer) throw new Failure('BadInput', `The run ${run} has no answer to ${id} to judge.`);
  const manifest = await manifestOfRun(run, runs);
  const question = await questionOf(record, runs);
  const applying = applyingInRun(manifest.input, question, known);
  const { scores, unscored } = scoreJudged(applying.judged, verdicts);
  const reasons = { ...answer.unscored, ...unscored };
  const of = answer.result
    ? askedOf(manifest, question, answer.result, { ...known, applying })
    : undefined;
  const before = answer.judgement;
  // Recording the same judgement again changes nothing.
  const isThisOne = before === undefined || before.of === of;
  const earlier = isThisOne ? before?.earlier : addUsage(before.earlier ?? NO_USAGE, before.usage);
  await runs.put(run, {
    ...answer,
    ...(Object.keys(reasons).length > 0 && { unscored: reasons }),
    judgement: { of, scores, usage, verdicts, ...(earlier && { earlier }) },
  });
  await recordUnsupported(run, verdicts.steps, runs);
  const found = { ...unscored, ...rubricReasons(verdicts.rubrics) };
  return { scores, ...(Object.keys(found).length > 0 && { unscored: found }) };
}
