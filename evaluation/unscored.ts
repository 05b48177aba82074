/** Why an answer has no score in metrics of its run. Pure. */
import type { JudgeVerdicts, RunAnswer } from '../stores/runs/run-store.js';
import type { Reasons } from './score-answer.js';

/** Returns the reasons of missing scores by metric, of scorers and of rubrics without a verdict. */
export function unscoredOf({
  unscored,
  judgement,
}: Pick<RunAnswer, 'unscored' | 'judgement'>): Reasons {
  return { ...unscored, ...withoutVerdict(judgement?.verdicts?.rubrics) };
}

/** Returns the reasons for rubrics whose verdict could not be read. */
export function withoutVerdict(rubrics: JudgeVerdicts['rubrics'] = []): Reasons {
  const unread = rubrics.filter(({ score }) => score === null);
  return Object.fromEntries(
    unread.map(({ metric, said }) => [
      metric,
      `no verdict in: ${JSON.stringify(said.slice(0, 200))}`,
    ]),
  );
}
