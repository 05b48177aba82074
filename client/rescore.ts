/** Scores a stored run again, with other metrics, gold answers or another judge. */

import { subsetOf } from '../activities/run/choose-questions.js';
import { readingOf } from '../activities/run/dataset-of.js';
import { judgeInput } from '../activities/run/judge-task.js';
import { rescoreAnswer, type TextsOf } from '../activities/run/rescore-answer.js';
import { chainMetricsOfRun, type KnownMetrics } from '../activities/run/run-metrics.js';
import { judgePrompts, promptsOfRun } from '../activities/run/worker-setup.js';
import type { PromptLibrary } from '../activities/runtime/prompts.js';
import { canonicalJson } from '../core/canonical-json.js';
import type { Snapshot } from '../core/dataset-record.js';
import { forEachLimited } from '../core/each-of.js';
import { Failure } from '../core/failure.js';
import type { OwnMetric } from '../core/metric.js';
import type { StoredRunSpec } from '../core/run/input.js';
import type { UnscoredAnswers } from '../core/run/run.js';
import { countReasons } from '../core/run/sums.js';
import { type Judge, judgeModel } from '../core/step-models.js';
import { judgeStatementsAndClaims } from '../evaluation/citations/judge-answer.js';
import { type Snapshots, snapshotRef } from '../evaluation/dataset/snapshots.js';
import { subsetRule, subsetSize } from '../evaluation/dataset/subset.js';
import { type StoredQuestion, withoutPassages } from '../evaluation/gold-passages.js';
import {
  chosenMetrics,
  metricRegistry,
  rubricsIn,
  storedMetric,
} from '../evaluation/metrics/registry.js';
import { hasOldScores } from '../evaluation/runs/question-state.js';
import { RunTally } from '../evaluation/runs/run-figures.js';
import { runDifferences } from '../evaluation/runs/run-identity.js';
import { openRun } from '../evaluation/runs/run-source.js';
import { methodRegistry } from '../interpreters/methods.js';
import { registeredSteps } from '../steps/rubric.js';
import { hashedQuestions } from '../stores/runs/questions-hash.js';
import type { RunManifest, RunQuestion, RunStore } from '../stores/runs/run-store.js';
import type { OwnMethod } from '../workflows/define-method.js';

/**
 * Changes to the scoring of a run: other custom metrics, another judge, its current prompts, or
 * other gold answers. What is left out stays as it is.
 */
export interface ScoringChanges {
  /** Names of the custom metrics that the run has from now on. */
  metrics?: readonly string[] | undefined;
  /** The judge. If its model is unchanged, its parameters stay. */
  judge?: Judge | undefined;
  /** The current prompts. Answers whose judge read other prompts are judged again. */
  prompts?: Pick<PromptLibrary, 'hashes'> | undefined;
  /** The stored data set with the questions and their gold answers. */
  dataset?: Snapshot | undefined;
}

/** Stores of `rescoreRun`, and custom methods and metrics. */
export interface RescoreOptions {
  runs: RunStore;
  texts: TextsOf;
  datasets: Pick<Snapshots, 'read'>;
  /** Custom methods and metrics. */
  methods?: readonly OwnMethod<unknown>[] | undefined;
  metrics?: readonly OwnMetric[] | undefined;
}

/**
 * A new scoring of a run that is not stored yet: its manifest, the differences as lines of text,
 * the figures `before` and `after`, the numbers of answers that keep their earlier score by metric
 * (`kept`), the number of `answers` to be judged with the most calls for that (`toJudge`), and
 * `write`, which stores it.
 */
export type Rescoring = Awaited<ReturnType<typeof rescoreRun>>;

/** Number of answers scored in parallel. */
const AT_ONCE = 16;

/**
 * Scores the answers of a stored run again, and returns the figures before and after. Stores
 * nothing until `write` is called. Makes no model call: `toJudge` has the number of answers that a
 * judge must score, which a start of the run with `onlyJudge` does, and the most calls for that.
 * `after` leaves these answers out.
 *
 * @throws Failure UnknownRun; BadInput for unknown metrics, or if the data set lacks a question of
 * the run or has another one under its id.
 * @example
 * const { before, after, write } = await rescoreRun('nq-sure', {}, { ...results, datasets });
 */
