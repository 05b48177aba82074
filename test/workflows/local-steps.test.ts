/** Free steps that the worker of a question does by itself, and what becomes of them where it fails. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { Failure } from '../../core/failure.js';
import { fileName } from '../../stores/runs/file-results.js';
import type { RunAnswer } from '../../stores/runs/run-store.js';
import { startHarness } from '../support/harness.js';
import { type History, handleOf } from '../support/history.js';
import { failingSearches, inProcess } from '../support/in-process.js';
import { memoryRuns } from '../support/memory-runs.js';
import { numberModel, questionText, setUpRun } from '../support/run.js';

const scheduled = ({ events }: History) =>
  (events ?? []).flatMap(
    ({ activityTaskScheduledEventAttributes: activity }) => activity?.activityType?.name ?? [],
  );

describe.concurrent('a search in the process', () => {
  it('takes no task of its own, and finds the same', async () => {
    const [here, there] = await Promise.all(
      [{ inProcess }, {}].map(async (changes) => {
        const harness = await startHarness(
          numberModel(() => 'Bell'),
          changes,
        );
        onTestFinished(() => harness.close());
        const workflowId = `local-${harness.id}`;
        const input = { question: questionText(1), options: { passages: 3 } };
        const { chain, retrievals } = await harness.client.ask('base', input, { workflowId });
        const history = await handleOf(harness.connection, workflowId).fetchHistory();
        return { found: { chain, retrievals }, activities: scheduled(history) };
      }),
    );
    expect(here?.found).toEqual(there?.found);
    expect(here?.activities).toEqual(['read']);
    expect(there?.activities).toEqual(['retrieve', 'read']);
  });

  it('that fails becomes an activity, which is tried again', async () => {
    const { corpora, searched } = failingSearches(3);
    const harness = await startHarness(
      numberModel(() => 'Bell'),
      { inProcess, corpora },
    );
    onTestFinished(() => harness.close());
    const workflowId = `local-${harness.id}`;
    const result = await harness.client.ask('base', { question: questionText(1) }, { workflowId });
    expect(result).toMatchObject({ outcome: 'answered', retrievals: 1 });
    expect(searched).toHaveLength(4);
    const history = await handleOf(harness.connection, workflowId).fetchHistory();
    expect(scheduled(history)).toEqual(['retrieve', 'read']);
  });
});

describe('an answer that its own worker records', () => {
  it('is recorded once, and takes no task of its own', async () => {
    const runs = memoryRuns();
    const parts = { inProcess, runs };
    const { client, spec, harness, workflowId } = await setUpRun(
      3,
      () => 'Bell',
      {},
      undefined,
      parts,
    );
    const told = await client.startRun(spec);
    expect(await told.result()).toMatchObject({ done: 3, outcomes: { answered: 3 } });
    const child = handleOf(harness.connection, `${workflowId}/${fileName('n/1')}`);
    expect(scheduled(await child.fetchHistory())).toEqual(['read']);
    expect(await runs.get(spec.run, 'n/1')).toMatchObject({ scores: { em: 1 } });
  });

  it('is the same after a worker that had written it, and could not say so', async () => {
    const runs = memoryRuns();
    const written: RunAnswer[] = [];
    const dies: typeof runs = {
      ...runs,
      async put(run, answer) {
        await runs.put(run, answer);
        written.push(answer);
        if (written.length < 3) throw new Failure('Connection', 'Gone.', { retryAfterMs: 1 });
      },
    };
    const parts = { inProcess, runs: dies };
    const set = await setUpRun(1, () => 'Bell', {}, undefined, parts);
    const told = await set.client.startRun(set.spec);
    expect(await told.result()).toMatchObject({
      done: 1,
      outcomes: { answered: 1, failed: 0 },
      usage: { calls: 1 },
    });
    expect(written).toHaveLength(3);
    const [first] = written;
    const answer = await runs.get(set.spec.run, 'n/0');
    expect({ ...answer, endedAt: '' }).toEqual({ ...first, endedAt: '' });
    expect(set.model.asked).toEqual([0]);
  });
});
