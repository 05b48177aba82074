/** Scores what came of a question and keeps it. */

import { applyingTo, type OwnScores, scoreOwn } from '../../evaluation/own/score.js';
import { scoreAnswer, scoreNoAnswer, scorePassages } from '../../evaluation/score-answer.js';
import type { RecordRef, Tally } from '../../methods/batch/batch.js';
import { Failure } from '../../methods/failure.js';
import type { ScoredAnswer } from '../../methods/own-metric.js';
import { readBy } from '../../methods/passages-read.js';
import type { MethodResult, QuestionFailure } from '../../methods/result.js';
import { isUsed, noUsage, type Usage } from '../../methods/usage.js';
import type { Passage } from '../../methods/vocabulary.js';
import type { Judgement, RunAnswer, RunManifest, RunQuestion } from '../../results/run-store.js';
import { showsPassages } from '../../steps/rubric.js';
import type { Ports } from '../runtime/ports.js';
import { readPassages } from '../runtime/render-prompt.js';
import { type GivenPorts, keepGiven } from './given-passages.js';
import { isToJudge, type Judged, judgedOf, zeroScores } from './judged.js';
import { corpusName, manifestOf, questionOf } from './run-of.js';
import { tallyOf, usageOfAll } from './tally-of.js';

export interface Recorded {
  result: MethodResult | null;
  failure: QuestionFailure | null;
  /** Milliseconds since 1970. */
  startedAt: number;
}

type RecordPorts = Pick<Ports, 'metrics' | 'methods'> & GivenPorts;

/**
 * Writes the answer of a question, in place of an earlier one. A question without an answer scores
 * 0 in every metric that applies to it, those of the judge included; see `scoreNoAnswer`.
 *
 * @throws Failure BadInput when the run or the question is not in the store.
 */
export async function recordAnswer(
  record: RecordRef,
  { result, failure, startedAt }: Recorded,
  ports: RecordPorts,
): Promise<Tally> {
  const { runs } = ports;
  const manifest = await manifestOf(record.run, runs);
  const { input } = manifest;
  const question = await questionOf(record, runs);
  const reason = failure ?? result?.failure ?? (result ? undefined : NO_REASON);
  const read = await readPassagesOf(question, result, manifest, ports);
  const retrieval = read && 'passages' in read && scorePassages(question, textsOf(read.passages));
  const judged = judgedOf(input, question, ports);
  const judgement = unjudged(judged, result);
  const own = ownScores(question, result, read, { names: input.metrics, ports });
  const earlier = await usageBefore(record, startedAt, runs);
  const answer: RunAnswer = {
    id: record.id,
    result,
    ...(reason && { failure: reason }),
    scores: { ...scoresOf(question, result), ...own.scores },
    ...(Object.keys(own.unscored).length > 0 && { unscored: own.unscored }),
    ...(retrieval && { retrieval }),
    ...(judgement && { judgement }),
    ...(isUsed(earlier) && { earlier }),
    startedAt: new Date(startedAt).toISOString(),
    endedAt: new Date().toISOString(),
  };
  await runs.put(record.run, answer);
  return { ...tallyOf(answer), ...(isToJudge(judged, answer) && { toJudge: true }) };
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
  if (!(error instanceof Failure && error.type === 'BadInput')) throw error;
}

const NO_REASON: QuestionFailure = { type: 'Unexpected', message: 'No reason given.', step: null };

function scoresOf(question: RunQuestion, result: MethodResult | null): RunAnswer['scores'] {
  const { outcome = 'failed', answer = null } = result ?? {};
  return outcome === 'answered' && answer !== null
    ? scoreAnswer(question, answer)
    : scoreNoAnswer(question, outcome);
}

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
    if (error instanceof Failure && GONE.has(error.type)) return { gone: error };
    throw error;
  }
}

function textsOf(passages: readonly Passage[]): string[] {
  return passages.map(({ text }) => text);
}

const GONE: ReadonlySet<string> = new Set([
  'UnknownCorpus',
  'Incompatible',
  'UnknownPassage',
  'UnknownText',
]);

function ownScores(
  question: RunQuestion,
  result: MethodResult | null,
  read: Read | undefined,
  { names, ports }: { names: readonly string[] | undefined; ports: RecordPorts },
): OwnScores {
  const { scorers, rubrics, unscored } = applyingTo(question, names, ports.metrics);
  const answered = scoredAnswer(question, result, read);
  const own = scoreOwn(scorers, answered);
  if (answered && read && 'unsaid' in read) {
    for (const { name, prompt } of rubrics) {
      if (showsPassages(prompt)) own.unscored[name] = read.unsaid.message;
    }
  }
  return { ...own, unscored: { ...unscored, ...own.unscored } };
}

/** Null where there is no answer. */
function scoredAnswer(
  question: RunQuestion,
  result: MethodResult | null,
  read: Read | undefined,
): ScoredAnswer | null {
  if (result?.outcome !== 'answered' || result.answer === null) return null;
  return {
    question,
    answer: result.answer,
    chain: result.chain,
    get passages() {
      if (read && 'gone' in read) throw read.gone;
      if (read && 'unsaid' in read) throw read.unsaid;
      return read?.passages ?? [];
    },
  };
}

/** What the judge would find where there is no answer to show it. */
function unjudged(judged: Judged, result: MethodResult | null): Judgement | undefined {
  const scores = zeroScores(judged);
  if (result?.outcome === 'answered' || Object.keys(scores).length === 0) return undefined;
  return { scores, usage: noUsage, verdicts: null };
}
