/** Scores an answer that is kept again, without asking anything. */

import { Failure } from '../../core/failure.js';
import { scoreJudged } from '../../evaluation/score-answer.js';
import type { RunAnswer, RunManifest, RunQuestion } from '../../stores/runs/run-store.js';
import { applyingInRun, isToJudge, type Known } from './judge-task.js';
import { readOf, scoreResult } from './score-result.js';

/** Texts of a run's passages by id, of those there are. */
export type TextsOf = (
  run: RunManifest,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, string>>;

export interface RescoredAnswer {
  answer: RunAnswer;
  /** By metric why the score stays as it was. */
  kept: Record<string, string>;
  /** The judge is to be asked: until then the answer has no verdict, or an outdated one. */
  toJudge: boolean;
}

/**
 * Returns the answer with the scores that its run gives it now. A score that cannot be told any
 * more, because the passages are gone or the metric is not known here, stays as it was; and so does
 * what was judged until the judge has been asked anew.
 *
 * @param manifest As the run is scored from now on.
 * @param question With the gold answers that it has now.
 */
export async function rescoreAnswer(
  before: RunAnswer,
  question: RunQuestion,
  manifest: RunManifest,
  { texts, ...known }: Known & { texts: TextsOf },
): Promise<RescoredAnswer> {
  const { unscored: _, retrieval, judgement, ...answer } = before;
  const { result } = answer;
  const applying = applyingInRun(manifest.input, question, known);
  const read = await readOf(result, known.methods, async (refs) => {
    const ids = refs.map(({ id }) => id);
    const found = ids.length === 0 ? new Map<string, string>() : await texts(manifest, ids);
    return refs.map(({ id, title }) => {
      const text = found.get(id);
      if (text !== undefined) return { id, title, text };
      throw new Failure('UnknownPassage', `The passage ${id} is no longer there.`);
    });
  });
  const isGone = read !== undefined && 'gone' in read;
  const scored = scoreResult(question, result, applying, read);
  const toJudge = isToJudge(manifest, question, before, known);
  const { verdicts } = judgement ?? {};
  const found = verdicts && !toJudge ? scoreJudged(applying.judged, verdicts) : undefined;
  const reasons = { ...scored.unscored, ...found?.unscored };
  const had = { ...answer.scores, ...judgement?.scores };
  const kept = only(reasons, (name) => name in had && (isGone || !known.metrics.has(name)));
  const unscored = only(reasons, (name) => !(name in kept));
  const scores = (now: Record<string, number>, were: Record<string, number> = {}) => ({
    ...now,
    ...only(were, (name) => name in kept),
  });
  const stays = Object.keys(judgement?.scores ?? {}).some((name) => name in kept);
  // Without an answer nothing was asked: see `scoreResult`.
  const base = scored.judgement ?? (verdicts || stays ? judgement : undefined);
  const rescored = base && {
    ...base,
    scores: scores(found?.scores ?? scored.judgement?.scores ?? {}, judgement?.scores),
  };
  const judged = toJudge ? judgement : rescored;
  const passages = isGone ? retrieval : scored.retrieval;
  return {
    answer: {
      ...answer,
      scores: scores(scored.scores, answer.scores),
      ...(Object.keys(unscored).length > 0 && { unscored }),
      ...(passages && { retrieval: passages }),
      ...(judged && { judgement: judged }),
    },
    kept,
    toJudge,
  };
}

function only<T>(of: Record<string, T>, isWanted: (name: string) => boolean): Record<string, T> {
  return Object.fromEntries(Object.entries(of).filter(([name]) => isWanted(name)));
}
