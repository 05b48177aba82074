/** Collects the reasons why an answer has no score in some metrics of its run. Pure. */
import type { JudgeVerdicts, RunAnswer } from '../stores/runs/run-store.js';
import type { UnscoredReasons } from './score-answer.js';

/**
 * Returns the reasons why an answer has no score, by metric, for metrics that failed and rubrics
 * whose verdict could not be read.
 */
export function unscoredReasons({
  unscored,
  judgement,
}: Pick<RunAnswer, 'unscored' | 'judgement'>): UnscoredReasons {
  return { ...unscored, ...rubricReasons(judgement?.verdicts?.rubrics) };
}

/**
 * Returns the reasons, by metric, for rubrics whose verdict could not be read; they quote up to 200
 * characters of the judge's reply.
 */
export function rubricReasons(rubrics: JudgeVerdicts['rubrics'] = []): UnscoredReasons {
  const unread = rubrics.filter(({ score }) => score === null);
  return Object.fromEntries(
    unread.map(({ metric, reply }) => [
      metric,
      `no verdict in: ${JSON.stringify(reply.slice(0, 200))}`,
    ]),
  );
}
