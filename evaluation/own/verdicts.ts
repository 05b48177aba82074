/** What rubrics gave an answer, and why it has no score in metrics of somebody's own. Pure. */
import type { JudgeVerdicts, RubricVerdict, RunAnswer } from '../../results/run-store.js';
import type { Reasons } from './score.js';

/** By metric, those of scorers and of rubrics. */
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

/** By metric; those that could be read. */
export function verdictScores(rubrics: readonly RubricVerdict[]): Record<string, number> {
  return Object.fromEntries(
    rubrics.flatMap(({ metric, score }) => (score === null ? [] : [[metric, score]])),
  );
}
