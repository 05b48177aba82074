/** Scores what came of a question and keeps it. */

import { FAILURES, Failure } from '../../core/failure.js';
import { isRubric, type JudgedMetric } from '../../core/metric.js';
import { readBy } from '../../core/passages-read.js';
import type { MethodResult, QuestionFailure } from '../../core/result.js';
import type { RecordRef, Tally } from '../../core/run/run.js';
import { isUsed, noUsage, type Usage } from '../../core/usage.js';
import type { Passage } from '../../core/vocabulary.js';
import {
  type Applying,
  type Ended,
  type Reasons,
  scoreEnded,
} from '../../evaluation/score-answer.js';
import { scorePassages } from '../../evaluation/score-passages.js';
import type { CallRecord } from '../../steps/call-record.js';
import { showsPassages } from '../../steps/rubric.js';
import { packCalls } from '../../stores/runs/call-records.js';
import type {
  Judgement,
  RunAnswer,
  RunManifest,
  RunQuestion,
} from '../../stores/runs/run-store.js';
import type { Ports } from '../runtime/ports.js';
import { readPassages } from '../runtime/render-prompt.js';
import { type GivenPorts, keepGiven } from './given-passages.js';
import { applyingInRun, isToJudge } from './judged.js';
import { corpusName, manifestOf, questionOf } from './run-of.js';
import { tallyOf, usageOfAll } from './tally-of.js';

export interface Recorded {
  result: MethodResult | null;
  failure: QuestionFailure | null;
  /** Milliseconds since 1970. */
  startedAt: number;
  calls?: readonly CallRecord[] | undefined;
}

type RecordPorts = Pick<Ports, 'metrics' | 'methods'> & GivenPorts;

/**
 * Writes the answer of a question, in place of an earlier one. A question without an answer scores
 * 0 in every metric that applies to it, those of the judge included; see `scoreEnded`.
 *
 * @throws Failure BadInput when the run or the question is not in the store.
 */
export async function recordAnswer(
  record: RecordRef,
  { result, failure, startedAt, calls }: Recorded,
  ports: RecordPorts,
): Promise<Tally> {
  const { runs } = ports;
  const manifest = await manifestOf(record.run, runs);
  const { input } = manifest;
  const question = await questionOf(record, runs);
  const reason = failure ?? result?.failure ?? (result ? undefined : NO_REASON);
  const read = await readPassagesOf(question, result, manifest, ports);
  const retrieval = read && 'passages' in read && scorePassages(question, textsOf(read.passages));
  const applying = applyingInRun(input, question, ports);
  const ended = endedOf(question, result, read);
  const { scores, unscored } = scoreEnded(applying.scorers, question, ended);
  const judgement = unjudged(applying.judged, ended);
  const reasons = { ...applying.unscored, ...unscored, ...unshown(applying, ended, read) };
  const earlier = await usageBefore(record, startedAt, runs);
  const answer: RunAnswer = {
    id: record.id,
    result,
    ...(reason && { failure: reason }),
    scores,
    ...(Object.keys(reasons).length > 0 && { unscored: reasons }),
    ...(retrieval && { retrieval }),
    ...(judgement && { judgement }),
    ...(isUsed(earlier) && { earlier }),
    ...(calls && { calls: packCalls(calls) }),
    startedAt: new Date(startedAt).toISOString(),
    endedAt: new Date().toISOString(),
  };
  await runs.put(record.run, answer);
  return { ...tallyOf(answer), ...(isToJudge(applying.judged, answer) && { toJudge: true }) };
}

/** What the answers took that this one replaces; the same however often it is recorded. */
async function usageBefore(
  { run, id }: RecordRef,
  startedAt: number,
  runs: RecordPorts['runs'],
): Promise<Usage> {
  // One that cannot be read is replaced as well.
  const before = await runs.get(run, id).catch(undefinedIfDamaged);
  if (!before) return noUsage;
  const isThisOne = Date.parse(before.startedAt) === startedAt;
  return isThisOne ? (before.earlier ?? noUsage) : usageOfAll(before);
}

function undefinedIfDamaged(error: unknown): undefined {
  if (!(error instanceof Failure && error.type === 'Damaged')) throw error;
}

const NO_REASON: QuestionFailure = { type: 'Unexpected', message: 'No reason given.', step: null };

/** What a method has read; or why that cannot be told. */
type Read = { passages: Passage[] } | { gone: Failure } | { unsaid: Failure };

/** Undefined for a method that reads nothing. An answer whose passages are gone is kept: it has been paid for. */
async function readPassagesOf(
  question: RunQuestion,
  result: MethodResult | null,
  manifest: RunManifest,
  ports: RecordPorts,
): Promise<Read | undefined> {
  const read = result ? readBy(result, ports.methods) : undefined;
  if (read === undefined) return undefined;
  if (read === 'unknown') {
    const why = `${result?.method} does not say what it read: give it as the evidence of its results.`;
    return { unsaid: new Failure('UnknownPassage', why) };
  }
  try {
    const corpus = question.stored ? null : corpusName(manifest);
    if (question.stored) await keepGiven(question.stored, manifest, ports);
    const passages = await readPassages(
      read.passages.map(({ id }) => id),
      corpus,
      ports,
    );
    const documents = read.documents.map((text) => ({ id: '', title: '', text }));
    return { passages: [...passages, ...documents] };
  } catch (error) {
    if (error instanceof Failure && FAILURES[error.type].gone) return { gone: error };
    throw error;
  }
}

function textsOf(passages: readonly Passage[]): string[] {
  return passages.map(({ text }) => text);
}

function endedOf(
  question: RunQuestion,
  result: MethodResult | null,
  read: Read | undefined,
): Ended {
  const { outcome = 'failed', answer = null, chain } = result ?? {};
  if (outcome !== 'answered' || answer === null) return outcome === 'answered' ? 'failed' : outcome;
  return {
    question,
    answer,
    chain,
    get passages() {
      if (read && 'gone' in read) throw read.gone;
      if (read && 'unsaid' in read) throw read.unsaid;
      return read?.passages ?? [];
    },
  };
}

/** Rubrics that show what was read, where nobody knows what that was. */
function unshown({ judged }: Applying, ended: Ended, read: Read | undefined): Reasons {
  if (typeof ended === 'string' || !read || !('unsaid' in read)) return {};
  const { message } = read.unsaid;
  const shows = judged.filter((metric) => isRubric(metric) && showsPassages(metric.prompt));
  return Object.fromEntries(shows.map(({ name }) => [name, message]));
}

/** What the judge would find where there is no answer to show it. */
function unjudged(judged: readonly JudgedMetric[], ended: Ended): Judgement | undefined {
  if (typeof ended !== 'string' || judged.length === 0) return undefined;
  const scores = Object.fromEntries(judged.map(({ name }) => [name, 0]));
  return { scores, usage: noUsage, verdicts: null };
}
