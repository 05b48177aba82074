/** Reconstructs an answered question from the records of its calls, to find where it went wrong. */
import { applyingInRun } from '../activities/run/run-metrics.js';
import {
  passagesOrFailure,
  passagesReadBy,
  refsRead,
  scoreResult,
} from '../activities/run/score-result.js';
import { Failure } from '../core/failure.js';
import { methodNamed } from '../core/method-registry.js';
import type { Scorer } from '../core/metric.js';
import { parseInput } from '../core/options/input.js';
import type { Conclusion, MethodResult } from '../core/result.js';
import type { Metrics } from '../evaluation/metrics/registry.js';
import { decidingFirst, decisiveScore, metricsInOrder } from '../evaluation/runs/metrics.js';
import { scorePassages } from '../evaluation/score-passages.js';
import type { ReadTexts } from '../report/question/passage-texts.js';
import type { ModelSteps } from '../steps/define.js';
import { shownPassageIds, transcriptKeyOf } from '../steps/perfect.js';
import { stepNamed } from '../steps/table.js';
import { callsOf } from '../stores/runs/call-records.js';
import type { RunAnswer, RunManifest, RunQuestion } from '../stores/runs/run-store.js';
import type { Transcripts } from '../stores/transcripts.js';
import type { OwnMethods } from '../workflows/define-method.js';
import { type ReplayedQuestion, replay } from './replay.js';

/**
 * The methods, steps and metrics of a run, and lookups for the texts of passages and transcripts,
 * from which its questions are reconstructed.
 */
export interface ReplaySources {
  methods: OwnMethods;
  metrics: Metrics;
  steps: ModelSteps;
  texts: ReadTexts;
  /** Transcripts of methods that take turns; without them, only texts in the records are used. */
  transcripts?: Pick<Transcripts, 'lastPiece' | 'text'> | undefined;
}

/**
 * The reason why a question cannot be reconstructed:
 * - unanswered: it has no answer, or failed;
 * - withoutRecords: its calls were not recorded;
 * - otherVersion: the method has changed;
 * - passagesGone: passages that it was shown no longer exist;
 * - undecidable: no metric of the answer alone decides whether it is right, or no passage can be a hit.
 */
export type ExclusionReason =
  | 'unanswered'
  | 'withoutRecords'
  | 'otherVersion'
  | 'passagesGone'
  | 'undecidable';

/**
 * An answered question whose calls were replayed, with its conclusion and the metric that decides
 * whether it is right.
 */
export interface AnsweredQuestion {
  answered: ReplayedQuestion;
  conclusion: Conclusion<unknown>;
  /** Title of the metric that decides whether the answer is right. */
  decisive: string;
  /** Returns the score of another conclusion in that metric, from 0 to 1. */
  scoreOf(ended: Conclusion<unknown>): Promise<number>;
}

/**
 * Returns a question reconstructed from the records of its calls: `answered` (the question with
 * its calls and their inputs), its `conclusion`, and the metric that decides whether it is right
 * (its title in `decisive`, its function `scoreOf`). If this is impossible, returns the reason
 * instead, a string such as 'withoutRecords'.
 *
 * @param kept The stored answer; undefined if there is none.
 */
export async function reconstructQuestion(
  question: RunQuestion,
  kept: RunAnswer | undefined,
  manifest: RunManifest,
  known: ReplaySources,
): Promise<AnsweredQuestion | ExclusionReason> {
  const { texts, transcripts, methods, steps } = known;
  const result = kept?.result;
  if (!kept || !result || result.outcome === 'failed') return 'unanswered';
  const decider = deciderOf(question, manifest, known);
  if (!decider || scorePassages(question, []) === undefined) return 'undecidable';
  const records = callsOf(kept);
  if (!records) return 'withoutRecords';
  const method = methodNamed(manifest.input.method, methods);
  const asked = { question: question.question, options: manifest.input.options as object };
  const replayed = await replay(method, asked, records).catch((error: unknown) => {
    if (error instanceof Failure && error.type === 'Incompatible') return undefined;
    throw error;
  });
  if (!replayed) return 'otherVersion';
  const { calls } = replayed;
  const ids = [...new Set(calls.flatMap((call) => shownPassageIds(call, steps)))];
  const found = await texts(manifest, ids);
  if (ids.some((id) => !found.has(id))) return 'passagesGone';
  const { options } = parseInput(method, asked, true);
  const answered: ReplayedQuestion = {
    method,
    question: question.question,
    options,
    calls,
    steps,
    answers: question.answers,
    answerGroups: question.answerGroups,
    ...(await textsByTurns(calls, found, steps, transcripts)),
  };
  async function scoreOf(ended: Conclusion<unknown>): Promise<number> {
    const made = { ...result, ...ended } as MethodResult;
    const read = passagesReadBy(made, methods, passagesOrFailure(refsRead(made, methods), found));
    const applying = { scorers: decider?.scorers ?? [], judged: [], chain: [], unscored: {} };
    const { scores } = scoreResult(question, made, { applying, read, calls: () => calls });
    return decisiveScore(scores, manifest.metrics) ?? 0;
  }
  const conclusion = result as Conclusion<unknown>;
  return { answered, conclusion, decisive: decider.title, scoreOf };
}

/**
 * Returns the texts that calls were shown, transcripts included, and the texts that they wrote. A
 * text that is no longer stored is left out.
 */
async function textsByTurns(
  calls: ReplayedQuestion['calls'],
  passages: ReadonlyMap<string, string>,
  steps: ModelSteps,
  transcripts: ReplaySources['transcripts'],
): Promise<Pick<ReplayedQuestion, 'texts' | 'written'>> {
  const [texts, written] = [new Map(passages), new Map<string, string>()];
  for (const call of calls) {
    const step = stepNamed(call.step, steps);
    if (!transcripts || !step?.transcript) continue;
    const [before, { soFar }] = [transcriptKeyOf(call, steps), Object(call.output)];
    try {
      if (before !== null) texts.set(before, await transcripts.text(before));
      if (typeof soFar === 'string') written.set(soFar, await transcripts.lastPiece(soFar));
    } catch (error) {
      if (!(error instanceof Failure && error.type === 'UnknownText')) throw error;
    }
  }
  return { texts, written };
}

/** Returns the metric that decides whether an answer is right; undefined if none or a judge does. */
function deciderOf(
  question: RunQuestion,
  { input, metrics }: RunManifest,
  known: ReplaySources,
): { title: string; scorers: Scorer[] } | undefined {
  const { scorers, judged } = applyingInRun(input, question, known);
  const names = [...scorers, ...judged].map(({ name }) => name);
  const [main] = decidingFirst(metricsInOrder(names, metrics));
  if (main?.group !== 'answer') return undefined;
  return { title: main.title, scorers };
}
