/** Which prompts, steps and settings of a worker are part of what a run is. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { identifyRun } from '../../../activities/run/identify-run.js';
import { checkFit } from '../../../activities/run/run-fit.js';
import { manifestOfRun } from '../../../activities/run/run-of.js';
import { createPromptLibrary } from '../../../activities/runtime/prompts.js';
import { unanswered } from '../../../core/result.js';
import { experimentKey, runDifferences } from '../../../evaluation/runs/run-identity.js';
import { methodRegistry, methods } from '../../../interpreters/methods.js';
import { defineStep, promptsOf } from '../../../steps/define.js';
import { verdict } from '../../../steps/outputs/choice.js';
import { ownSteps } from '../../../steps/own-steps.js';
import { modelSteps } from '../../../steps/table.js';
import { packageRoot } from '../../../stores/package-root.js';
import { defineMethod } from '../../../workflows/define-method.js';
import { ownMethod } from '../../support/own-method.js';
import { bell, setUp } from './support.js';

const shipped = readdirSync(join(packageRoot(), 'prompts')).map((file) => file.slice(0, -4));
const every = createPromptLibrary();

/** A run of these settings that was opened, and its worker once this prompt was edited. */
async function opened(changes: object) {
  const { open, ports, input } = await setUp([bell], changes);
  await open();
  const manifest = await ports.runs.manifest('r');
  if (!manifest) throw new Error('The run was not opened.');
  const hashes = async () => ({ ...(await every.hashes('default')), ...edited });
  let edited = {};
  return {
    manifest,
    open,
    ports,
    edit(file: string) {
      edited = { [file]: 'edited' };
      ports.prompts = { ...ports.prompts, hashes };
    },
    fits: () => checkFit(manifest, ports),
    identify: () => identifyRun(input, ports),
  };
}

it('knows a step for every shipped prompt, and a prompt for every step', () => {
  const asked = Object.values(modelSteps).flatMap((step) => promptsOf<never, unknown>(step));
  expect([...new Set([...asked, 'passages', 'schema'])].sort()).toEqual(shipped.sort());
});

it.each([
  ['sure', {}, ['generate-candidates', 'validate', 'passages'], ['read', 'judge-claim']],
  ['base', { judge: 'm' }, ['read', 'judge-claim', 'list-with-citations'], ['validate']],
  ['genread', {}, ['generate-document-10', 'read-background-2'], ['take-notes']],
])('of a run of %s %j are those that it reads', async (method, more, reads, others) => {
  const { manifest } = await opened({ method, ...more });
  const names = Object.keys(manifest.prompts);
  expect(names).toEqual(expect.arrayContaining(reads.map((name) => `${name}.txt`)));
  for (const other of others) expect(names).not.toContain(`${other}.txt`);
});

it('goes on, and stays itself, where another prompt of its set is edited', async () => {
  const { edit, fits, identify, open } = await opened({ method: 'sure' });
  const { contents } = await identify();
  edit('read.txt');
  await fits();
  await open();
  expect(await identify()).toEqual({ contents, metrics: [], differences: [] });

  edit('validate.txt');
  await expect(fits()).rejects.toMatchObject({ type: 'RunMismatch' });
  await expect(open()).rejects.toThrow(/prompts\.validate\.txt: "\w+" there, "edited" here/);
  expect((await identify()).contents).not.toBe(contents);
});

it('waits where a worker cannot read its prompts', async () => {
  const { fits, ports } = await opened({ method: 'sure' });
  const none = createPromptLibrary();
  ports.prompts = { ...ports.prompts, hashes: () => none.hashes('mine') };
  await expect(fits()).rejects.toMatchObject({
    type: 'RunMismatch',
    message: expect.stringMatching(/ What differs: .*the worker has no prompt set "mine"/),
  });
});

it('asks no step that its method does not name', () => {
  for (const [name, { steps }] of Object.entries(methods)) {
    expect(Object.keys(modelSteps), name).toEqual(expect.arrayContaining([...steps]));
  }
});

/** A step of one's own with these settings, as a worker has it. */
function ownStep(changes: object = {}) {
  const step = defineStep<{ question: string }, boolean>({
    name: 'secondLook',
    prompt: { name: 'second-look', text: '{{question}}' },
    maxTokens: 16,
    variables: ({ question }) => ({ question }),
    output: verdict('Yes'),
    fallback: () => false,
    ...changes,
  });
  return ownSteps([step]).steps;
}

const lookTwice = defineMethod({
  name: 'lookTwice',
  options: {},
  algorithm: async () => unanswered('unknown', [], null),
});

