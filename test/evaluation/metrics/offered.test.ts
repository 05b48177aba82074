/** The metrics that ship, and which runs have them. */
import { expect, it } from 'vitest';
import { OPTIONAL_METRICS } from '../../../evaluation/metrics/optional-metrics.js';
import { chosenMetrics, metricRegistry } from '../../../evaluation/metrics/registry.js';
import { applicableMetrics } from '../../../evaluation/score-answer.js';

const metrics = metricRegistry();

it('belongs to a run that names it, and to no other', () => {
  expect(chosenMetrics({}, metrics)).toEqual([]);
  expect(chosenMetrics({ judge: 'j' }, metrics)).toEqual([]);
  const named = ['llmAccuracy'];
  const chosen = chosenMetrics({ metrics: named, judge: 'j' }, metrics);
  expect(chosen.map(({ name }) => name)).toEqual(named);
  expect(() => chosenMetrics({ metrics: named }, metrics)).toThrow('"llmAccuracy" needs a judge');
  expect(() => metricRegistry([...OPTIONAL_METRICS])).toThrow(
    'There is a built-in metric "llmAccuracy"',
  );
});

it.each([
  ['span', ['Bell'], true],
  ['boolean', ['yes'], true],
  ['list', ['Nile', 'Congo'], true],
  ['long', ['A text.'], false],
  ['span', [], false],
] as const)('LLM accuracy of %s %j: %s', (answerKind, answers, applies) => {
  const question = { id: 'q', question: 'Who?', answerKind, answers: [...answers] };
  const run = { metrics: ['llmAccuracy'], judge: 'j', cites: false };
  const { judged } = applicableMetrics(question, run, metrics);
  expect(judged.some(({ name }) => name === 'llmAccuracy')).toBe(applies);
});
