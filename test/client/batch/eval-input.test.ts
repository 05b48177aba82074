/** The flags of `durable-rag eval`, turned into batches. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  type EvalFlags,
  evalInputs,
  nameByContents,
} from '../../../client/cli/batch/eval-input.js';

const folder = mkdtempSync(join(tmpdir(), 'durable-rag-eval-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const flags: EvalFlags = { method: 'sure', dataset: 'data/nq dev.jsonl.gz' };

test('fills in what no flag names, and makes a name of the rest', async () => {
  const [run] = await evalInputs(flags);
  const { batch } = run ?? {};
  expect(batch).toMatchObject({
    method: 'sure',
    dataset: resolve('data/nq dev.jsonl.gz'),
    concurrency: 20,
    ownPassages: true,
    options: { passages: 10, candidates: 2 },
  });
  expect(batch).not.toHaveProperty('corpus');
  expect(run?.isNamed).toBe(false);
  expect(batch && nameByContents(batch, 'c').run).toMatch(/^sure-nq-dev-[0-9a-f]{8}$/);
});

test('names equal commands equally, whatever their speed, and others otherwise', async () => {
  const name = async (more: Partial<EvalFlags>, contents = 'c') => {
    const [run] = await evalInputs({ ...flags, ...more });
    return run && nameByContents(run.batch, contents).run;
  };
  expect(await name({ concurrency: 3, rpm: 60, budgetUsd: 1 })).toBe(await name({}));
  expect(await name({ passages: 5 })).not.toBe(await name({}));
  // The file of the same name may hold something else tomorrow.
  expect(await name({}, 'd')).not.toBe(await name({}));
  const clean = (await name({ noise: [0] }))?.replace('-noise-0', '');
  expect(await name({ noise: [0.4] })).toBe(`${clean}-noise-0.4`);
});

test('puts flags over the file, and options where they belong', async () => {
  const file = join(folder, 'input.json');
  writeFileSync(
    file,
    JSON.stringify({
      limits: { attempts: 3 },
      models: { summarize: 'large' },
      options: { passages: 7, candidates: 3 },
    }),
  );
  const [{ batch } = {}] = await evalInputs({
    ...flags,
    input: file,
    passages: 4,
    model: 'small',
    option: { selection: 'ranking' },
    rpm: 90,
    tpm: 9000,
  });
  expect(batch).toMatchObject({
    limits: { attempts: 3 },
    models: { summarize: 'large', default: 'small' },
    options: { passages: 4, candidates: 3, selection: 'ranking' },
    requestsPerMinute: 90,
    tokensPerMinute: 9000,
  });
});

test('makes a run of each share of noise, all of one name', async () => {
  const batches = await evalInputs({
    ...flags,
    name: 'sweep',
    noise: [0, 0.4],
    noiseKind: 'random',
  });
  expect(batches.map(({ batch: { run, noise } }) => [run, noise?.ratio, noise?.kind])).toEqual([
    ['sweep-noise-0', 0, 'random'],
    ['sweep-noise-0.4', 0.4, 'random'],
  ]);
});

test('refuses an option of the file by its field', async () => {
  const file = join(folder, 'wrong.json');
  writeFileSync(file, JSON.stringify({ options: { candidates: 'two', passages: 'x' } }));
  await expect(evalInputs({ ...flags, input: file, passages: 0 })).rejects.toThrow(
    /^--passages: must be .*, not 0; options\.candidates: must be .*, not "two"$/,
  );
});

test.each<[Partial<EvalFlags>, RegExp]>([
  [{ method: 'sur' }, /^--method: there is no method "sur"; did you mean sure\?$/],
  [{ concurrency: 0 }, /^--concurrency: .*1/],
  [{ name: 'a/b' }, /^--name: must be letters/],
  [
    { option: { candidates: 'two' } },
    /^--option candidates: must be a whole number from 2 to 26, not "two"$/,
  ],
  [
    { method: 'genread', option: { generation: 'clustered' } },
    /^--option demonstrationSet: clustered needs the name/,
  ],
  [{ passages: 0 }, /^--passages: must be a whole number from 1 to 200, not 0$/],
  [
    { option: { demonstrations: [{ question: 'q' }] } },
    /^--option demonstrations\.0\.answer: is missing/,
  ],
  [
    { option: { candidate: 2 } },
    /^--option candidate: there is no such field; did you mean candidates\?$/,
  ],
  [{ noiseKind: 'top' }, /^--noise-kind: has no effect without --noise$/],
  [{ budgetUsd: -1, sample: 0 }, /--sample: .*; --budget-usd: /],
  [{ input: '/nowhere.json' }, /^--input \/nowhere\.json does not exist/],
])('refuses %j by the name of the flag', async (more, message) => {
  await expect(evalInputs({ ...flags, ...more })).rejects.toThrow(message);
});
