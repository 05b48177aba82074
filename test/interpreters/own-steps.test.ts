/** The steps of methods of one's own, and methods that run another. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { withSteps } from '../../interpreters/find-own-steps.js';
import { callsText, countMethodCalls } from '../../interpreters/method-calls.js';
import { methods } from '../../interpreters/methods.js';
import { plan } from '../../interpreters/planning.js';
import { replay } from '../../interpreters/replay.js';
import { answerAndRecordCalls } from '../../interpreters/scripted.js';
import { stepsAsked } from '../../interpreters/steps-asked.js';
import { packageRoot } from '../../stores/package-root.js';
import { goldenTrace } from '../../testing/golden-trace.js';
import { scriptedModel } from '../../testing/scripted-model.js';
import {
  answered,
  base,
  defineMethod,
  hyde,
  ircot,
  type OwnMethod,
  passageCount,
  unanswered,
} from '../../workflows/declare.js';
import { temporaryFolder } from '../support/folder.js';
import { passages, testPorts } from '../support/ports.js';

const step = (name: string) =>
  `export const ${name} = { name: '${name}', label: () => '', prompt: { name: '${name}', text: 'Say.' },
  maxTokens: 8, output: { form: 'x', read: () => 'x' }, fallback: () => null };\n`;
const method = (name: string, algorithm: string) =>
  `export const ${name} = { module: import.meta.url, name: '${name}', title: 'T',
  options: { safeParse: () => ({ success: true, data: {} }) }, algorithm: ${algorithm} };\n`;

/** Writes modules beside each other; gives the method that the first one exports. */
async function made(files: Record<string, string>): Promise<OwnMethod<unknown>> {
  const folder = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  const [first = ''] = Object.keys(files);
  const module = await import(pathToFileURL(join(folder, first)).href);
  return module.mine as OwnMethod<unknown>;
}

const conclude = '{ outcome: "unknown", answer: "", evidence: [], chain: null }';
const steps = `${step('checkTwice')}${step('unused')}`;

it.each<[how: string, asked: string[], files: Record<string, string>]>([
  [
    'exports a step that it asks after few outputs only',
    ['read', 'checkTwice'],
    {
      'a.mjs': `${step('checkTwice')}${method(
        'mine',
        `async ({ step, ask }) => {
        if ((await step.read({ question: 'q', passages: [], demonstrations: [] })) === '?')
          await ask(checkTwice, {});
        return ${conclude}; }`,
      )}`,
    },
  ],
  [
    'imports a step under another name',
    ['checkTwice'],
    {
      'a.mjs': `import { checkTwice as look } from './steps/all.mjs';\n${method('mine', `({ ask }) => ask(look, {})`)}`,
      'steps/all.mjs': steps,
    },
  ],
  [
    'asks through a helper in another module',
    ['choose', 'checkTwice'],
    {
      'a.mjs': `import { help } from './help.mjs';\n${method('mine', 'help')}`,
      'help.mjs': `import{checkTwice}from"./steps.mjs";export const help = ({ ask, step }) => {
        const { choose } = step; void choose; return ask(checkTwice, {}); };`,
      'steps.mjs': steps,
    },
  ],
  [
    'imports all of a module',
    ['checkTwice', 'unused'],
    {
      'a.mjs': `import * as all from './steps.mjs';\n${method('mine', `({ ask }) => ask(all.checkTwice, {})`)}`,
      'steps.mjs': steps,
    },
  ],
  [
    'runs another method of one’s own',
    ['read', 'checkTwice'],
    {
      'a.mjs': `import { inner } from './inner.mjs';\n${method('mine', 'inner.algorithm')}`,
      'inner.mjs': `${step('checkTwice')}${method(
        'inner',
        `async ({ ask, step }) => {
        await step.read({ question: 'q', passages: [], demonstrations: [] }); await ask(checkTwice, {});
        return ${conclude}; }`,
      )}`,
    },
  ],
])('finds the steps of a method that %s', async (_, asked, files) => {
  const parts: { methods: OwnMethod<unknown>[]; steps?: { name: string }[] } = await withSteps({
    methods: [await made(files)],
  });
  expect([...(parts.methods[0]?.steps ?? [])].sort()).toEqual([...asked].sort());
  const own = asked.filter((name) => ['checkTwice', 'unused'].includes(name));
  expect(parts.steps?.map(({ name }) => name)).toEqual(own);
  // What is completed stays as it is.
  expect(await withSteps(parts as { methods: OwnMethod<unknown>[] })).toEqual(parts);
});

