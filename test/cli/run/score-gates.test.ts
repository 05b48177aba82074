/** `eval --fail-below`: which scores pass, what is written, and how the command ends. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { type RunStatus, statusOfProgress } from '../../../cli/run/run-status.js';
import { checkGateMetrics, gateResults, reportScoreGates } from '../../../cli/run/score-gates.js';
import type { RunProgress } from '../../../core/run/run.js';
import { settingsOf } from '../../../core/run/run-settings.js';
import { NO_SUMS } from '../../../core/run/sums.js';
import { NO_USAGE } from '../../../core/usage.js';
import { packageRoot } from '../../../stores/package-root.js';
import { temporaryFolder } from '../../support/folder.js';
import { quietReporter } from '../../support/quiet-reporter.js';

const context = { reporter: quietReporter };

/** Of a run with as many right answers: 45 of 100 have the interval 35.6 to 54.8 %. */
function status(right: number, questions: number, more: Partial<RunProgress> = {}): RunStatus {
  const progress: RunProgress = {
    run: 'r',
    method: 'sure',
    state: 'finished',
    pause: null,
    settings: settingsOf({}),
    questions,
    running: 0,
    usage: NO_USAGE,
    startedAt: 0,
    ...NO_SUMS,
    done: questions,
    scores: { em: { questions, sum: right, sumOfSquares: right } },
    ...more,
  };
  return statusOfProgress(progress, true, '');
}

test.each([
  [{ em: 0.3 }, 0],
  [{ em: 0.4 }, 10],
  [{ em: 0.5 }, 10],
  [{ em: 0.6 }, 9],
  [{ em: 0.3, f1: 0.3 }, 10],
  [{ em: 0.6, f1: 0.3 }, 9],
])('45 of 100 right answers held against %j end with %i', async (least, code) => {
  expect(await reportScoreGates([status(45, 100)], { least }, 0, context)).toBe(code);
});

test('failed questions do not hide a gate, and a gate that passes does not hide them', async () => {
  expect(await reportScoreGates([status(45, 100)], { least: { em: 0.6 } }, 3, context)).toBe(9);
  expect(await reportScoreGates([status(45, 100)], { least: { em: 0.3 } }, 3, context)).toBe(3);
});

test('a run that is paused is not judged', async () => {
  const pause = { reason: 'budget', message: 'spent' };
  const paused = status(0, 50, { state: 'paused', pause } as Partial<RunProgress>);
  expect(await reportScoreGates([paused], { least: { em: 0.9 } }, 5, context)).toBe(5);
});

test('a metric that neither we nor the workers have is refused, and theirs is asked for alone', async () => {
  const ofWorkers = vi.fn(async () => ['tone']);
  await checkGateMetrics({ em: 0.3, citationF1: 0.3 }, ofWorkers);
  expect(ofWorkers).not.toHaveBeenCalled();
  await checkGateMetrics({ em: 0.3, tone: 0.5 }, ofWorkers);
  const refused = {
    type: 'BadInput',
    message: '--fail-below: there is no metric "tome"; did you mean tone?',
  };
  await expect(checkGateMetrics({ tome: 0.5 }, ofWorkers)).rejects.toMatchObject(refused);
  await expect(checkGateMetrics({ coverage: 0.5 }, ofWorkers)).rejects.toThrow(
    'no metric "coverage"',
  );
});

test('names the metrics that there are where one is not', () => {
  const [gate] = gateResults(status(45, 100), { precise: 0.2 });
  expect(gate).toMatchObject({ verdict: 'UNDECIDED' });
  expect(gate?.summary).toBe('no question has a score in precise; there are em');
});

test('the worst of several runs counts, and both summaries name each', async () => {
  const folder = await temporaryFolder();
  const [junit, markdown] = [join(folder, 'gate.xml'), join(folder, 'gate.md')];
  const runs = [status(90, 100, { run: 'good' }), status(10, 100, { run: 'bad' })];
  const gates = { least: { em: 0.5 }, junit, markdown };
  expect(await reportScoreGates(runs, gates, 0, context)).toBe(9);
  expect(await readFile(junit, 'utf8')).toContain('tests="2" failures="1" errors="0"');
  const text = await readFile(markdown, 'utf8');
  expect(text).toContain('| PASS | good: em at least 50.0 % |');
  expect(text).toContain('| FAIL | bad: em at least 50.0 % |');
});

/** What the workflow types is in the reference of the commands. */
test('the example for GitHub Actions is YAML that runs what there is', async () => {
  const read = (...path: string[]) => readFile(join(packageRoot(), ...path), 'utf8');
  const workflow = parse(await read('examples', 'github-actions', 'evaluate.yml'), {
    strict: true,
    uniqueKeys: true,
  });
  const { steps } = workflow.jobs.evaluate;
  for (const step of steps) {
    expect(Object.keys(step).filter((key) => key === 'uses' || key === 'run')).toHaveLength(1);
  }
  const [line] = steps.flatMap(({ run = '' }) => (run.includes('durable-rag eval') ? [run] : []));
  const reference = await read('docs', 'reference', 'commands.md');
  for (const flag of line.match(/--[a-z-]+/g)) expect(reference).toContain(`\`${flag} <`);
});
