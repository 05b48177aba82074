/** Golden traces of methods: what is asked, what is said, and the result, as one stable text. */
import { expect, inject, test } from 'vitest';
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
