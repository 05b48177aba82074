/** Verifying runs: those of every method pass, and each alteration is found, with its place. */
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { create, extract } from 'tar';
import { describe, expect, it } from 'vitest';
import type { TextsOf } from '../../activities/run/rescore-answer.js';
import { verificationText } from '../../cli/run/verify.js';
import { verifyArchive, verifyRun } from '../../client/verify.js';
import type { CallRecord } from '../../steps/call-record.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { callsOf, packCalls } from '../../stores/runs/call-records.js';
import { keyValueRuns } from '../../stores/runs/key-value-runs.js';
import { writeRunArchive } from '../../stores/runs/run-archive.js';
import type { RunAnswer, RunManifest, RunQuestion } from '../../stores/runs/run-store.js';
import { uniqueRunName } from '../../testing/run-records.js';
import { drawnModel } from '../support/drawn-model.js';
import { temporaryFolder } from '../support/folder.js';
import { optionSets } from '../support/option-sets.js';
import { passages, testPorts } from '../support/ports.js';
import { answeredHere } from '../support/run.js';

const folder = await temporaryFolder();

const QUESTIONS = [
  { id: 'first', question: 'Who invented it?', answers: ['Bell', 'Alexander Bell'] },
  { id: 'second', question: 'Who filed a caveat?', answers: ['Gray'] },
  { id: 'third', question: 'Who was late?', answers: ['Reis'] },
];

/** Texts by id, as a corpus gives them. */
const texts: TextsOf = async (_, ids) =>
  new Map(passages.filter(({ id }) => ids.includes(id)).map(({ id, text }) => [id, text]));

/** A run whose answers were recorded as a worker records them. */
async function runOf(method: string, options: object) {
  const store = new MemoryStore();
  const runs = keyValueRuns(store);
  const ports = testPorts(drawnModel(), { runs });
  const run = uniqueRunName();
  await answeredHere(
    { run, method, options: { ...options }, corpus: 'sample', dataset: QUESTIONS },
    ports,
  );
  return { run, runs, ports };
}

type Kept = Awaited<ReturnType<typeof runOf>>;

const verify = ({ run, runs }: Kept) => verifyRun(run, { runs, texts });

it.each(optionSets)('passes a run of %s %j', async (method, options) => {
  const kept = await runOf(method, options);
  const found = await verify(kept);
  expect(found).toMatchObject({ difference: null, verdict: 'ok', notChecked: [] });
  expect(found).toMatchObject({ questions: 3, answers: 3, replayed: 3 });
  expect(found.scores).toBeGreaterThan(0);
});

/** Changes what is kept, behind the back of whoever wrote it. */
const answer =
  (change: (answer: RunAnswer) => object, id = 'second') =>
  async ({ run, runs }: Kept) => {
    const there = (await runs.get(run, id)) as RunAnswer;
    await runs.put(run, { ...there, ...change(structuredClone(there)), id: there.id });
  };

const calls = (change: (calls: CallRecord[]) => CallRecord[]) =>
  answer((there) => ({ calls: packCalls(change(callsOf(there) ?? [])) }));

const manifest =
  (change: (manifest: RunManifest) => object) =>
  async ({ run, runs }: Kept) => {
    const there = (await runs.manifest(run)) as RunManifest;
    await runs.change(run, () => ({ ...there, ...change(structuredClone(there)) }));
  };

const questions =
  (change: (questions: RunQuestion[]) => RunQuestion[]) =>
  async ({ run, runs }: Kept) => {
    const there: RunQuestion[] = [];
    for await (const { question } of runs.questions(run)) there.push(question);
    const changed = change(there);
    async function* all() {
      yield* changed;
    }
    const kept = (await runs.manifest(run)) as RunManifest;
    await runs.change(run, () => kept, all());
  };

const result = (change: object) => answer((there) => ({ result: { ...there.result, ...change } }));

/** Changes one event of the first call of a step. */
const event = (step: string, change: (output: Record<string, unknown>) => object) =>
  calls((all) => {
    const record = all.find((one) => one.step === step);
    const told = record?.events.find(({ kind }) => kind === 'called') as
      | { output?: object }
      | undefined;
    if (!told?.output) throw new Error(`There is no call of ${step}.`);
    Object.assign(told.output, change(told.output as Record<string, unknown>));
    return all;
  });

const swapped = <T>(all: readonly T[], a: number, b: number): T[] => {
  const [one, other] = [all[a], all[b]];
  return all.map((each, at) => (at === a ? other : at === b ? one : each) as T);
};

