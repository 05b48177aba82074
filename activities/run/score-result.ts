/** Scores the result of a question, using the passages that its method read. */

import { FAILURES, Failure } from '../../core/failure.js';
import {
  type EndedQuestion,
  isRubric,
  type JudgedMetric,
  type RecordedCall,
  type ScoredAnswer,
} from '../../core/metric.js';
import { answerSources } from '../../core/passages-read.js';
import type { MethodResult } from '../../core/result.js';
import type { RunSpec } from '../../core/run/input.js';
import { NO_USAGE } from '../../core/usage.js';
import type { Passage, PassageRef } from '../../core/vocabulary.js';
import { goldScores, type ReadPassage } from '../../evaluation/gold-passages.js';
import {
  type AnswerOrOutcome,
  type ApplicableMetrics,
  chainValues,
  scoreEnded,
  type UnscoredReasons,
} from '../../evaluation/score-answer.js';
import { scorePassages } from '../../evaluation/score-passages.js';
import { showsPassages } from '../../steps/rubric.js';
import type { Judgement, RunAnswer, RunQuestion } from '../../stores/runs/run-store.js';
import type { OwnMethods } from '../../workflows/define-method.js';
import { applyingInRun, type KnownMetrics } from './run-metrics.js';

/** A phrase for manifests that says how answers are normalised before they are compared. */
export const NORMALISER =
  'SQuAD: lower case, without punctuation, without the articles a, an and the, single spaces';

/** Passages with their texts; the failure if one of them no longer exists. */
type Found = readonly Passage[] | Failure;

/**
 * Returns references to the passages that a result is based on; empty if the question failed, if
 * its method read none, or if it does not say what it read.
 */
export function refsRead(result: MethodResult | null, methods: OwnMethods): readonly PassageRef[] {
  const named = result ? answerSources(result, methods) : undefined;
  return named === undefined || named === 'unknown' ? [] : named.passages;
}

/**
 * Returns the error if it is a Failure of a type with `gone` in `FAILURES`, such as that of a
 * passage that no longer exists; throws any other error.
 */
export function failureIfGone(error: unknown): Failure {
  if (error instanceof Failure && FAILURES[error.type].gone) return error;
  throw error;
}

/**
 * Returns passages with their texts; a Failure UnknownPassage, not thrown, if the text of one is
 * missing.
 *
 * @param texts Texts by the id of their passage.
 */
export function passagesOrFailure(
  refs: readonly Pick<PassageRef, 'id' | 'title'>[],
  texts: ReadonlyMap<string, string>,
): Found {
  const missing = refs.find(({ id }) => !texts.has(id));
  if (missing)
    return new Failure('UnknownPassage', `The passage ${missing.id} is no longer there.`);
  return refs.map(({ id, title }) => ({ id, title, text: texts.get(id) ?? '' }));
}

/**
 * The passages that a method read; or a failure, because they are gone or because the method does
 * not name them.
 */
type PassagesRead = { passages: ReadPassage[] } | { gone: Failure } | { unsaid: Failure };

/**
 * Returns an object with one field: `passages`, those that a result is based on and after them the
 * documents that the model wrote; `gone`, a failure, if the passages no longer exist; or `unsaid`,
 * a failure, if the method does not say what it read. The failures are not thrown. Undefined if
 * there is no result, or if the question failed or its result has no chain.
 *
 * @param found The passages of `refsRead` with their texts, or the failure to read them.
 */
export function passagesReadBy(
  result: MethodResult | null,
  methods: OwnMethods,
  found: Found,
): PassagesRead | undefined {
  const named = result ? answerSources(result, methods) : undefined;
  if (named === undefined) return undefined;
  if (named === 'unknown') {
    const why = `${result?.method} does not say what it read: give it as the evidence of its results.`;
    return { unsaid: new Failure('UnknownPassage', why) };
  }
  if (found instanceof Failure) return { gone: found };
  const passages = found.map((passage, i): ReadPassage => {
    const document = named.passages[i]?.own?.id;
    return document === undefined ? passage : { ...passage, document };
  });
  const documents = named.documents.map((text) => ({ id: '', title: '', text }));
  return { passages: [...passages, ...documents] };
}

/** The stored scores of an answer. The judgement is set only if there is nothing to judge. */
type ScoredResult = Pick<
  RunAnswer,
  'gold' | 'judgement' | 'retrieval' | 'scores' | 'chainScores' | 'unscored'
>;

/** The metrics, passages and calls by which a result is scored. */
interface ScoredBy {
  applying: ApplicableMetrics;
  read: PassagesRead | undefined;
  /** Returns the calls of the question; undefined if they were not kept. */
  calls: () => readonly RecordedCall[] | undefined;
}

