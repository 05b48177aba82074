/** What every store of runs must do. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { parseBatchInput } from '../../methods/batch-input.js';
import type { MethodResult } from '../../methods/result.js';
import { noUsage } from '../../methods/usage.js';
import type { RunAnswer, RunManifest, RunQuestion, RunStore } from '../../results/run-store.js';

/** A name that no other test has. */
export function runName(): string {
  return `run-${randomUUID()}`;
}

export function manifestFor(run: string, changes: Partial<RunManifest> = {}): RunManifest {
  const input = parseBatchInput({ run, method: 'sure', dataset: '/data/nq.jsonl' });
  return {
    ...{ run, input, questions: 3, createdAt: '2026-01-02T03:04:05.678Z', corpus: null },
    dataset: {
      ...{ file: '/data/nq.jsonl', sha256: 'abc', questions: 3, selected: 3 },
      ...{ rule: 'all questions', kinds: { span: 3 } },
    },
    ...{ prompts: { 'read.txt': '0123456789ab' }, provider: 'p', models: { default: 'm' } },
    ...{ normaliser: 'SQuAD', versions: { durableRag: '1.0.0', node: 'v20' } },
    ...changes,
  };
}

export function question(id: string, changes: Partial<RunQuestion> = {}): RunQuestion {
  return { id, question: `Who is ${id}?`, answers: ['Bell'], answerKind: 'span', ...changes };
}

export async function* stream<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

export function answer(id: string, changes: Partial<MethodResult> = {}): RunAnswer {
  const result: MethodResult = {
    ...{ workflowId: `eval/${id}`, method: 'sure', question: `Who is ${id}?` },
    ...{ outcome: 'answered', answer: 'Bell', evidence: [], chain: { passages: [] } },
    ...{ usage: { ...noUsage, calls: 7, costUsd: 0.25 }, retrievals: 1, steps: {}, flags: [] },
    ...changes,
  };
  const times = { startedAt: '2026-01-02T03:04:05.678Z', endedAt: '2026-01-02T03:04:06.000Z' };
  return { id, result, scores: { em: 1, f1: 1 }, ...times };
}

async function allOf(store: RunStore, run: string, from?: number) {
  const found: { question: RunQuestion; next: number }[] = [];
  for await (const one of store.questions(run, from)) found.push(one);
  return found;
}

/** Registers the tests; `open` opens the same place again. */
export function runStoreContract(open: () => Promise<RunStore>): void {
  const odd = ['nq/1', 'NQ/1', '../../etc', '電話', 'line\u2028break', ' "\\\n', 'x'.repeat(400)];

  test('gives back a run as it was written', async () => {
    const run = runName();
    const questions = odd.map((id) => question(id, { question: `Grüße 🌍 ${id}\n?` }));
    const stored = [{ id: 'p-1', title: 'Telephone', score: 1 }];
    questions.push(question('long', { stored, claims: ['One.'], answerGroups: [['a', 'b'], []] }));
    const manifest = manifestFor(run, { questions: questions.length });
    await (await open()).begin(run, stream(questions), () => manifest);

    const store = await open();
    expect(await store.manifest(run)).toEqual(JSON.parse(JSON.stringify(manifest)));
    expect((await allOf(store, run)).map((one) => one.question)).toEqual(questions);
  });

  test('knows nothing of a run that was not begun', async () => {
    const [store, run] = [await open(), runName()];
    expect(await store.manifest(run)).toBeUndefined();
    expect((await store.list()).map((one) => one.run)).not.toContain(run);
  });

  test('reads on from any question', async () => {
    const [store, run] = [await open(), runName()];
    const ids = Array.from({ length: 300 }, (_, i) => `q${i}`);
    const questions = ids.map((id, i) => question(id, { question: 'Ü'.repeat(1 + (i % 50)) }));
    await store.begin(run, stream(questions), () => manifestFor(run));
    const all = await allOf(store, run);
    for (const i of [0, 1, 149, 298]) {
      const rest = await allOf(store, run, all[i]?.next);
      expect(rest).toEqual(all.slice(i + 1));
    }
    expect(await allOf(store, run, all.at(-1)?.next)).toEqual([]);
  });

  test('asks for the manifest when all questions are written', async () => {
    const [store, run] = [await open(), runName()];
    let taken = 0;
    async function* counted() {
      for (const id of ['a', 'b', 'c']) {
        taken++;
        yield question(id);
      }
    }
    await store.begin(run, counted(), () => manifestFor(run, { questions: taken }));
    expect((await store.manifest(run))?.questions).toBe(3);
  });

  test('leaves a run that is there as it is', async () => {
    const [store, run] = [await open(), runName()];
    await store.begin(run, stream([question('a')]), () => manifestFor(run, { questions: 1 }));
    await store.put(run, answer('a'));
    await store.begin(run, stream([question('b')]), () => manifestFor(run, { questions: 2 }));
    expect((await store.manifest(run))?.questions).toBe(1);
    expect((await allOf(store, run)).map((one) => one.question.id)).toEqual(['a']);
    expect(await store.get(run, 'a')).toEqual(answer('a'));
  });

  test('leaves nothing of a run whose questions fail half way', async () => {
    const [store, run] = [await open(), runName()];
    async function* broken() {
      yield question('a');
      throw new Error('line 2 is no question');
    }
    await expect(store.begin(run, broken(), () => manifestFor(run))).rejects.toThrow('line 2');
    expect(await store.manifest(run)).toBeUndefined();
    await store.begin(run, stream([question('b')]), () => manifestFor(run));
    expect((await allOf(store, run)).map((one) => one.question.id)).toEqual(['b']);
  });

  test('keeps one answer for each question, the last one', async () => {
    const [store, run, other] = [await open(), runName(), runName()];
    await store.begin(run, stream(odd.map((id) => question(id))), () => manifestFor(run));
    await store.begin(other, stream([question('nq/1')]), () => manifestFor(other));
    await Promise.all(odd.map((id) => store.put(run, answer(id))));
    const again = await open();
    expect(await Promise.all(odd.map((id) => again.get(run, id)))).toEqual(
      odd.map((id) => answer(id)),
    );
    expect(await again.get(run, 'nobody')).toBeUndefined();
    expect(await again.get(other, 'nq/1')).toBeUndefined();

    const failure = { type: 'Terminated', message: 'By hand.', step: null };
    const failed = { ...answer('nq/1'), result: null, failure, scores: { em: 0, f1: 0 } };
    await store.put(run, failed);
    expect(await store.get(run, 'nq/1')).toEqual(failed);
    await store.put(run, answer('nq/1'));
    expect(await store.get(run, 'nq/1')).toEqual(answer('nq/1'));
  });

  test('takes an answer of megabytes', async () => {
    const [store, run] = [await open(), runName()];
    await store.begin(run, stream([question('a')]), () => manifestFor(run));
    const long = answer('a', { chain: { text: 'Grüße, 世界 🌍 "\\\n'.repeat(200_000) } });
    await store.put(run, long);
    expect(JSON.stringify(await store.get(run, 'a')) === JSON.stringify(long)).toBe(true);
  });

  test('lists runs, the newest first', async () => {
    const store = await open();
    const names = [runName(), runName(), runName()];
    for (const [i, run] of names.entries()) {
      const createdAt = `2026-01-0${[2, 1, 3][i]}T00:00:00.000Z`;
      await store.begin(run, stream([question('a')]), () => manifestFor(run, { createdAt }));
    }
    const listed = (await store.list()).map(({ run }) => run).filter((run) => names.includes(run));
    expect(listed).toEqual([names[2], names[0], names[1]]);
  });
}