const ALTERATIONS: [string, (kept: Kept) => Promise<void>, object][] = [
  ['an answer', result({ answer: 'Meucci' }), { field: 'result.answer' }],
  ['an outcome', result({ outcome: 'unknown', answer: null }), { field: 'result.outcome' }],
  ['evidence', result({ evidence: ['p9'] }), { field: 'result.evidence[0]' }],
  [
    'the order of evidence',
    answer(({ result }) => ({
      result: {
        ...result,
        chain: {
          ...Object(result?.chain),
          passages: [...Object(result?.chain).passages].reverse(),
        },
      },
    })),
    { field: expect.stringMatching(/^result\.chain\.passages\[0]/) },
  ],
  [
    'a score',
    answer(({ scores }) => ({ scores: { ...scores, em: 1 - (scores.em ?? 0) } })),
    { field: 'scores.em' },
  ],
  [
    'a score that does not apply',
    answer(({ scores }) => ({ scores: { ...scores, recall: 1 } })),
    { field: 'scores.recall' },
  ],
  ['what passages hold', answer(() => ({ retrieval: undefined })), { field: 'retrieval' }],
  [
    'an output of a call',
    calls((all) =>
      all.map((one) =>
        one.step === 'generateCandidates' ? { ...one, output: ['Meucci', 'Reis'] } : one,
      ),
    ),
    { field: 'calls[2]', step: 'summarize' },
  ],
  [
    'the last output',
    calls((all) =>
      all.map((one, at) =>
        at === all.length - 1 ? { ...one, output: one.output === 1 ? 2 : 1 } : one,
      ),
    ),
    { field: expect.stringMatching(/^result\./) },
  ],
  [
    'the order of passages',
    calls((all) =>
      all.map((one) =>
        one.step === 'retrieve' ? { ...one, output: [...(one.output as object[])].reverse() } : one,
      ),
    ),
    { field: 'calls[1]', step: 'generateCandidates' },
  ],
  [
    'the order of calls',
    calls((all) => swapped(all, 0, 1)),
    { field: 'calls[0]', step: 'generateCandidates', computed: expect.stringMatching(/^retrieve/) },
  ],
  [
    'a call that is gone',
    calls((all) => all.slice(0, -1)),
    { field: 'calls[7]', step: 'rankPair', kept: undefined },
  ],
  [
    'a call twice',
    calls((all) => [...all, ...all.slice(-1)]),
    { field: 'calls[8]', step: 'rankPair', computed: undefined },
  ],
  [
    'calls that are gone',
    answer(() => ({ calls: packCalls([]) })),
    { field: 'calls[0]', step: 'retrieve' },
  ],
  [
    'damaged calls',
    answer(() => ({ calls: 'AAAA' })),
    { field: 'calls', message: expect.stringContaining('damaged') },
  ],
  [
    'the prompt of a call',
    event('rankPair', () => ({ prompt: 'rank-pair@000000000000' })),
    { field: expect.stringMatching(/^result\.steps\.rankPair\.prompts/), step: 'rankPair' },
  ],
  [
    'the cost of a call',
    event('validate', ({ usage }) => ({ usage: { ...Object(usage), costUsd: 0.01 } })),
    { field: expect.stringMatching(/costUsd$/) },
  ],
  [
    'usage',
    answer(({ result }) => ({ result: { ...result, usage: { ...result?.usage, calls: 1 } } })),
    { field: 'result.usage.calls' },
  ],
  [
    'the usage of a step',
    answer(({ result }) => ({
      result: {
        ...result,
        steps: { ...result?.steps, validate: { ...result?.steps.validate, promptTokens: 1 } },
      },
    })),
    { field: 'result.steps.validate.promptTokens', step: 'validate' },
  ],
  [
    'a flag',
    result({ flags: [{ kind: 'cut', step: 'read', detail: '' }] }),
    { field: expect.stringMatching(/^result\.flags/) },
  ],
  ['a question of a result', result({ question: 'Who?' }), { field: 'result.question' }],
];

/** Of the run as a whole, or of another question. */
const OF_RUN: [string, (kept: Kept) => Promise<void>, object][] = [
  [
    'an option',
    manifest(({ input }) => ({
      input: { ...input, options: { ...input.options, candidates: 3 } },
    })),
    { question: 'first', field: expect.stringMatching(/^(calls|result)/) },
  ],
  [
    'the text of a question',
    questions(([one, ...rest]) => [
      { ...(one as RunQuestion), question: 'Who invented them?' },
      ...rest,
    ]),
    { question: 'first', step: 'retrieve', field: 'calls[0]' },
  ],
  [
    'a gold answer that changes a score',
    questions(([one, ...rest]) => [{ ...(one as RunQuestion), answers: ['?'] }, ...rest]),
    { question: 'first', field: expect.stringMatching(/^(scores|retrieval)/) },
  ],
  [
    'a gold answer that changes none',
    questions(([one, ...rest]) => [
      { ...(one as RunQuestion), answers: ['Alexander Bell', 'Bell'] },
      ...rest,
    ]),
    { field: 'questionsSha256' },
  ],
  ['the order of questions', questions((all) => swapped(all, 0, 2)), { field: 'questionsSha256' }],
  [
    'a question that is gone',
    questions((all) => all.slice(1)),
    { field: 'questions', kept: 3, computed: 2 },
  ],
  ['a total', manifest(() => ({ questions: 4 })), { field: 'questions', kept: 4, computed: 3 }],
  [
    'the answer to another question',
    async ({ run, runs }) => {
      const get = runs.get.bind(runs);
      runs.get = (_, id) => get(run, id === 'third' ? 'second' : id);
    },
    { question: 'third', field: 'id', kept: 'second' },
  ],
];