it('names no steps of a method that works out which it asks, or is not there', async () => {
  const any = await made({ 'a.mjs': method('mine', `({ step }) => step['re' + 'ad']({})`) });
  expect(stepsAsked(any.module ?? '')).toBeUndefined();
  expect(stepsAsked('/nowhere/mine.js')).toBeUndefined();
});

it('refuses two steps of one name, unless one of them is given', async () => {
  const one = await made({ 'a.mjs': `${step('checkTwice')}${method('mine', 'async () => {}')}` });
  const other = await made({ 'b.mjs': `${step('checkTwice')}${method('mine', 'async () => {}')}` });
  const renamed = { ...other, name: 'mine' };
  await expect(withSteps({ methods: [one, renamed] })).rejects.toThrow('two steps named');
});

/** Asks base with fewer passages, and another method if it does not know. */
const twoWays = defineMethod({
  name: 'twoWays',
  options: { passages: passageCount },
  async algorithm(asked) {
    const first = await asked.run(base, { passages: 3 });
    if (first.outcome === 'answered')
      return { ...first, chain: { by: 'base', inner: first.chain } };
    const other = await asked.run(hyde, { passages: asked.options.passages }, 'Another question?');
    return { ...other, chain: { by: 'hyde', inner: other.chain } };
  },
});
const ports = (say: string) =>
  testPorts(scriptedModel([{ step: 'read', say }, ...more]), {
    methods: new Map([['twoWays', twoWays as OwnMethod<unknown>]]),
  });
const more = [
  { step: 'hypotheticalPassage', say: 'It was Bell.' },
  { step: 'read', say: 'Bell' },
];

it('runs other methods with their options, and replays what they asked', async () => {
  const { result, calls } = await answerAndRecordCalls(
    'twoWays',
    { question: 'Who?' },
    ports('unknown'),
  );
  expect(result).toMatchObject({ outcome: 'answered', answer: 'Bell', chain: { by: 'hyde' } });
  expect(calls.map(({ step }) => step)).toEqual([
    'retrieve',
    'read',
    'hypotheticalPassage',
    'retrieve',
    'read',
  ]);
  // Three passages of base, ten of hyde: those that are asked for, not its own default of five.
  expect(calls.flatMap(({ step, label }) => (step === 'retrieve' ? [label] : []))).toEqual([
    '3 for "Who?"',
    '10 for "It was Bell."',
  ]);
  const asked = { question: 'Who?', options: {} };
  const replayed = await replay(twoWays as OwnMethod<unknown>, asked, calls);
  expect(replayed.result).toMatchObject({ answer: 'Bell', chain: result.chain });
});

it('plans the calls of methods that are run, whose options are checked then', async () => {
  const calls = await countMethodCalls(twoWays as OwnMethod<unknown>);
  expect(calls && callsText(calls)).toBe('1');
  const thinking = defineMethod({
    name: 'thinking',
    options: {},
    algorithm: (asked) => asked.run(ircot),
  });
  // Its own bound holds within another method as well.
  expect(await countMethodCalls(thinking as OwnMethod<unknown>)).toEqual({ usual: 9, others: [] });
  const wrong = defineMethod({
    name: 'wrong',
    options: {},
    algorithm: async (asked) => asked.run(base, { passages: -1 }),
  });
  const asked = { question: 'Who?', options: {} };
  const world = { passages, available: Infinity };
  await expect(plan(wrong, asked, world)).rejects.toThrow('options.passages: must be');
});

it('traces a method that searches nothing without a corpus', async () => {
  const alone = defineMethod({
    name: 'alone',
    options: {},
    async algorithm({ question, step }) {
      const reading = await step.read({ question, passages: [], demonstrations: [] });
      return reading === null ? unanswered('unreadable', [], null) : answered(reading, [], null);
    },
  });
  const script = [{ step: 'read', say: 'Bell' }];
  for (const worker of [{ methods: [alone] }, { methods: [alone], corpora: {} }]) {
    const { result, searches } = await goldenTrace('alone', { question: 'Who?', script, worker });
    expect([result.answer, searches]).toEqual(['Bell', []]);
  }
});

it('takes the new branch of a change where no question was under way', async () => {
  const changed = defineMethod({
    name: 'changed',
    options: {},
    algorithm: async ({ patched }) => answered(patched('other words') ? 'new' : 'old', [], null),
  });
  const trace = await goldenTrace('changed', {
    question: 'Who?',
    script: [],
    worker: { methods: [changed] },
  });
  expect(trace.result.answer).toBe('new');
});

it('reads the steps of the methods that ship from what they import', () => {
  expect(methods.mcq.steps).toEqual(['choose', 'generateCandidates']);
  expect(methods.summarizeThenPredict.steps).toContain('read');
  expect(methods.sure.module).toContain(packageRoot());
});
