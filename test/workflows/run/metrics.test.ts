/** A run with metrics of one's own: scored, judged by rubrics, shown and reported. */

import { expect, it } from 'vitest';
import { createPromptLibrary } from '../../../activities/runtime/prompts.js';
import { renderProgress } from '../../../cli/run/render-progress.js';
import { Failure } from '../../../core/failure.js';
import { defineMetric } from '../../../core/metric.js';
import { metricRegistry } from '../../../evaluation/metrics/registry.js';
import { comparisonText } from '../../../evaluation/runs/comparison-text.js';
import { evaluateRuns } from '../../../evaluation/runs/evaluate-runs.js';
import { exportRun } from '../../../evaluation/runs/export-line.js';
import { openRuns } from '../../../evaluation/runs/run-source.js';
import { registeredSteps } from '../../../steps/rubric.js';
import { contentStore } from '../../../stores/content-store.js';
import { MemoryStore } from '../../../stores/memory-store.js';
import { setUpRun } from '../../support/run.js';
import { reportOf } from '../../support/runs/report-of.js';

const brief = defineMetric({
  name: 'brief',
  title: 'Brief',
  score: ({ question, answer }) => {
    if (question.question.includes('number 2?')) throw new TypeError('No ruler.');
    return answer.length <= 4;
  },
});
const polite = defineMetric({
  from: 'rubric',
  name: 'polite',
  title: 'Politeness',
  prompt: {
    name: 'polite',
    text: 'Said: {{answer}}. Should be: {{goldAnswers}}. Polite, 1 to 5?\n{{question}}',
  },
  scale: { from: 1, to: 5 },
});

/** Of five questions: 0 and 1 right, 2 with a scorer that throws, 3 unknown, 4 failed. */
const answers = (number: number) =>
  ['Bell', 'Alexander', 'Bell', 'unknown', new Failure('ContentRefused', 'No.')][number] ?? 'Bell';

it('scores every answer, asks each rubric once, and tells of them wherever scores are told', async () => {
  const verdicts = ['5', 'Well.', '2'];
  const own = registeredSteps({ metrics: [brief, polite] });
  const { client, spec, model, harness } = await setUpRun(
    5,
    (number, step) => (step === 'polite' ? (verdicts[number] ?? '') : answers(number)),
    { judge: 'judge-1' },
    undefined,
    {
      metrics: metricRegistry([brief, polite]),
      steps: own.steps,
      prompts: createPromptLibrary(undefined, own.prompts, contentStore(new MemoryStore())),
    },
  );
  const { runs } = harness.ports;
  const sources = () => openRuns(runs, [spec.run]);
  const progress = await (await client.startRun(spec)).result();
  expect(progress).toMatchObject({
    outcomes: { answered: 3, unknown: 1, failed: 1 },
    scores: {
      // What is not answered counts 0; what could not be scored is missing.
      brief: { questions: 4, sum: 1 },
      polite: { questions: 4, sum: 1.25 },
    },
    unscored: {
      brief: { questions: 1, example: 'TypeError: No ruler.' },
      polite: { questions: 1, example: 'no verdict in: "Well."' },
    },
    metrics: [
      { name: 'brief', title: 'Brief', headline: true },
      { name: 'polite', title: 'Politeness', headline: true, judged: true },
    ],
    // Two verdicts, and one asked three times; none of it is in the usage of the questions.
    judge: { usage: { calls: 5, costUsd: 0.005 }, failed: 0 },
    usage: { calls: 4 },
  });
  expect(model.asked.filter((number) => number === 0)).toHaveLength(2);
  expect(renderProgress(progress, undefined).join('\n')).toMatch(
    /EM .*Brief 25\.0 % .*Politeness 31\.3 % .*Brief: 1 answer has no score \(TypeError: No ruler\.\)/s,
  );

  expect(await runs.get(spec.run, 'n/1')).toMatchObject({
    scores: { em: 0, brief: 0 },
    judgement: {
      scores: {},
      verdicts: {
        statements: null,
        claims: null,
        rubrics: [{ metric: 'polite', score: null, reply: 'Well.' }],
        flags: expect.arrayContaining([expect.objectContaining({ kind: 'fallback' })]),
        steps: { polite: { calls: 3 } },
      },
    },
  });
  // The answer that was paid for is kept.
  expect(await runs.get(spec.run, 'n/2')).toMatchObject({
    result: { answer: 'Bell' },
    unscored: { brief: 'TypeError: No ruler.' },
    judgement: { verdicts: { rubrics: [{ score: 0.25, reply: '2' }] } },
  });

  const text = comparisonText(await evaluateRuns(await sources()), 200);
  expect(text).toMatch(/^Brief +25\.0/m);
  expect(text).toMatch(/^Politeness +31\.3/m);
  expect(text).toContain('Politeness: 1 answer has no score (no verdict in: "Well.")');
  const html = await reportOf(await sources());
  for (const title of ['Brief', 'Politeness']) {
    expect(html).toMatch(new RegExp(`<th scope="col"[^>]*>${title}(, %)?</th>`));
  }
  expect(html).toContain('1 answer has no score');
  const lines: object[] = [];
  for (const source of await sources()) {
    for await (const line of exportRun(source)) lines.push(JSON.parse(line));
  }
  expect(lines).toMatchObject([
    { metrics: { em: 1, brief: 1, polite: 1 } },
    { metrics: { brief: 0 }, unscored: { polite: 'no verdict in: "Well."' } },
    { metrics: { polite: 0.25 }, unscored: { brief: 'TypeError: No ruler.' } },
    { metrics: { brief: 0, polite: 0 } },
    { metrics: { brief: 0, polite: 0 } },
  ]);
});
