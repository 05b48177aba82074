/** What an answer scores in the metrics that every run has. */

import type { ScoredQuestion } from '../../core/metric.js';
import type { Outcome } from '../../core/result.js';
import { metricRegistry } from '../../evaluation/metrics/registry.js';
import { applicableMetrics, scoreEnded } from '../../evaluation/score-answer.js';

type Reference = Omit<ScoredQuestion, 'id' | 'question'>;
type Ended = { answer: string } | Exclude<Outcome, 'answered'>;

export function builtInScores(reference: Reference, ended: Ended): Record<string, number> {
  const question = { id: 'q', question: 'Which?', ...reference };
  const { scorers } = applicableMetrics(question, { cites: false }, metricRegistry());
  const given =
    typeof ended === 'string'
      ? ended
      : { question, ...ended, chain: null, passages: [], calls: [] };
  return scoreEnded(scorers, question, given).scores;
}
