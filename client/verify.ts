/** Verifies runs: recomputes everything that follows from their stored data, without model calls. */
import { rescoreAnswer, type TextsOf } from '../activities/run/rescore-answer.js';
import { Failure } from '../core/failure.js';
import type { OwnMetric } from '../core/metric.js';
import { type Difference, firstDifference } from '../core/object-differences.js';
import type { MethodResult } from '../core/result.js';
import { sumUsage } from '../core/usage.js';
import { metricRegistry, runMetric } from '../evaluation/metrics/registry.js';
import { plural } from '../evaluation/runs/number-text.js';
import { hasOldScores } from '../evaluation/runs/question-state.js';
import { openRun } from '../evaluation/runs/run-source.js';
import { methodRegistry } from '../interpreters/methods.js';
import { recompute } from '../interpreters/recompute.js';
import { importedTexts } from '../retrieval/imported-texts.js';
import { passageStore } from '../retrieval/supplied-passages.js';
import { MemoryStore } from '../stores/memory-store.js';
import { archiveFormat, DamagedArchive } from '../stores/runs/archive-file.js';
import { callsOf } from '../stores/runs/call-records.js';
import { keyValueRuns } from '../stores/runs/key-value-runs.js';
import { hashedQuestions } from '../stores/runs/questions-hash.js';
import { readRunArchive } from '../stores/runs/run-archive.js';
import type { RunAnswer, RunManifest, RunQuestion, RunStore } from '../stores/runs/run-store.js';
import { STUDY_FORMAT, withStudyArchive } from '../stores/runs/study-archive.js';
import type { OwnMethod, OwnMethods } from '../workflows/define-method.js';

/** Stores of `verifyRun`, and custom methods and metrics. */
export interface VerifyOptions {
  runs: RunStore;
  texts: TextsOf;
  /** Custom methods and metrics. */
  methods?: readonly OwnMethod<unknown>[] | undefined;
  metrics?: readonly OwnMetric[] | undefined;
}

/**
 * A value of a stored run that differs from the recomputed one: the field, both values, and its
 * place.
 */
export interface RunDifference extends Difference {
  /** Id of the question; undefined if it concerns the run as a whole. */
  question?: string;
  /** Damaged part of the archive; undefined without damage. */
  part?: string;
  /** Step of the call that differs; undefined if it is not a call. */
  step?: string;
  /** Sentence to show instead of the two values. */
  message?: string;
}

/**
 * The result of verifying a run: the verdict, the numbers of recomputed values, the first
 * difference, and what could not be checked.
 */
export interface Verification {
  run: string;
  /** `notChecked` if nothing differs, but not everything could be recomputed. */
  verdict: 'ok' | 'differs' | 'notChecked';
  questions: number;
  answers: number;
  /** Number of answers that were recomputed from their calls. */
  replayed: number;
  /** Number of calls of these answers. */
  calls: number;
  /** Number of scores that were recomputed. */
  scores: number;
  /** The first difference; null if there is none. */
  difference: RunDifference | null;
  /** Sentences, one for each kind of value that could not be recomputed. */
  notChecked: string[];
}

/**
 * Recomputes every answer of a stored run from its calls, then its scores and totals, and returns
 * the result. Stops at the first difference, which does not throw. Makes no model call.
 *
 * @throws Failure UnknownRun.
 * @example
 * const { verdict, difference } = await verifyRun('nq-sure', await openResults());
 */
export async function verifyRun(run: string, options: VerifyOptions): Promise<Verification> {
  const { runs } = options;
  const { manifest } = await openRun(runs, run);
  const methods = methodRegistry(options.methods);
  const checks = checksOf(manifest, { ...options, methods });
  const { questions, sha256 } = hashedQuestions(asked(runs, run));
  const found: Verification = {
    run,
    verdict: 'ok',
    questions: 0,
    answers: 0,
    replayed: 0,
    calls: 0,
    scores: 0,
    difference: null,
    notChecked: [],
  };
  for await (const question of questions) {
    found.questions++;
    const answer = await answerOf(runs, run, question);
    if (!answer) continue;
    if ('difference' in answer) return { ...found, verdict: 'differs', ...answer };
    found.answers++;
    const difference = await checks.check(question, answer, found);
    if (!difference) continue;
    return { ...found, verdict: 'differs', difference: { question: question.id, ...difference } };
  }
  const difference =
    firstDifference(manifest.questions, found.questions, 'questions') ??
    otherQuestions(manifest.questionsSha256, sha256());
  if (difference) return { ...found, verdict: 'differs', difference };
  const notChecked = checks.notChecked();
  return { ...found, verdict: notChecked.length > 0 ? 'notChecked' : 'ok', notChecked };
}