export async function rescoreRun(run: string, wanted: ScoringChanges, options: RescoreOptions) {
  const { runs, texts } = options;
  const known: KnownMetrics = {
    methods: methodRegistry(options.methods),
    metrics: metricRegistry(options.metrics),
  };
  const ports = { ...known, texts };
  const { manifest: there } = await openRun(runs, run);
  const manifest = await withJudgePrompts(scoredAs(there, wanted, known), wanted, known);
  const differences = runDifferences(there, manifest);
  const withGold = await goldOf(there, wanted, options);
  const questions = async function* () {
    for await (const { question } of runs.questions(run)) yield withGold(question);
  };
  const [before, after] = [new RunTally(there), new RunTally(manifest)];
  let kept: Record<string, UnscoredAnswers> = {};
  let isNew = differences.length > 0;
  const toBeJudged = { answers: 0, mostCalls: 0 };
  for await (const question of questions()) {
    const answer = await runs.get(run, question.id);
    if (!answer) continue;
    const found = await rescoreAnswer(answer, question, manifest, ports);
    before.add(question, answer);
    const { judgement, ...unjudged } = found.answer;
    after.add(question, found.toJudge ? unjudged : found.answer);
    kept = countReasons(kept, found.kept);
    isNew ||= hasOldScores(answer, there) || canonicalJson(answer) !== canonicalJson(found.answer);
    if (!found.toJudge || !answer.result) continue;
    toBeJudged.answers++;
    toBeJudged.mostCalls += await mostCalls(
      judgeInput(manifest.input, question, answer.result, known),
    );
  }

  /**
   * Stores the new scores if any differ: first the manifest and the questions, then each answer
   * with the time of scoring. An interrupted write leaves answers with old scores, which
   * `hasOldScores` detects, and can be repeated.
   */
  async function write(): Promise<void> {
    if (!isNew) return;
    const at = new Date().toISOString();
    const rescored = [...(there.rescored ?? []), { at, differences, kept }];
    const asked = wanted.dataset && hashedQuestions(questions());
    await runs.change(
      run,
      () => ({ ...manifest, rescored, ...(asked && { questionsSha256: asked.sha256() }) }),
      asked?.questions,
    );
    await forEachLimited(questions(), AT_ONCE, async (question) => {
      const answer = await runs.get(run, question.id);
      if (!answer) return;
      const found = await rescoreAnswer(answer, question, manifest, ports);
      await runs.put(run, { ...found.answer, scoredAt: at });
    });
  }

  return {
    /** The manifest for the new scoring. */
    manifest,
    /** One line for each difference from the earlier scoring. */
    differences,
    /** Number of answers that keep their earlier score, by metric. */
    kept,
    /** Number of answers that must be judged, and the most calls for that. */
    toJudge: toBeJudged,
    write,
    before: before.figures(),
    /** Figures without the answers still to be judged. */
    after: after.figures(),
  };
}

/**
 * Returns the run's manifest with the changes. Custom metrics that are unknown here are kept,
 * unless others are named.
 */
function scoredAs(
  there: RunManifest,
  { metrics: names, judge: named, dataset }: ScoringChanges,
  { metrics: known, methods }: KnownMetrics,
): RunManifest {
  const { judge: before } = there.input;
  const isSame = named === undefined || (before && judgeModel(before) === named);
  const judge = isSame ? before : named;
  const had = there.metrics ?? [];
  const unknown = names ? [] : had.filter(({ name }) => !known.has(name));
  const wanted = names ?? had.map(({ name }) => name).filter((name) => known.has(name));
  const metrics = [
    ...chosenMetrics({ metrics: wanted, judge }, known).map(storedMetric),
    ...unknown,
  ];
  const { metrics: _, ...manifest } = there;
  const { metrics: __, ...input } = there.input;
  const spec: StoredRunSpec = {
    ...input,
    ...(judge !== undefined && { judge }),
    ...(metrics.length > 0 && { metrics: metrics.map(({ name }) => name) }),
    ...(dataset && { dataset: snapshotRef(dataset) }),
  };
  const subset = subsetOf(spec);
  return {
    ...manifest,
    input: spec,
    ...(metrics.length > 0 && { metrics }),
    ...chainMetricsOfRun(spec, methods),
    ...(dataset && {
      dataset: {
        ...dataset,
        selected: subsetSize(subset, dataset.questions),
        rule: subsetRule(subset),
      },
    }),
  };
}

/**
 * Returns the manifest with the judge's current prompts added, if there are any.
 *
 * @throws Failure BadInput if a prompt set does not exist.
 */
async function withJudgePrompts(
  manifest: RunManifest,
  { prompts }: ScoringChanges,
  { metrics }: KnownMetrics,
): Promise<RunManifest> {
  const { input } = manifest;
  if (!prompts || !input.judge) return manifest;
  const rubrics = rubricsIn(metrics);
  const { steps } = registeredSteps({ metrics: rubrics });
  const now = await promptsOfRun(input, { prompts, steps });
  const read = judgePrompts({ input, prompts: now }, rubrics);
  return { ...manifest, prompts: { ...manifest.prompts, ...read } };
}

/**
 * Returns a function that replaces a question's gold answers by the data set's; without a data set,
 * questions stay as they are.
 */
async function goldOf(
  { run, input }: RunManifest,
  { dataset }: ScoringChanges,
  { runs, datasets }: RescoreOptions,
): Promise<(question: RunQuestion) => RunQuestion> {
  if (!dataset) return (question) => question;
  const gold = new Map<string, StoredQuestion>();
  const { signal } = new AbortController();
  const read = readingOf(dataset.sha256, datasets, signal);
  for await (const record of read(subsetOf(input))) gold.set(record.id, withoutPassages(record));
  const withGold = ({ id, question, stored, changedAt }: RunQuestion): RunQuestion => {
    const record = gold.get(id);
    if (record?.question === question) {
      return { ...record, ...(stored && { stored }), ...(changedAt && { changedAt }) };
    }
    const what = record
      ? `asks something else under ${JSON.stringify(id)}`
      : `has no question ${JSON.stringify(id)}, which the run has`;
    throw new Failure(
      'BadInput',
      `dataset: ${dataset.file} ${what}. Name the data set of the run ${run} with other gold answers; any other data set needs a new run.`,
    );
  };
  for await (const { question } of runs.questions(run)) withGold(question);
  return withGold;
}

/**
 * Returns the most calls that judging can take: if every statement is supported, and each passage
 * is also tried without the others.
 */
async function mostCalls(task: ReturnType<typeof judgeInput>): Promise<number> {
  let calls = task.rubrics?.length ?? 0;
  await judgeStatementsAndClaims(task, async (_, premise) => {
    calls++;
    // A single passage supports nothing; then a further call is made.
    return !(Array.isArray(premise) && premise.length === 1);
  });
  return calls;
}
