/** Golden traces of methods: what is asked, what is said, and the result, as one stable text. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { goldenTrace } from '../../testing/golden-trace.js';
import { answered, defineStep, unanswered, verdict } from '../../workflows/declare.js';
import { defineMethod } from '../../workflows/define-method.js';
import { QUESTION, telephoneScript } from '../support/telephone.js';

const passages = [
  { id: 'p1', title: 'Bell', text: 'Bell was granted the patent.' },
  { id: 'p2', title: 'Gray', text: 'Gray filed a caveat.' },
];
const parts = { question: QUESTION, passages };

test('is in the order of the script, with prompts and result, and the same again', async () => {
  const script = telephoneScript();
  const trace = await goldenTrace('sure', { ...parts, script });
  expect(trace.steps.map(({ step }) => step)).toEqual(script.map(({ step }) => step));
  expect(trace.steps[3]?.prompt).toContain('Prediction: Bell');
  expect(trace.steps[3]?.said).toBe('True');
  expect(trace.searches).toEqual([QUESTION]);
  expect(trace.result).toMatchObject({ answer: 'Bell', workflowId: 'golden' });
  expect(trace.text).toContain('=== 1 generateCandidates\n');
  expect(trace.text).toContain('Bell was granted the patent.');

  const slowFirst = script.map((line, i) => ({ ...line, delayMs: (script.length - i) * 3 }));
  expect((await goldenTrace('sure', { ...parts, script: slowFirst })).text).toBe(trace.text);
});

test('tells what the script lacks, and what nobody asked for', async () => {
  const none = goldenTrace('base', { ...parts, script: [] });
  await expect(none).rejects.toThrow(/no reply left for read:\n[\s\S]*telephone/);
  const read = { step: 'read', say: 'Bell' };
  const more = goldenTrace('base', { ...parts, script: [read, { step: 'choose', say: '(a)' }] });
  await expect(more).rejects.toThrow('No call used these replies:\nchoose: (a)');
});

test('runs a method of one’s own with a step of one’s own', async () => {
  const script = [
    { step: 'read', say: 'Bell' },
    { step: 'confirm', say: 'Hm.' },
    { step: 'confirm', when: /could not be read\. Write one word, Yes or No/, say: 'Yes' },
  ];
  const confirm = defineStep<{ question: string }, boolean>({
    name: 'confirm',
    maxTokens: 16,
    output: verdict('Yes'),
    fallback: () => false,
    prompt: { name: 'confirm', text: 'Sure? {{question}}' },
    variables: ({ question }) => ({ question }),
  });
  const confirmed = defineMethod({
    name: 'confirmed',
    title: 'FinalistResult',
    options: z.strictObject({ passages: z.int().default(2) }),
    async algorithm({ question, options, step, ask }) {
      const found = await step.retrieve({ query: question, count: options.passages });
      const ids = found.map(({ id }) => id);
      const reading = await step.read({ question, passages: ids, demonstrations: [] });
      const isSure = await ask(confirm, { question });
      return isSure && reading !== null
        ? answered(reading, ids, { found })
        : unanswered('unknown', ids, { found });
    },
  });
  const asked = { ...parts, script, worker: { methods: [confirmed], steps: [confirm] } };
  const { result, steps } = await goldenTrace('confirmed', asked);
  expect(result).toMatchObject({ method: 'confirmed', answer: 'Bell', evidence: ['p1', 'p2'] });
  expect(result.flags).toMatchObject([{ kind: 'reasked', step: 'confirm' }]);
  expect(steps.map(({ step, said }) => [step, said])).toEqual([
    ['read', 'Bell'],
    ['confirm', 'Hm.'],
    ['confirm', 'Yes'],
  ]);
  // It is checked before it is asked, as by any client.
  const bad = goldenTrace('confirmed', { ...asked, options: { pasages: 1 } });
  await expect(bad).rejects.toThrow('did you mean passages?');
});

test('searches by the query, says which calls are equal, and takes a branch before a patch', async () => {
  const twice = defineMethod({
    name: 'twice',
    title: 'Twice',
    options: z.strictObject({}),
    async algorithm({ question, step, patched }) {
      const read = async (query: string) => {
        const found = await step.retrieve({ query, count: 1 });
        const passages = found.map(({ id }) => id);
        return step.read({ question, passages, demonstrations: [] });
      };
      const first = await read(question);
      const second = patched('read again') ? await read(`${first}`) : first;
      return answered(`${first}, ${second}`, [], {});
    },
  });
  const say = (...lines: string[]) => lines.map((line) => ({ step: 'read', say: line }));
  const asked = { question: 'Who?', worker: { methods: [twice] } };
  const hits = (query: string) => passages.filter(({ title }) => title === query);
  const other = { ...asked, passages: hits, script: say('Bell', 'Gray') };
  expect((await goldenTrace('twice', other)).result.answer).toBe('Bell, Gray');
  const same = goldenTrace('twice', { ...asked, passages, script: say('Bell', 'Gray') });
  await expect(same).rejects.toThrow(
    'read: Gray\nCalls of read that equal an earlier one and reuse its reply: 1. Other passages',
  );
  const before = { ...asked, passages, script: say('Bell'), unpatched: ['read again'] };
  expect((await goldenTrace('twice', before)).result).toMatchObject({
    answer: 'Bell, Bell',
    usage: { calls: 1 },
  });
});