/** Returns the difference of two hashes of questions as a sentence. */
function otherQuestions(kept: string, computed: string): RunDifference | undefined {
  const difference = firstDifference(kept, computed, 'questionsSha256');
  const message =
    'the questions are not those that the run was started with: a text, a gold answer or their order has changed';
  return difference && { ...difference, message };
}

async function* asked(runs: RunStore, run: string) {
  for await (const { question } of runs.questions(run)) yield question;
}

/** Returns the stored answer to a question, or a difference if it is damaged. */
async function answerOf(runs: RunStore, run: string, { id }: RunQuestion) {
  try {
    return await runs.get(run, id);
  } catch (error) {
    if (!(error instanceof Failure) || error.type !== 'Damaged') throw error;
    const { message } = error;
    return {
      difference: { question: id, field: 'answer', kept: undefined, computed: undefined, message },
    };
  }
}

/**
 * Returns functions that check the answers of a run one by one, and count those that cannot be
 * checked.
 */
function checksOf(
  manifest: RunManifest,
  { texts, methods, ...options }: Omit<VerifyOptions, 'methods'> & { methods: OwnMethods },
) {
  const { input, code, versions } = manifest;
  const method = methods.get(input.method);
  const here = method?.code?.();
  const isOther = code !== undefined && here?.version !== code.version;
  const metrics = new Map(metricRegistry(options.metrics));
  for (const { name, version } of manifest.metrics ?? []) {
    const metric = metrics.get(name);
    // Another version of a metric counts as missing: its scores are not checked.
    if (metric && runMetric(metric as OwnMetric).version !== version) metrics.delete(name);
  }
  const unchecked = { otherCode: 0, withoutCalls: 0, oldScores: 0, toJudge: 0 };
  const keptScores = new Map<string, number>();

  async function checkResult(
    question: RunQuestion,
    answer: RunAnswer,
    found: Verification,
  ): Promise<RunDifference | undefined> {
    const { result } = answer;
    if (!result || manifest.predictions) return undefined;
    const records = callsOf(answer);
    if (!method?.algorithm || isOther || !records) {
      unchecked[records ? 'otherCode' : 'withoutCalls']++;
      return undefined;
    }
    const options = input.options as object;
    const again = await recompute(
      method as OwnMethod<unknown>,
      { question: question.question, options },
      records,
      result,
    );
    if ('at' in again) {
      const { at, step, kept, asked } = again;
      const isSame = kept !== undefined && kept === asked;
      return {
        field: `calls[${at}]`,
        step,
        kept,
        computed: asked,
        ...(isSame && { message: `${kept} is asked with another input: ${OTHER_INPUT}` }),
      };
    }
    const { workflowId: _, build: __, ...kept } = result;
    const { workflowId: ___, ...computed } = again.result;
    const difference =
      firstStepDifference(kept.steps, computed.steps) ?? firstDifference(kept, computed, 'result');
    if (difference) return difference;
    found.replayed++;
    found.calls += records.length;
    return undefined;
  }

  async function checkScores(
    question: RunQuestion,
    answer: RunAnswer,
    found: Verification,
  ): Promise<RunDifference | undefined> {
    if (hasOldScores(answer, manifest)) {
      unchecked.oldScores++;
      return undefined;
    }
    const known = { methods, metrics };
    const again = await rescoreAnswer(answer, question, manifest, { ...known, texts });
    if (again.toJudge) unchecked.toJudge++;
    for (const name of Object.keys(again.kept)) {
      keptScores.set(name, (keptScores.get(name) ?? 0) + 1);
    }
    const { verdicts, usage } = answer.judgement ?? {};
    const took = verdicts ? sumUsage(Object.values(verdicts.steps)) : usage;
    const difference =
      firstDifference(scoredIn(answer), scoredIn(again.answer)) ??
      firstDifference(usage, took, 'judgement.usage');
    found.scores += Object.keys(answer.scores).length - Object.keys(again.kept).length;
    return difference;
  }

  return {
    async check(question: RunQuestion, answer: RunAnswer, found: Verification) {
      const { failure } = answer.result ?? {};
      return (
        firstDifference(answer.id, question.id, 'id') ??
        (failure && firstDifference(answer.failure, failure, 'failure')) ??
        (await damageOr(() => checkResult(question, answer, found))) ??
        checkScores(question, answer, found)
      );
    },
    notChecked(): string[] {
      const { otherCode, withoutCalls, oldScores, toJudge } = unchecked;
      const version = `durable-rag ${versions.durableRag}${code ? `, method code ${code.version}` : ''}`;
      return [
        ...(otherCode > 0
          ? [`${plural(otherCode, 'answer')} of ${input.method} made by ${version}: not checked`]
          : []),
        ...(withoutCalls > 0
          ? [`${plural(withoutCalls, 'answer')} without calls: not checked`]
          : []),
        ...(oldScores > 0 ? [`${plural(oldScores, 'answer')} with old scores: not checked`] : []),
        ...(toJudge > 0
          ? [`${plural(toJudge, 'answer')} not judged by the run's judge: not checked`]
          : []),
        ...[...keptScores].map(
          ([name, count]) =>
            `${plural(count, 'score')} in ${name}, whose passages or code are missing here: not checked`,
        ),
      ];
    },
  };
}

