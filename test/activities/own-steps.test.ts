import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  createModelActivities,
  createQuestionActivities,
  refuseTakenNames,
} from '../../activities/index.js';
import type { Ports } from '../../activities/runtime/ports.js';
import { createPromptLibrary } from '../../activities/runtime/prompts.js';
import { unanswered } from '../../core/result.js';
import { JOBS, methodRegistry } from '../../interpreters/methods.js';
import { defineStep } from '../../steps/define.js';
import { shortAnswer } from '../../steps/outputs/short-answer.js';
import { ownSteps, RESERVED_STEP_NAMES } from '../../steps/own-steps.js';
import { defineMethod } from '../../workflows/define-method.js';
import * as jobs from '../../workflows/jobs.js';
import { temporaryFolder } from '../support/folder.js';

const step = (name: string, prompt = { name: 'own-prompt', text: 'Say {{word}}.' }) =>
  defineStep<{ word: string }, string>({
    name,
    prompt,
    maxTokens: 8,
    variables: ({ word }) => ({ word }),
    output: shortAnswer(),
    fallback: () => '',
  });

it('gives a worker the step and its prompt by name', () => {
  const { steps, prompts } = ownSteps([step('echo')]);
  expect(prompts).toEqual({ 'own-prompt': 'Say {{word}}.' });
  expect(steps.echo).toMatchObject({ prompt: { name: 'own-prompt' }, maxTokens: 8 });
  expect(step('echo').label({ word: 'a' })).toBe('');
});

it('refuses names that are taken', () => {
  expect(() => ownSteps([step('read')])).toThrow(/two steps named "read"; rename yours/);
  expect(() => ownSteps([step('a'), step('a')])).toThrow(/two steps named "a"/);
  const other = step('b', { name: 'own-prompt', text: 'Other.' });
  expect(() => ownSteps([step('a'), other])).toThrow(/two prompts named "own-prompt"/);
  expect(() => createPromptLibrary(undefined, { read: 'x' })).toThrow(/a prompt "read" already/);
  for (const name of ['sure', 'judgeAnswer']) {
    const algorithm = async () => unanswered('unknown', [], null);
    const method = defineMethod({ name, options: {}, algorithm });
    expect(() => methodRegistry([method])).toThrow(`two methods named "${name}"`);
  }
});

it('lets no step, action or activity of the user replace one of ours', () => {
  const making = [createModelActivities, createQuestionActivities];
  for (const make of making) {
    const ours = Object.keys(make({ steps: {} } as Ports));
    for (const name of ours.filter((one) => !RESERVED_STEP_NAMES.has(one))) {
      const message = `steps: "${name}" is the name of an activity of durable-rag`;
      expect(() => make({ steps: { [name]: step(name) } } as unknown as Ports)).toThrow(message);
      const actions = { [name]: {} };
      expect(() => make({ steps: {}, actions } as unknown as Ports)).toThrow(message);
    }
  }
  expect(() => refuseTakenNames('activities', { send: 1, openRun: 1 }, { openRun: 1 })).toThrow(
    'activities: "openRun" is the name of an activity of durable-rag, which yours would replace; rename yours.',
  );
});

it('knows every name of a job', () => {
  expect(JOBS.sort()).toEqual(Object.keys(jobs).sort());
});

it('has the prompt in every set, by a file of its name where a set has one', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'mine'));
  const library = createPromptLibrary(folder, { 'own-prompt': 'Say {{word}}.' });
  const before = await library.load('default', 'own-prompt');
  expect(before.text).toBe('Say {{word}}.');
  expect(await library.hashes('default')).toMatchObject({ 'own-prompt.txt': before.hash });
  await writeFile(join(folder, 'mine', 'own-prompt.txt'), 'Shout {{word}}.');
  expect((await library.load('mine', 'own-prompt')).text).toBe('Shout {{word}}.');
});
