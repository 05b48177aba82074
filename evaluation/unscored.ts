/** Why an answer has no score in metrics of its run. Pure. */
import type { JudgeVerdicts, RunAnswer } from '../stores/runs/run-store.js';
import type { Reasons } from './score-answer.js';

/** By metric, those of scorers and those that the judge gave no verdict by. */
export function unscoredOf({
  unscored,
  judgement,
}: Pick<RunAnswer, 'unscored' | 'judgement'>): Reasons {
  return { ...unscored, ...withoutVerdict(judgement?.verdicts?.rubrics) };
}

/** Rubrics by which the judge said nothing that could be read. */
export function withoutVerdict(rubrics: JudgeVerdicts['rubrics'] = []): Reasons {
  const unread = rubrics.filter(({ score }) => score === null);
  return Object.fromEntries(
    unread.map(({ metric, said }) => [
      metric,
      `no verdict in: ${JSON.stringify(said.slice(0, 200))}`,
    ]),
  );
}
