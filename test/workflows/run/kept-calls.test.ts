/** The calls that a run keeps with each answer: they replay the question, and no history holds them. */

import { expect, it } from 'vitest';
import { Failure } from '../../../core/failure.js';
import { methods } from '../../../interpreters/methods.js';
import { replay } from '../../../interpreters/replay.js';
import { callsOf } from '../../../stores/runs/call-records.js';
import { safeFileName } from '../../../stores/runs/file-results.js';
import type { RunAnswer, RunStore } from '../../../stores/runs/run-store.js';
import { handleOf, historyText } from '../../support/history.js';
import { questionText, type Reply, setUpRunShared as setUpRun } from '../../support/run.js';
import { memoryRuns } from '../../support/stores.js';

/** Of the length that models write. */
const summary = (n: number) =>
  `The passages say of number ${n} that ${'somebody applied for a patent, and another one did. '.repeat(9)}`;

const reply: Reply = (n, step) =>
  ({
    generateCandidates: n === 0 ? '(a) Bell, (b) Gray' : '...',
    summarize: `${summary(n)}[DONE]`,
    validate: 'True',
    rankPair: 'Passage 1',
  })[step as string] ?? new Failure('ContentRefused', 'No.');

async function sureRun(runs: RunStore) {
  const set = await setUpRun(2, reply, { method: 'sure', options: {} }, undefined, { runs });
  const told = await set.client.startRun(set.spec);
  await told.result();
  const history = async (id: string) =>
    historyText(
      await handleOf(
        set.harness.connection,
        `${set.workflowId}/${safeFileName(id)}`,
      ).fetchHistory(),
    );
  return { ...set, history, runs, answer: (id: string) => runs.get(set.spec.run, id) };
}

it('replays each question of a run, the unreadable one too', async () => {
  const { answer, history } = await sureRun(memoryRuns());
  for (const [n, id] of ['n/0', 'n/1'].entries()) {
    const { result, ...kept } = (await answer(id)) as RunAnswer;
    const calls = callsOf({ ...kept, id }) ?? [];
    const again = await replay(methods.sure, { question: questionText(n), options: {} }, calls);
    const { workflowId: _, build: __, ...expected } = { ...result, build: '' };
    expect({ ...again.result, workflowId: undefined }).toMatchObject(expected);
    expect(again.result.flags.some(({ kind }) => kind === 'reasked')).toBe(n === 1);
    const text = await history(id);
    expect(calls.map(({ address }) => text.includes(address))).not.toContain(true);
  }
  const { calls = '' } = (await answer('n/0')) as RunAnswer;
  expect(calls.length).toBeLessThan(3000);
});

it('are kept by an activity where the own worker cannot write them', async () => {
  const runs = memoryRuns();
  let puts = 0;
  const away: RunStore = {
    ...runs,
    async put(...given) {
      if (++puts <= 2) throw new Failure('Connection', 'Gone.', { retryAfterMs: 1 });
      await runs.put(...given);
    },
  };
  const { answer } = await sureRun(away);
  expect(callsOf((await answer('n/0')) as RunAnswer)).toHaveLength(8);
});
