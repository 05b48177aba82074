/** Free steps that the worker of a question does by itself, and what becomes of them where it fails. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { fileName } from '../../stores/runs/file-results.js';
import { startHarness } from '../support/harness.js';
import { type History, handleOf, scheduledIn } from '../support/history.js';
import { failingSearches, inProcess } from '../support/in-process.js';
import { memoryRuns } from '../support/memory-runs.js';
import { numberModel, questionText, setUpRun } from '../support/run.js';

const scheduled = (history: History) => scheduledIn(history).map(({ name }) => name);

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
});