it.each([
  ['token limit', { maxTokens: 32 }],
  ['type of output', { output: verdict('True') }],
  ['fallback', { fallback: () => true }],
])('waits where the %s of a step of one’s own changes in its middle', async (_, edited) => {
  const methods = methodRegistry([lookTwice]);
  const parts = { methods, steps: ownStep() };
  const { open, ports } = await setUp([bell], { method: 'lookTwice' }, parts);
  await open();
  const fits = async () => checkFit(await manifestOfRun('r', ports.runs), ports);
  ports.steps = ownStep({ label: () => 'another line for people' });
  await fits();

  ports.steps = ownStep(edited);
  const line = /ownSteps\.secondLook: "\w{12}" there, "\w{12}" here/;
  await expect(fits()).rejects.toMatchObject({
    type: 'RunMismatch',
    message: expect.stringMatching(line),
  });
  await expect(open()).rejects.toThrow(line);
  await open({ acceptChange: true });
  await fits();
  const { changes } = await manifestOfRun('r', ports.runs);
  expect(changes).toMatchObject([{ differences: [expect.stringMatching(line)] }]);
});

/** A run of a method of one's own, whose file is then edited. */
async function begunWith(first: Parameters<typeof ownMethod>[0]) {
  const { method, ...parts } = await ownMethod(first);
  const { open, ports, input } = await setUp([bell], { method: 'readOnce' }, parts);
  await open();
  return {
    open,
    ports,
    version: method.code?.()?.version ?? '',
    manifest: () => manifestOfRun('r', ports.runs),
    fits: async (by?: 'judge') => checkFit(await manifestOfRun('r', ports.runs), ports, by),
    identify: () => identifyRun(input, ports),
    async edit(edited: Parameters<typeof ownMethod>[0]) {
      const { methods, steps, method } = await ownMethod(edited);
      Object.assign(ports, { methods, steps });
      return method.code?.()?.version;
    },
  };
}

it.each([
  ['method', { said: ' again' }, 'readOnce'],
  ['step', { maxTokens: 32 }, 'secondLook'],
])(
  'waits where the code of a %s changes in its middle, and says which',
  async (_, edited, part) => {
    const { edit, fits, open, identify, manifest, version } = await begunWith({});
    await edit({ comment: '/** Another comment. */' });
    await fits();
    await open();

    const next = await edit(edited);
    const { differences } = await identify();
    expect(differences).toEqual([
      expect.stringMatching(`code\\.files\\.read-once\\.${part}: "\\w{12}" there, "\\w{12}" here`),
      `code.version: "${version}" there, "${next}" here`,
    ]);
    await expect(fits()).rejects.toMatchObject({
      type: 'RunMismatch',
      message: expect.stringContaining(differences.join('; ')),
    });
    // A judge reads what was answered.
    await fits('judge');
    await open({ acceptChange: true });
    await fits();
    expect(await manifest()).toMatchObject({ code: { version: next }, changes: [{ differences }] });
  },
);

it('goes on where the next version of its method continues it, and not with another one', async () => {
  const { edit, fits, open, manifest, identify, version } = await begunWith({});
  await edit({ said: ' again', continues: ['000000000000', version] });
  await fits();
  await open();
  expect((await identify()).differences).toEqual([]);
  expect(await manifest()).not.toHaveProperty('changes');
  await edit({ said: ' again', continues: ['000000000000'] });
  await expect(fits()).rejects.toMatchObject({ type: 'RunMismatch' });
});

it('is read and told from others without the code at hand', async () => {
  const { ports, manifest, version } = await begunWith({});
  ports.methods = methodRegistry();
  const kept = await manifest();
  expect(kept.code?.version).toBe(version);
  const { code: _, ...older } = kept;
  expect(runDifferences(kept, kept)).toEqual([]);
  expect(experimentKey(kept)).not.toBe(
    experimentKey({ ...kept, code: { version: 'x', files: {} } }),
  );
  expect(experimentKey(older)).toBe(experimentKey(older));
});

it('waits for a worker with the same endpoint and the same prices', async () => {
  const { open, ports } = await setUp([bell]);
  await open();
  const fits = async () => checkFit(await manifestOfRun('r', ports.runs), ports);
  const { llm } = ports;
  ports.llm = { ...llm, provider: 'elsewhere' };
  await expect(fits()).rejects.toThrow('provider: "scripted" there, "elsewhere" here');
  Object.assign(ports, { llm, prices: new Map() });
  await expect(fits()).rejects.toThrow('prices.scripted-1: {');
});

it('goes on where a step of one’s own changes that it does not ask', async () => {
  const { open, ports } = await setUp([bell], { method: 'sure' }, { steps: ownStep() });
  await open();
  ports.steps = ownStep({ maxTokens: 32 });
  await checkFit(await manifestOfRun('r', ports.runs), ports);
  await open();
});