describe('an alteration is found, with its place', () => {
  it.each(ALTERATIONS)('%s', async (_, alter, expected) => {
    const kept = await runOf('sure', {});
    await alter(kept);
    const found = await verify(kept);
    expect(found).toMatchObject({
      verdict: 'differs',
      difference: { question: 'second', ...expected },
    });
    expect(verificationText(found)).toContain('DIFFERS: question "second"');
  });

  it.each(OF_RUN)('%s', async (_, alter, expected) => {
    const kept = await runOf('sure', {});
    await alter(kept);
    const found = await verify(kept);
    expect(found).toMatchObject({ verdict: 'differs', difference: expected });
  });
});

/** An archive of a run of sure, of which a part is changed as a text. */
async function archiveOf(change?: { part: string; from: string | RegExp; to: string }) {
  const { run, runs } = await runOf('sure', {});
  const file = join(folder, `${run}.tar.gz`);
  await writeRunArchive(run, file, { runs, texts });
  if (!change) return file;
  const inside = await mkdtemp(join(folder, 'inside-'));
  await extract({ file, cwd: inside });
  const path = join(inside, change.part);
  const text = await readFile(path, 'utf8');
  expect(text).toMatch(change.from);
  await writeFile(path, text.replace(change.from, change.to));
  await create({ gzip: true, file, cwd: inside }, PARTS);
  return file;
}

const PARTS = ['archive', 'manifest', 'questions', 'passages', 'answers', 'marks'].map((name) =>
  name === 'archive' || name === 'manifest' ? `${name}.json` : `${name}.jsonl`,
);

describe('an archive', () => {
  it('passes as it was written', async () => {
    const found = await verifyArchive(await archiveOf(), {});
    expect(found).toMatchObject({ verdict: 'ok', answers: 3, replayed: 3, difference: null });
  });

  it.each([
    [
      'answers.jsonl',
      /"em":[01]/,
      '"em":0.5',
      { question: expect.any(String), field: 'scores.em' },
    ],
    ['answers.jsonl', /"startedAt":"2026-01-02/, '"startedAt":"2026-01-01', { field: 'archive' }],
    ['answers.jsonl', /^.*\n/, '$&$&', { message: expect.stringContaining('twice') }],
    ['answers.jsonl', /^.*\n/, '', { message: expect.stringContaining('says 3 answers, and 2') }],
    ['questions.jsonl', 'Who filed', 'Who wrote', { question: 'second', step: 'retrieve' }],
    [
      'passages.jsonl',
      'Text of passage 1.',
      'Bell invented it.',
      { field: expect.stringMatching(/retrieval|scores/) },
    ],
    ['manifest.json', '"seed": 0', '"seed": 1', { field: 'archive' }],
  ])('names %s, in which %s is changed', async (part, from, to, expected) => {
    const found = await verifyArchive(await archiveOf({ part, from, to }), {});
    expect(found).toMatchObject({ verdict: 'differs', difference: { ...expected, part } });
  });

  it('finds another total', async () => {
    const totals = { part: 'archive.json', from: /"promptTokens": \d+/, to: '"promptTokens": 1' };
    const found = await verifyArchive(await archiveOf(totals), {});
    expect(found.difference).toMatchObject({
      part: 'archive.json',
      message: expect.stringContaining('says 1 for totals.usage.promptTokens'),
    });
  });

  it('names the part of a missing file', async () => {
    const file = await archiveOf();
    const inside = await mkdtemp(join(folder, 'inside-'));
    await extract({ file, cwd: inside });
    await create({ gzip: true, file, cwd: inside }, PARTS.slice(0, -1));
    const found = await verifyArchive(file, {});
    expect(found).toMatchObject({ verdict: 'differs', difference: { part: 'marks.jsonl' } });
  });

  it('names a part for a flipped byte, wherever it is', async () => {
    const file = await archiveOf();
    const bytes = await readFile(file);
    const named = new Set<string>();
    for (let at = 10; at < bytes.length - 8; at += Math.ceil(bytes.length / 60)) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ 0x55;
      await writeFile(file, flipped);
      const { verdict, difference } = await verifyArchive(file, {});
      // A byte between the parts, as in the padding of the file, is of none of them.
      const isTold =
        difference?.part !== undefined || /between its parts/.test(difference?.message ?? '');
      expect([verdict, isTold]).toEqual(['differs', true]);
      named.add(difference?.part ?? '');
    }
    expect([...named]).toContain('answers.jsonl');
  });

  it('refuses what is no archive', async () => {
    const file = join(folder, 'none.tar.gz');
    await writeFile(file, 'none');
    await expect(verifyArchive(file, {})).rejects.toMatchObject({ type: 'BadInput' });
  });
});
