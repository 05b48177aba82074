/** Workers of a new version in the middle: questions stay with theirs, runs and studies move. */
import { expect, inject, it } from 'vitest';
import { buildIdOf } from '../../workers/workflow-bundle.js';
import { startHarness } from '../support/harness.js';
import { handleOf } from '../support/history.js';
import { memoryRuns } from '../support/memory-runs.js';
import { gate, setUpRun, soon } from '../support/run.js';

/** More than the first round of a study has. */
const QUESTIONS = 21;
/** Under way when the new version comes. */
const HELD = 3;

/** SuRe with one step more, in its middle. */
function codeOfNextVersion(): string {
  const now = inject('workflowBundle');
  const next = now.replace(
    'const judged = await judgeCandidates(',
    'await asked.step.summarize({ question: asked.question, passages, candidates: [...candidates].reverse(), k: 0 });\n    const judged = await judgeCandidates(',
  );
  expect(next).not.toBe(now);
  // What the bundle says of its version is that of the code before.
  return next.replace(/\n\/\/# durableRag=.*/, '');
}

function say(step: string): string {
  if (step === 'generateCandidates') return '(a) Bell, (b) Gray';
  if (step === 'validate') return 'True';
  return step === 'rankPair' ? 'Passage 1' : 'Bell was granted it. [DONE]';
}

it('answers every question with the version that it began with, and none is stuck', async () => {
  const held = gate();
  const runs = memoryRuns();
  const { spec, harness, client, model } = await setUpRun(
    QUESTIONS,
    async (number, step) => {
      if (step === 'read' || (number < HELD && step === 'validate')) await held.opened;
      return say(step);
    },
    { method: 'sure', options: {}, concurrency: HELD + 1 },
    undefined,
    { runs },
    { versioned: true },
  );
  const { taskQueue, ports } = harness;
  const [first, second] = await Promise.all(
    [inject('workflowBundle'), codeOfNextVersion()].map((code) => buildIdOf({ code })),
  );
  await client.promoteVersion();
  expect((await client.describeDeployment()).current).toBe(first);

  const handle = await client.startRun(spec);
  // All questions of its first round are under way when the new version comes.
  const study = await client.study({
    ...{ name: spec.run, methods: [{ base: { passages: 0 } }] },
    datasets: [{ stored: spec.dataset, as: 'numbers' }],
  });
  await soon(async () => expect((await handle.progress()).done).toBeGreaterThan(2));
  // Whatever time the next version takes, there are questions left for it.
  await handle.pause();
  await startHarness(model, ports, {
    taskQueue,
    versioned: true,
    code: codeOfNextVersion(),
  });
  expect(await client.promoteVersion(second)).toBe(second);
  await handle.resume();
  // The run has moved: what it begins from now on is of the new version.
  await soon(async () => {
    const { versions } = await client.describeDeployment();
    expect(versions).toMatchObject([
      { build: second, state: 'current' },
      { build: first, state: 'draining' },
    ]);
    expect(versions[0]?.open).toBeGreaterThan(0);
  });
  held.open();

  const progress = await handle.result();
  expect(progress).toMatchObject({
    done: QUESTIONS,
    outcomes: { answered: QUESTIONS, unknown: 0, unreadable: 0, failed: 0 },
  });
  expect(await handle.stuck()).toEqual([]);
  expect((await study.result()).runs).toMatchObject([{ state: 'finished', done: QUESTIONS }]);
  const { raw } = await handleOf(harness.connection, `study/${spec.run}`).describe();
  const movedTo = raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion;
  expect(movedTo?.buildId).toBe(second);
  const byBuild = new Map<string | undefined, number[]>();
  for (let number = 0; number < QUESTIONS; number++) {
    const result = (await runs.get(spec.run, `n/${number}`))?.result;
    expect(result?.answer).toBe('Bell');
    // One call more with the new version: no question was half of each.
    expect(result?.usage.calls).toBe(result?.build === first ? 7 : 8);
    byBuild.set(result?.build, [...(byBuild.get(result?.build) ?? []), number]);
  }
  expect(new Set(byBuild.keys())).toEqual(new Set([first, second]));
  expect(byBuild.get(first)).toEqual(expect.arrayContaining([0, 1, 2]));

  await soon(async () => {
    const { versions } = await client.describeDeployment();
    expect(versions[1]).toMatchObject({ build: first, state: 'drained', open: 0 });
  });
});
