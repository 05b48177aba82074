/** Scores what came of a question and keeps it. */
import {
  type PassageScores,
  scoreAnswer,
  scoreNoAnswer,
  scorePassages,
} from '../../evaluation/score-answer.js';
import type { RecordRef, Tally } from '../../methods/batch/batch.js';
import { Failure } from '../../methods/failure.js';
import type { MethodResult, QuestionFailure } from '../../methods/result.js';
import { noUsage, type Usage } from '../../methods/usage.js';
import type { Judgement, RunAnswer, RunManifest, RunQuestion } from '../../results/run-store.js';
import type { Ports } from '../runtime/ports.js';
import { readPassages } from '../runtime/render-prompt.js';
import { isToJudge, judgedOf, zeroScores } from './judged.js';
import { readTexts } from './read-texts.js';
import { manifestOf, questionOf } from './run-of.js';
import { tallyOf, usageOfAll } from './tally-of.js';

export interface Recorded {
  result: MethodResult | null;
  failure: QuestionFailure | null;
  /** Milliseconds since 1970. */
  startedAt: number;
}

type RecordPorts = Pick<Ports, 'runs' | 'corpora' | 'passages'>;

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
  const { input } = await manifestOf(record.run, runs);
  const question = await questionOf(record, runs);
  const reason = failure ?? result?.failure ?? (result ? undefined : NO_REASON);
  const retrieval = await scoreRetrieval(question, result, input, ports);
  const judgement = unjudged(question, result, input);
  const earlier = await usageBefore(record, startedAt, runs);
  const answer: RunAnswer = {
    id: record.id,
    result,
    ...(reason && { failure: reason }),
    scores: scoresOf(question, result),
    ...(retrieval && { retrieval }),
    ...(judgement && { judgement }),
    ...(earlier.calls > 0 && { earlier }),
    startedAt: new Date(startedAt).toISOString(),
    endedAt: new Date().toISOString(),
  };
  await runs.put(record.run, answer);
  return { ...tallyOf(answer), ...(isToJudge(input, question, answer) && { toJudge: true }) };
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

/** An answer whose passages are gone is kept without these scores: it has been paid for. */
async function scoreRetrieval(
  question: RunQuestion,
  result: MethodResult | null,
  { corpus }: RunManifest['input'],
  ports: RecordPorts,
): Promise<PassageScores | undefined> {
  const read = readTexts(result?.chain);
  if (read === undefined) return undefined;
  try {
    const passages = await readPassages(read.passages, question.stored ? null : corpus, ports);
    const texts = [...passages.map(({ text }) => text), ...read.documents];
    return scorePassages(question, texts);
  } catch (error) {
    if (error instanceof Failure && GONE.has(error.type)) return undefined;
    throw error;
  }
}

const GONE: ReadonlySet<string> = new Set(['UnknownCorpus', 'Incompatible', 'UnknownPassage']);

/** What the judge would find where there is no answer to show it. */
function unjudged(
  question: RunQuestion,
  result: MethodResult | null,
  input: RunManifest['input'],
): Judgement | undefined {
  const scores = zeroScores(judgedOf(input, question));
  if (result?.outcome === 'answered' || Object.keys(scores).length === 0) return undefined;
  return { scores, usage: noUsage, verdicts: null };
}
