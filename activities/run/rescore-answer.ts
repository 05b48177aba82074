/** Scores a stored answer again, without any model call. */

import { scoreJudged } from '../../evaluation/score-answer.js';
import { callsOf } from '../../stores/runs/call-records.js';
import type { RunAnswer, RunManifest, RunQuestion } from '../../stores/runs/run-store.js';
import { needsJudge } from './judge-task.js';
import type { KnownMetrics } from './run-metrics.js';
import { passagesOrFailure, refsRead, scoreInRun } from './score-result.js';

/**
 * A function that returns the texts of passages that a run has read, by id; missing passages are
 * left out.
 */
export type TextsOf = (
  run: RunManifest,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, string>>;

interface RescoredAnswer {
  answer: RunAnswer;
  /** Reasons for the scores that stay as they were, by metric. */
  kept: Record<string, string>;
  /** Whether the judge must be asked, because there is no verdict or an outdated one. */
  toJudge: boolean;
}

/**
 * Returns an `answer` with its scores computed again, as `kept` the reasons for the scores that
 * stay as they were, by metric, and as `toJudge` whether the judge must be asked again. Does not
 * store the answer.
 *
 * A score stays as it was if its passages are gone or its metric is not known here. Judged scores
 * stay until the judge has been asked again.
 *
 * @param manifest The manifest by which the run is scored from now on.
 * @param question The question with its current gold answers.
 */
export async function rescoreAnswer(
  before: RunAnswer,
  question: RunQuestion,
  manifest: RunManifest,
  { texts, ...known }: KnownMetrics & { texts: TextsOf },
): Promise<RescoredAnswer> {
  const { unscored: _, retrieval, gold: ranked, judgement, chainScores, ...answer } = before;
  const { result } = answer;
  const refs = refsRead(result, known.methods);
  const ids = refs.map(({ id }) => id);
  const found = ids.length === 0 ? [] : passagesOrFailure(refs, await texts(manifest, ids));
  const { applying, read, scored } = scoreInRun(manifest.input, question, result, {
    ...known,
    found,
    calls: () => callsOf(before),
  });
  const isGone = read !== undefined && 'gone' in read;
  const toJudge = needsJudge(manifest, question, before, { ...known, applying });
  const { verdicts } = judgement ?? {};
  const verdict = verdicts && !toJudge ? scoreJudged(applying.judged, verdicts) : undefined;
  const reasons = { ...scored.unscored, ...verdict?.unscored };
  const had = { ...answer.scores, ...chainScores, ...judgement?.scores };
  const isKnown = (name: string) =>
    known.metrics.has(name) || applying.chain.some((metric) => metric.name === name);
  const kept = only(reasons, (name) => name in had && (isGone || !isKnown(name)));
  const unscored = only(reasons, (name) => !(name in kept));
  const scores = <T>(rescored: Record<string, T>, were: Record<string, T> = {}) => ({
    ...rescored,
    ...only(were, (name) => name in kept),
  });
  const values = scores(scored.chainScores ?? {}, chainScores);
  const stays = Object.keys(judgement?.scores ?? {}).some((name) => name in kept);
  // Without an answer the judge was not asked; see `scoreResult`.
  const base = scored.judgement ?? (verdicts || stays ? judgement : undefined);
  const rescored = base && {
    ...base,
    scores: scores(verdict?.scores ?? scored.judgement?.scores ?? {}, judgement?.scores),
  };
  const judged = toJudge ? judgement : rescored;
  const passages = isGone ? retrieval : scored.retrieval;
  const gold = isGone ? ranked : scored.gold;
  return {
    answer: {
      ...answer,
      scores: scores(scored.scores, answer.scores),
      ...(Object.keys(values).length > 0 && { chainScores: values }),
      ...(Object.keys(unscored).length > 0 && { unscored }),
      ...(passages && { retrieval: passages }),
      ...(gold && { gold }),
      ...(judged && { judgement: judged }),
    },
    kept,
    toJudge,
  };
}

function only<T>(of: Record<string, T>, isWanted: (name: string) => boolean): Record<string, T> {
  return Object.fromEntries(Object.entries(of).filter(([name]) => isWanted(name)));
}