/** Returns the first difference in the usage of steps, with the step's name. */
function firstStepDifference(
  kept: MethodResult['steps'],
  computed: MethodResult['steps'],
): RunDifference | undefined {
  for (const step of new Set([...Object.keys(kept), ...Object.keys(computed)])) {
    const difference = firstDifference(kept[step], computed[step], `result.steps.${step}`);
    if (difference) return { ...difference, step };
  }
  return undefined;
}

const OTHER_INPUT = 'the output of an earlier call, the question or an option has been changed';

/** Returns the fields of an answer that contain scores. */
function scoredIn({ scores, told, unscored, retrieval, gold, judgement }: RunAnswer) {
  return { scores, told, unscored, retrieval, gold, judgement };
}

/** Returns the result of a check; unreadable records are returned as a difference. */
async function damageOr(
  check: () => Promise<RunDifference | undefined>,
): Promise<RunDifference | undefined> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof Failure) || error.type !== 'Damaged') throw error;
    return { field: 'calls', kept: undefined, computed: undefined, message: error.message };
  }
}

/**
 * Verifies the archive of a run: the hashes of its parts and its totals, then its run as
 * `verifyRun` does. Differences are in the result.
 *
 * @throws Failure BadInput for a file that is not the archive of a run.
 */
export async function verifyArchive(
  file: string,
  options: Pick<VerifyOptions, 'methods' | 'metrics'>,
): Promise<Verification> {
  const store = new MemoryStore();
  const runs = keyValueRuns(new MemoryStore());
  const imported = importedTexts(store);
  const naming = { holding: <T>(_: string, work: () => Promise<T>) => work() };
  let altered: DamagedArchive | undefined;
  try {
    const target = { runs, imported, naming, given: passageStore(store) };
    const { run } = await readRunArchive(file, target, undefined, (damage) => {
      altered ??= damage;
    });
    const texts: TextsOf = (_, ids) => imported.get(run, ids);
    const found = await verifyRun(run, { ...options, runs, texts });
    if (!altered) return found;
    return { ...found, verdict: 'differs', difference: damageIn(altered, found.difference) };
  } catch (error) {
    if (!(error instanceof Failure) || error.type !== 'Damaged') throw error;
    const { part } = altered ?? {};
    return nothingOf(file, { ...damageIn(error, null), ...(part !== undefined && { part }) });
  }
}

/**
 * Verifies the archive of a run, or of a study with each of its runs. Returns one result for each
 * run; differences do not throw.
 *
 * @throws Failure BadInput for a file that is not an archive.
 */
export async function verifyFile(
  file: string,
  options: Pick<VerifyOptions, 'methods' | 'metrics'>,
): Promise<Verification[]> {
  if ((await archiveFormat(file)) !== STUDY_FORMAT) return [await verifyArchive(file, options)];
  try {
    return await withStudyArchive(file, async ({ runs }) => {
      const found: Verification[] = [];
      for (const { file } of runs) found.push(await verifyArchive(file, options));
      return found;
    });
  } catch (error) {
    if (!(error instanceof Failure) || error.type !== 'Damaged') throw error;
    return [nothingOf(file, damageIn(error, null))];
  }
}

function nothingOf(file: string, difference: RunDifference): Verification {
  const nothing = { questions: 0, answers: 0, replayed: 0, calls: 0, scores: 0, notChecked: [] };
  return { run: file, verdict: 'differs', ...nothing, difference };
}

/** Returns the damage of an archive as a difference, combined with the difference in its run. */
function damageIn(damage: Failure, difference: RunDifference | null): RunDifference {
  const part = damage instanceof DamagedArchive ? damage.part : undefined;
  const nothing = { field: 'archive', kept: undefined, computed: undefined };
  return {
    ...(difference ?? { ...nothing, message: damage.message }),
    ...(part !== undefined && { part }),
  };
}
