/** A run that changed on its way is told as its parts, never as one. */

import { expect, test } from 'vitest';
import { NO_USAGE } from '../../../core/usage.js';
import { comparisonText } from '../../../evaluation/runs/comparison-text.js';
import { evaluateRuns } from '../../../evaluation/runs/evaluate-runs.js';
import { checkUnchanged } from '../../../evaluation/runs/run-parts.js';
import type { RunManifest } from '../../../stores/runs/run-store.js';
import { answerOf, type Entry, questionOf, runOf, stepUsage } from '../../support/runs/answers.js';
import { reportOf } from '../../support/runs/report-of.js';

/** A run of so many questions: what each was asked with, when it began, and whether it was right. */
function asked(
  answers: readonly { prompt: string; at?: string; right: boolean }[],
  rest: Partial<RunManifest> = {},
) {
  const entries = answers.map(({ prompt, at, right }, i): Entry => {
    const result = { steps: { read: stepUsage({ prompts: [`frame+${prompt}`] }) } };
    const scores = { em: right ? 1 : 0, f1: right ? 1 : 0 };
    const startedAt = at ?? '2026-11-20T08:00:00.000Z';
    return [questionOf(`q${i}`), answerOf(`q${i}`, 'answered', scores, { result, startedAt })];
  });
  const run = runOf('r', entries);
  const prompts = { 'passages.txt': 'frame', 'read.txt': 'new' };
  return { ...run, manifest: { ...run.manifest, prompts, ...rest } };
}

const at = '2026-11-20T09:00:00.000Z';
const change = {
  at,
  answered: 2,
  differences: ['prompts.read.txt: "old" there, "new" here'],
  prompts: { 'passages.txt': 'frame', 'read.txt': 'old' },
};

test('a run of one piece is itself', async () => {
  const whole = asked([
    { prompt: 'new', right: true },
    { prompt: 'new', right: false },
  ]);
  const { runs, notes } = await evaluateRuns([whole]);
  expect(runs.map(({ manifest }) => manifest.run)).toEqual(['r']);
  expect(notes).toEqual([]);
  await checkUnchanged(whole);
});

test('what questions took that were cancelled is of the part that they were asked in', async () => {
  const stopped = ['08', '10'].map((hour, i) => ({
    startedAt: `2026-11-20T${hour}:00:00.000Z`,
    usage: { ...NO_USAGE, costUsd: 0.1 * (i + 1) },
    judge: NO_USAGE,
  }));
  const mixed = asked(
    [
      { prompt: 'old', right: false },
      { prompt: 'new', right: true, at: '2026-11-20T10:00:01.000Z' },
    ],
    { changes: [change], stopped },
  );
  const { runs } = await evaluateRuns([mixed]);
  expect(runs.map(({ earlier }) => earlier.costUsd)).toEqual([0.1, 0.2]);
});

test('an accepted change parts a run, in compare and in the report', async () => {
  const later = '2026-11-20T09:30:00.000Z';
  const mixed = asked(
    [
      { prompt: 'old', right: false },
      { prompt: 'old', right: false },
      { prompt: 'new', right: true, at: later },
    ],
    { changes: [change] },
  );
  const evaluation = await evaluateRuns([mixed]);
  const [first, second] = evaluation.runs;
  expect(evaluation.runs.map(({ manifest, ended }) => [manifest.run, ended])).toEqual([
    ['r, part 1 of 2', 2],
    ['r, part 2 of 2', 1],
  ]);
  expect(first?.manifest.prompts['read.txt']).toBe('old');
  expect(second?.metrics.find(({ metric }) => metric === 'em')?.all?.mean).toBe(1);
  const text = comparisonText(evaluation, 200);
  expect(text).toContain('without figures for the whole run');
  expect(text).toContain('r, part 1 of 2: 2 answers, as the run was started.');
  expect(text).toContain(`1 answers, since ${at} with prompts.read.txt: "old" there`);
  expect(text).not.toMatch(/The same experiment twice/);

  expect(await reportOf([mixed])).toContain('r, part 2 of 2');
  // A gate compares with one run.
  await expect(checkUnchanged(mixed)).rejects.toMatchObject({
    type: 'BadInput',
    message: expect.stringMatching(/"r" was changed on its way.*part 1 of 2: 2 answers/),
  });
});

test('the report says of each part by which code and builds it was answered', async () => {
  const codeOf = (version: string) => ({ version, files: {} });
  const one = [
    { prompt: 'new', right: false },
    { prompt: 'new', right: true, at: '2026-11-20T10:00:01.000Z' },
  ];
  const mixed = asked(one, {
    changes: [{ ...change, code: codeOf('aaaa1') }],
    code: codeOf('bbbb2'),
  });
  const { runs } = await evaluateRuns([mixed]);
  expect(runs.map(({ manifest }) => manifest.code?.version)).toEqual(['aaaa1', 'bbbb2']);
  const html = await reportOf([mixed]);
  const rows = [...html.matchAll(/code of the method<\/(?:th|dt)>(.*?)<\/(?:tr|dd)>/gs)];
  expect(rows.flatMap(([, row]) => row?.match(/aaaa1|bbbb2/g))).toEqual(['aaaa1', 'bbbb2']);
  // Begun with a method that does not say where its code is.
  const [first] = (await evaluateRuns([asked(one, { changes: [change], code: codeOf('b') })])).runs;
  expect(first?.manifest).not.toHaveProperty('code');
});

test('prompts that the manifest does not have part it as well, though nobody accepted them', async () => {
  const mixed = asked([
    { prompt: 'new', right: true },
    { prompt: 'edited', right: false },
    { prompt: 'edited', right: false },
  ]);
  const { runs, notes } = await evaluateRuns([mixed]);
  expect(runs.map(({ ended }) => ended)).toEqual([1, 2]);
  expect(notes.join()).toContain('with prompts that are not in its manifest');
  // All of one kind is one run, whatever its manifest says.
  expect((await evaluateRuns([asked([{ prompt: 'edited', right: true }])])).runs).toHaveLength(1);
});
