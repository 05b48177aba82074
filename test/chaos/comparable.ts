/** What has to be the same in a run that was disturbed. */
import type { RunAnswer } from '../../stores/runs/run-store.js';

/** An answer without what may differ: when it was given, and how often it was asked again. */
export function comparable(answer: RunAnswer | undefined) {
  if (!answer?.result) return answer;
  const { result, scores, retrieval } = answer;
  const { outcome, answer: text, evidence, chain } = result;
  return { id: answer.id, outcome, text, evidence, chain, scores, retrieval };
}
