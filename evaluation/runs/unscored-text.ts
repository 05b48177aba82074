/** Writes notes on answers without a score in a metric, or with an old score. Pure. */
import type { RunMetric, UnscoredAnswers } from '../../core/run/run.js';
import { metricsInOrder } from './metrics.js';
import { count } from './number-text.js';

type ByMetric = Readonly<Record<string, UnscoredAnswers>>;

/**
 * Returns a note for each metric in which answers have no score, in the order in which metrics are
 * shown: "Tone: 2 answers have no score (no verdict in: "Well.")".
 *
 * @param own Custom metrics of the run, for their titles.
 */
export function unscoredTexts(unscored: ByMetric = {}, own?: readonly RunMetric[]): string[] {
  return texts(unscored, own, ['has no score', 'have no score']);
}

/**
 * Returns a note for each metric in which answers kept an old score when the run was scored again,
 * in the order in which metrics are shown.
 *
 * @param own Custom metrics of the run, for their titles.
 */
export function keptTexts(kept: ByMetric, own?: readonly RunMetric[]): string[] {
  return texts(kept, own, ['keeps its score from before', 'keep their scores from before']);
}

function texts(
  counted: ByMetric,
  own: readonly RunMetric[] = [],
  [one, several]: readonly [string, string],
): string[] {
  return metricsInOrder(Object.keys(counted), own).map(({ metric, title }) => {
    const { questions = 0, example = '' } = counted[metric] ?? {};
    const answers = questions === 1 ? `1 answer ${one}` : `${count(questions)} answers ${several}`;
    return `${title}: ${answers} (${example})`;
  });
}
