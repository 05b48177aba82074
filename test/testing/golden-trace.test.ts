/** Golden traces of methods: what is asked, what is said, and the result, as one stable text. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { z } from 'zod';
import { defineMethod } from '../../methods/method.js';
import { defineStep, readVerdict } from '../../steps/public.js';
import { packageRoot } from '../../stores/package-root.js';
import { goldenTrace } from '../../testing/golden-trace.js';
import { QUESTION, telephoneScript } from '../support/telephone.js';
import '../support/quiet-runtime.js';

const passages = [
  { id: 'p1', title: 'Bell', text: 'Bell was granted the patent.' },
  { id: 'p2', title: 'Gray', text: 'Gray filed a caveat.' },
];
const parts = () => ({
  question: QUESTION,
  passages,
  address: inject('temporalAddress'),
  workflowBundle: { code: inject('workflowBundle') },
});

test('is in the order of the script, with prompts and result, and the same again', async () => {
  const script = telephoneScript();
  const trace = await goldenTrace('sure', { ...parts(), script });
  expect(trace.steps.map(({ step }) => step)).toEqual(script.map(({ step }) => step));
  expect(trace.steps[3]?.prompt).toContain('Prediction: Bell');
  expect(trace.steps[3]?.said).toBe('True');
  expect(trace.searches).toEqual([QUESTION]);
  expect(trace.result).toMatchObject({ answer: 'Bell', workflowId: 'golden' });
  expect(trace.text).toContain('=== 1 generateCandidates\n');
  expect(trace.text).toContain('Bell was granted the patent.');

  const slowFirst = script.map((line, i) => ({ ...line, delayMs: (script.length - i) * 30 }));
  expect((await goldenTrace('sure', { ...parts(), script: slowFirst })).text).toBe(trace.text);
});

test('tells what the script lacks, and what nobody asked for', async () => {
  const none = goldenTrace('base', { ...parts(), script: [] });
  await expect(none).rejects.toThrow(/no \(more\) line for read:\n[\s\S]*telephone/);
  const read = { step: 'read', say: 'Bell' };
  const more = goldenTrace('base', { ...parts(), script: [read, { step: 'choose', say: '(a)' }] });
  await expect(more).rejects.toThrow('Nobody asked for these lines:\nchoose: (a)');
});

test('runs a method of one’s own, encrypted as its worker is', async () => {
  const { workflowBundle: _, ...rest } = parts();
  const script = [
    { step: 'read', say: 'Bell' },
    { step: 'confirm', say: 'Yes' },
  ];
  const confirm = defineStep<{ question: string }, boolean>({
    ...{ name: 'confirm', maxTokens: 16, parse: readVerdict, fallback: () => false },
    prompt: { name: 'confirm', text: 'Sure? {{question}}' },
    variables: ({ question }) => ({ question }),
  });
  const confirmed = defineMethod({
    ...{ name: 'confirmed', title: 'Confirmed', steps: ['read', 'confirm'] },
    options: z.strictObject({ passages: z.int().default(2) }),
  });
  const worker = {
    ...{ methods: [confirmed], steps: [confirm] },
    workflows: new URL('own-workflow.ts', import.meta.url),
    encryptionKeys: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
  };
  // Longer than Temporal takes of a line in its UI, as the label of the step is.
  const question = '電話を発明したのは誰ですか。'.repeat(40);
  const asked = { ...rest, question, script, worker };
  const { result, steps } = await goldenTrace('confirmed', asked);
  expect(result).toMatchObject({ method: 'confirmed', answer: 'Bell', evidence: ['p1', 'p2'] });
  expect(steps.map(({ step, said }) => [step, said])).toEqual([
    ['read', 'Bell'],
    ['confirm', 'Yes'],
  ]);
  // It is checked before it is asked, as by any client.
  const bad = goldenTrace('confirmed', { ...rest, script, worker, options: { pasages: 1 } });
  await expect(bad).rejects.toThrow('did you mean passages?');
});

test('asks the server of the environment, and leaves the SDK’s log out', async () => {
  const program = `
    import { goldenTrace } from 'durable-rag/testing';
    const { result } = await goldenTrace('base', {
      question: 'Who?', passages: [{ id: 'p', title: 'Bell', text: 'Bell.' }],
      script: [{ step: 'read', say: 'Bell' }],
    });
    process.stdout.write(result.answer);`;
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', program],
    { cwd: packageRoot(), env: { ...process.env, TEMPORAL_ADDRESS: inject('temporalAddress') } },
  );
  // The SDK's own log; its native part may still warn of a machine that is too slow.
  expect(stdout).toMatch(/Bell$/);
  expect(stdout + stderr).not.toMatch(/\[(?:INFO|WARN)\]/);
});
