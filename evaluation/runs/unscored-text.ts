/** Answers that have no score in metrics of somebody's own, as people read it. Pure. */
import type { RunMetric, Unscored } from '../../core/run/run.js';
import { inOrder } from './metrics.js';
import { count } from './numbers.js';

/** A line a metric, in the order shown: "Tone: 2 answers have no score (no verdict in: "Well.")" */
export function unscoredTexts(
  unscored: Readonly<Record<string, Unscored>> = {},
  own: readonly RunMetric[] = [],
): string[] {
  return inOrder(Object.keys(unscored), own).map(({ metric, title }) => {
    const { questions = 0, example = '' } = unscored[metric] ?? {};
    const answers = questions === 1 ? '1 answer has' : `${count(questions)} answers have`;
    return `${title}: ${answers} no score (${example})`;
  });
}
