/** Texts about answers without a score in a metric, or with an old one. Pure. */
import type { RunMetric, UnscoredAnswers } from '../../core/run/run.js';
import { inOrder } from './metrics.js';
import { count } from './number-text.js';

type ByMetric = Readonly<Record<string, UnscoredAnswers>>;

/** A line a metric, in the order shown: "Tone: 2 answers have no score (no verdict in: "Well.")" */
export function unscoredTexts(unscored: ByMetric = {}, own?: readonly RunMetric[]): string[] {
  return texts(unscored, own, ['has no score', 'have no score']);
}

/** Returns the same for answers that kept a score when their run was scored again. */
export function keptTexts(kept: ByMetric, own?: readonly RunMetric[]): string[] {
  return texts(kept, own, ['keeps its score from before', 'keep their scores from before']);
}

function texts(
  counted: ByMetric,
  own: readonly RunMetric[] = [],
  [one, several]: readonly [string, string],
): string[] {
  return inOrder(Object.keys(counted), own).map(({ metric, title }) => {
    const { questions = 0, example = '' } = counted[metric] ?? {};
    const answers = questions === 1 ? `1 answer ${one}` : `${count(questions)} answers ${several}`;
    return `${title}: ${answers} (${example})`;
  });
}
