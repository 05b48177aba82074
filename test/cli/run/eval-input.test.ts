/** The flags of `durable-rag eval`, turned into batches. */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readOptionsOf } from '../../../activities/run/dataset-of.js';
import { evalFlags, planFlags } from '../../../cli/inputs.js';
import { evalInputs, nameByContents, planInputs } from '../../../cli/run/eval-input.js';
import { typed, typedOn } from '../../support/cli-context.js';
import { temporaryFolder } from '../../support/folder.js';

const folder = await temporaryFolder();

/** The runs of a command; a word stands for itself, and a file for the path of one. */
async function runsOf(words: string, file?: object) {
  const input = join(folder, 'input.json');
  // With the mark that some editors put first.
  if (file) writeFileSync(input, `\uFEFF${JSON.stringify(file)}`);
  const split = words.split(' ').filter((word) => word !== '');
  const flags = ['--method', 'sure', '--dataset', 'data/nq dev.jsonl.gz', ...split];
  return evalInputs(await typed(evalFlags, ...flags, ...(file ? ['--input', input] : [])), {});
}

test('fills in what no flag names, and makes a name of the rest', async () => {
  const [run] = await runsOf('');
  const { spec } = run ?? {};
  expect(spec).toMatchObject({
    method: 'sure',
    dataset: resolve('data/nq dev.jsonl.gz'),
    concurrency: 20,
    ownPassages: true,
    options: { passages: 10, candidates: 2 },
  });
  expect(spec).not.toHaveProperty('corpus');
  expect(run?.isNamed).toBe(false);
  expect(spec && nameByContents(spec, 'c').run).toMatch(/^sure-nq-dev-[0-9a-f]{8}$/);
});

test('names equal commands equally, whatever their speed, and others otherwise', async () => {
  const name = async (words: string, contents = 'c') => {
    const [run] = await runsOf(words);
    return run && nameByContents(run.spec, contents).run;
  };
  expect(await name('--concurrency 3 --rpm 60 --budget-usd 1')).toBe(await name(''));
  expect(await name('--passages 5')).not.toBe(await name(''));
  // The file of the same name may hold something else tomorrow.
  expect(await name('', 'd')).not.toBe(await name(''));
  const clean = (await name('--noise 0'))?.replace('-noise-0', '');
  expect(await name('--noise 0.4')).toBe(`${clean}-noise-0.4`);
});

test('puts flags over the file field by field, and options where they belong', async () => {
  const file = {
    limits: { attempts: 3 },
    models: { summarize: 'large' },
    tier: 'standard',
    options: { passages: 7, candidates: 3 },
  };
  const flags =
    '--passages 4 --model small --tier flex --option selection=ranking --rpm 90 --tpm 9000 --no-cache';
  const [{ spec } = {}] = await runsOf(flags, file);
  expect(spec).toMatchObject({
    limits: { attempts: 3 },
    models: { summarize: 'large', default: 'small' },
    tier: { default: 'flex' },
    options: { passages: 4, candidates: 3, selection: 'ranking' },
    requestsPerMinute: 90,
    tokensPerMinute: 9000,
    cache: false,
  });
});

test('takes how the file is read from flags and from the file', async () => {
  const fields = { question: 'inputs.question', answers: 'outputs.answer[]' };
  const [{ spec } = {}] = await runsOf('--kind long', { fields, kind: 'list' });
  expect(spec && readOptionsOf(spec)).toMatchObject({ fields, kind: 'long' });
  const paths = '--fields question=inputs.question,answers=outputs.answer[]';
  expect((await runsOf(paths))[0]?.spec.fields).toEqual(fields);
  const [{ spec: other } = {}] = await runsOf('--as kilt');
  expect(other && readOptionsOf(other)).toMatchObject({ as: 'kilt', fields: undefined });
});

test('reads times, lists and what is lifted', async () => {
  const [{ spec } = {}] = await runsOf(
    '--transport batch --batch-wait 5m --metrics none --pause-after none --no-own-passages',
  );
  expect(spec).toMatchObject({
    transport: { waitSeconds: 300, size: 5000 },
    metrics: [],
    pauseAfter: null,
    ownPassages: false,
  });
});

test('makes a run of each share of noise, all of one name', async () => {
  const batches = await runsOf('--name sweep --noise 0,0.4 --noise-kind random');
  expect(batches.map(({ spec: { run, noise } }) => [run, noise?.ratio, noise?.kind])).toEqual([
    ['sweep-noise-0', 0, 'random'],
    ['sweep-noise-0.4', 0.4, 'random'],
  ]);
});

test('changes a stored run by what is typed, under its name', async () => {
  const [kept] = await runsOf('--model small --corpus wiki --noise 0.2 --name old', {
    models: { default: { model: 'small', temperature: 1 } },
  });
  const input = { ...kept?.spec, dataset: 'f00d', run: 'old' };
  const planned = async (...words: string[]) =>
    planInputs(await typedOn(input, planFlags, ...words), 'old', {}).map(({ spec }) => spec);
  expect(await planned()).toEqual([input]);
  const change = ['--prompts', 'mine', '--model', 'large', '--option', 'candidates=3'];
  expect(await planned(...change)).toMatchObject([
    {
      run: 'old',
      dataset: 'f00d',
      corpus: 'wiki',
      prompts: 'mine',
      noise: { ratio: 0.2 },
      models: { default: { model: 'large', temperature: 1 } },
      options: { candidates: 3 },
    },
  ]);
  const swept = await planned('--noise', '0,0.4');
  expect(swept.map(({ run }) => run)).toEqual(['old-noise-0', 'old-noise-0.4']);
  await expect(planned('--option', 'candidates=0')).rejects.toThrow(/^--option candidates: /);
});
