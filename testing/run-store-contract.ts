import assert from 'node:assert/strict';
import type { RunQuestion, RunStore } from '../stores/runs/run-store.js';
import type { ContractCase } from './contract-case.js';
import { answer, manifestFor, question, stream, uniqueRunName } from './run-records.js';

/** The options of `runStoreContract`: a function that opens the store of runs to be tested. */
export interface RunStoreParts {
  /** Opens the same store at each call, as another process would. */
  open(): Promise<RunStore>;
}

/** Unusual question ids, as in real data sets. */
const ODD = ['nq/1', 'NQ/1', '../../etc', '電話', 'line\u2028break', ' "\\\n', 'x'.repeat(400)];

/**
 * Returns an array of test cases, each with `name` and `run`, for a store of runs; each writes its
 * own runs.
 */
export function runStoreContract({ open }: RunStoreParts): ContractCase[] {
  /** Returns a case with a store and the name of a run that it does not contain. */
  const testCase = (
    name: string,
    check: (store: RunStore, run: string) => Promise<void>,
  ): ContractCase => ({ name, run: async () => check(await open(), uniqueRunName()) });

  return [
    testCase('returns a run as it was written', async (store, run) => {
      const questions = ODD.map((id) => question(id, { question: `Grüße 🌍 ${id}\n?` }));
      const stored = [{ id: 'p-1', title: 'Telephone', score: 1 }];
      questions.push(
        question('long', { stored, claims: ['One.'], answerGroups: [['a', 'b'], []] }),
      );
      const manifest = manifestFor(run, { questions: questions.length });
      await store.begin(run, stream(questions), () => manifest);

      const again = await open();
      assert.deepEqual(await again.manifest(run), JSON.parse(JSON.stringify(manifest)));
      assert.deepEqual(
        (await allOf(again, run)).map((one) => one.question),
        questions,
      );
    }),

    testCase('returns nothing for a run that was not begun', async (store, run) => {
      assert.equal(await store.manifest(run), undefined);
      assert.ok((await store.list()).every((one) => one.run !== run));
    }),

    testCase('continues to read from any question', async (store, run) => {
      const ids = Array.from({ length: 300 }, (_, i) => `q${i}`);
      const questions = ids.map((id, i) => question(id, { question: 'Ü'.repeat(1 + (i % 50)) }));
      await store.begin(run, stream(questions), () => manifestFor(run));
      const all = await allOf(store, run);
      for (const i of [0, 1, 149, 298]) {
        const rest = await allOf(store, run, all[i]?.next);
        assert.deepEqual(rest, all.slice(i + 1));
      }
      assert.deepEqual(await allOf(store, run, all.at(-1)?.next), []);
    }),

    testCase('requests the manifest once all questions are written', async (store, run) => {
      let taken = 0;
      async function* counted() {
        for (const id of ['a', 'b', 'c']) {
          taken++;
          yield question(id);
        }
      }
      await store.begin(run, counted(), () => manifestFor(run, { questions: taken }));
      assert.equal((await store.manifest(run))?.questions, 3);
    }),

    testCase('leaves an existing run unchanged', async (store, run) => {
      await store.begin(run, stream([question('a')]), () => manifestFor(run, { questions: 1 }));
      await store.put(run, answer('a'));
      await store.begin(run, stream([question('b')]), () => manifestFor(run, { questions: 2 }));
      assert.equal((await store.manifest(run))?.questions, 1);
      assert.deepEqual(await idsOf(store, run), ['a']);
      assert.deepEqual(await store.get(run, 'a'), answer('a'));
    }),

    testCase('changes the manifest, and the questions if others are given', async (store, run) => {
      await store.begin(run, stream([question('a'), question('b')]), () => manifestFor(run));
      await store.put(run, answer('a'));
      await store.change(run, () => manifestFor(run, { provider: 'other' }));
      assert.equal((await (await open()).manifest(run))?.provider, 'other');
      const ids = async () => idsOf(await open(), run);
      assert.deepEqual(await ids(), ['a', 'b']);

      const others = stream(['c', 'a', 'd'].map((id) => question(id)));
      await store.change(run, () => manifestFor(run, { provider: 'third' }), others);
      assert.deepEqual(await ids(), ['c', 'a', 'd']);
      assert.equal((await (await open()).manifest(run))?.provider, 'third');
      assert.deepEqual(await store.get(run, 'a'), answer('a'));
      assert.ok((await store.list()).some((one) => one.run === run));
    }),

    testCase('leaves nothing of a run whose questions fail half way', async (store, run) => {
      async function* broken() {
        yield question('a');
        throw new Error('line 2 is no question');
      }
      const beginning = store.begin(run, broken(), () => manifestFor(run));
      await assert.rejects(beginning, /line 2/);
      assert.equal(await store.manifest(run), undefined);
      await store.begin(run, stream([question('b')]), () => manifestFor(run));
      assert.deepEqual(await idsOf(store, run), ['b']);
    }),

    testCase(
      'keeps the last mark of each question, and removes it if it is null',
      async (store, run) => {
        const other = uniqueRunName();
        for (const name of [run, other]) {
          await store.begin(name, stream(ODD.map((id) => question(id))), () => manifestFor(name));
        }
        const [of, at] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'];
        const marks = ODD.map((id) => ({ id, says: 'wrong' as const, note: `Of ${id}.`, of, at }));
        for (const mark of marks) await store.mark(run, { ...mark, says: null });
        for (const mark of marks) await store.mark(run, mark);
        const there = await (await open()).marks(run);
        assert.deepEqual(new Map(there), new Map(marks.map((mark) => [mark.id, mark])));
        assert.equal((await store.marks(other)).size, 0);
        await store.mark(run, { id: ODD[0] ?? '', says: null, note: '', of, at });
        assert.equal((await store.marks(run)).size, ODD.length - 1);
        await store.remove(run);
        assert.equal((await store.marks(run)).size, 0);
      },
    ),

    testCase('keeps the last answer of each question', async (store, run) => {
      const other = uniqueRunName();
      await store.begin(run, stream(ODD.map((id) => question(id))), () => manifestFor(run));
      await store.begin(other, stream([question('nq/1')]), () => manifestFor(other));
      await Promise.all(ODD.map((id) => store.put(run, answer(id))));
      const again = await open();
      const answers = await Promise.all(ODD.map((id) => again.get(run, id)));
      assert.deepEqual(
        answers,
        ODD.map((id) => answer(id)),
      );
      assert.equal(await again.get(run, 'nobody'), undefined);
      assert.equal(await again.get(other, 'nq/1'), undefined);

      const failure = { type: 'Terminated', message: 'By hand.', step: null };
      const failed = { ...answer('nq/1'), result: null, failure, scores: { em: 0, f1: 0 } };
      await store.put(run, failed);
      assert.deepEqual(await store.get(run, 'nq/1'), failed);
      await store.put(run, answer('nq/1'));
      assert.deepEqual(await store.get(run, 'nq/1'), answer('nq/1'));
    }),

    testCase('accepts answers before their run is begun', async (store, run) => {
      await store.put(run, answer('a'));
      assert.equal(await store.manifest(run), undefined);
      await store.begin(run, stream([question('a')]), () => manifestFor(run));
      assert.deepEqual(await (await open()).get(run, 'a'), answer('a'));
    }),

    testCase('deletes a run, and no other whose name begins like its own', async (store, run) => {
      const other = `${run}-2`;
      const ids = Array.from({ length: 40 }, (_, i) => `q${i}`);
      for (const name of [run, other]) {
        await store.begin(name, stream(ids.map((id) => question(id))), () => manifestFor(name));
        for (const id of ids) await store.put(name, answer(id));
      }
      await store.remove(run);
      const again = await open();
      assert.equal(await again.manifest(run), undefined);
      assert.equal(await again.get(run, 'q0'), undefined);
      const listed = (await again.list()).map((one) => one.run);
      assert.ok(!listed.includes(run) && listed.includes(other));
      assert.equal((await allOf(again, other)).length, 40);
      assert.deepEqual(await again.get(other, 'q39'), answer('q39'));

      await store.begin(run, stream([question('q0')]), () => manifestFor(run));
      assert.equal((await allOf(store, run)).length, 1);
      assert.equal(await store.get(run, 'q0'), undefined);
      await store.remove(run);
      // The run does not exist.
      await store.remove(run);
    }),

    testCase('accepts an answer of megabytes', async (store, run) => {
      await store.begin(run, stream([question('a')]), () => manifestFor(run));
      const long = answer('a', { chain: { text: 'Grüße, 世界 🌍 "\\\n'.repeat(60_000) } });
      await store.put(run, long);
      assert.ok(JSON.stringify(await store.get(run, 'a')) === JSON.stringify(long));
    }),

    testCase('lists runs, the newest first', async (store) => {
      const names = [uniqueRunName(), uniqueRunName(), uniqueRunName()];
      for (const [i, run] of names.entries()) {
        const createdAt = `2026-01-0${[2, 1, 3][i]}T00:00:00.000Z`;
        await store.begin(run, stream([question('a')]), () => manifestFor(run, { createdAt }));
      }
      const listed = (await store.list())
        .map(({ run }) => run)
        .filter((run) => names.includes(run));
      assert.deepEqual(listed, [names[2], names[0], names[1]]);
    }),
  ];
}

async function idsOf(store: RunStore, run: string): Promise<string[]> {
  return (await allOf(store, run)).map(({ question }) => question.id);
}

async function allOf(store: RunStore, run: string, from?: number) {
  const found: { question: RunQuestion; next: number }[] = [];
  for await (const one of store.questions(run, from)) found.push(one);
  return found;
}