/**
 * Scores a result. Returns as `scored` the part of a stored answer that has its scores (see
 * `scoreResult`), as `applying` the metrics that apply to its question, and as `read` the passages
 * read (see `passagesReadBy`).
 *
 * @param found The passages of `refsRead` with their texts, or the failure to read them.
 */
export function scoreInRun(
  spec: RunSpec,
  question: RunQuestion,
  result: MethodResult | null,
  { found, calls, ...known }: KnownMetrics & Pick<ScoredBy, 'calls'> & { found: Found },
): Omit<ScoredBy, 'calls'> & { scored: ScoredResult } {
  const read = passagesReadBy(result, known.methods, found);
  const applying = applyingInRun(spec, question, known);
  return { read, applying, scored: scoreResult(question, result, { applying, read, calls }) };
}

/**
 * Returns the part of a stored answer that has its scores: `scores` and `chainScores` by metric,
 * in the metrics that apply to its question, with the reasons for missing ones (`unscored`); the
 * scores of the passages read (`retrieval`, `gold`); and, if there is no answer to judge, a
 * `judgement` of 0 in each of the judge's metrics. Scorers that have no other score for a result
 * without an answer give it 0; see `scoreEnded`.
 */
export function scoreResult(
  question: RunQuestion,
  result: MethodResult | null,
  { applying, read, calls }: ScoredBy,
): ScoredResult {
  const retrieval =
    read &&
    'passages' in read &&
    scorePassages(
      question,
      read.passages.map(({ text }) => text),
    );
  const gold =
    read && 'passages' in read ? goldScores(question.gold ?? [], read.passages) : undefined;
  const asked = endedQuestion(question, result, read, calls);
  const hasChain = asked !== undefined && asked.chain !== null && asked.chain !== undefined;
  const ofChain = hasChain ? chainValues(applying.chain, asked) : undefined;
  const ended = answerOrOutcome(asked);
  const { scores, unscored } = scoreEnded(applying.scorers, question, ended);
  const judgement = unjudged(applying.judged, ended);
  const reasons = {
    ...applying.unscored,
    ...unscored,
    ...ofChain?.unscored,
    ...unshown(applying, ended, read),
  };
  return {
    scores,
    ...(ofChain && Object.keys(ofChain.values).length > 0 && { chainScores: ofChain.values }),
    ...(Object.keys(reasons).length > 0 && { unscored: reasons }),
    ...(retrieval && { retrieval }),
    ...(gold && { gold }),
    ...(judgement && { judgement }),
  };
}

/** Returns an ended question in the form that metrics get; undefined if it failed. */
function endedQuestion(
  question: RunQuestion,
  result: MethodResult | null,
  read: PassagesRead | undefined,
  calls: ScoredBy['calls'],
): EndedQuestion | undefined {
  const { outcome = 'failed', answer = null, confidence, chain, retrievals = 0 } = result ?? {};
  if (outcome === 'failed') return undefined;
  return {
    question,
    outcome,
    answer,
    confidence,
    chain,
    searches: retrievals,
    get passages() {
      if (read && 'gone' in read) throw read.gone;
      if (read && 'unsaid' in read) throw read.unsaid;
      return read?.passages ?? [];
    },
    get calls() {
      const kept = calls();
      if (kept) return kept;
      throw new Error('The calls of the question were not kept.');
    },
  };
}

/** Returns the ended question if it has an answer; else its outcome. */
function answerOrOutcome(asked: EndedQuestion | undefined): AnswerOrOutcome {
  if (!asked) return 'failed';
  const { outcome, answer } = asked;
  if (outcome !== 'answered') return outcome;
  return answer === null ? 'failed' : (asked as ScoredAnswer);
}

/**
 * Returns, by rubric, why it cannot be judged: it should show the passages that were read, and they
 * are not known.
 */
function unshown(
  { judged }: ApplicableMetrics,
  ended: AnswerOrOutcome,
  read: PassagesRead | undefined,
): UnscoredReasons {
  if (typeof ended === 'string' || !read || !('unsaid' in read)) return {};
  const { message } = read.unsaid;
  const shows = judged.filter((metric) => isRubric(metric) && showsPassages(metric.prompt));
  return Object.fromEntries(shows.map(({ name }) => [name, message]));
}

/**
 * Returns the judgement of a question without an answer: 0 in each metric; undefined if there is an
 * answer.
 */
function unjudged(judged: readonly JudgedMetric[], ended: AnswerOrOutcome): Judgement | undefined {
  if (typeof ended !== 'string' || judged.length === 0) return undefined;
  const scores = Object.fromEntries(judged.map(({ name }) => [name, 0]));
  return { scores, usage: NO_USAGE, verdicts: null };
}
