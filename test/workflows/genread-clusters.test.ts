import { Client } from '@temporalio/client';
import { describe, expect, it } from 'vitest';
import { tenantCalls } from '../../activities/runtime/tenant-calls.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { tenantAccounts } from '../../stores/tenant-accounts.js';
import { scriptedModel } from '../../testing/scripted-model.js';
import { keptDocuments } from '../support/cluster-job.js';
import { document, reading } from '../support/genread-script.js';
import { sharedHarness } from '../support/harness.js';
import { historyText } from '../support/history.js';

const job = { name: 'topics', run: 'train', clusters: 2, pairs: 2 };

describe('genreadClusters', () => {
  /**
   * GenRead 3.2.2 by hand: 102 questions, one document each; questions and documents on rivers share
   * their words, and so do those on poets, so that K = 2 parts them 51 to 51; n = 2 of each.
   */
  it('makes a demonstration set of a run, which later questions use', async () => {
    const accounts = tenantAccounts(new MemoryStore());
    const tenants = tenantCalls(accounts, { acme: { weight: 2 } });
    const said = [document('A river.'), document('A poet.'), reading('The Danube')];
    const model = scriptedModel(said);
    const harness = await sharedHarness(model, { tenants });
    await keptDocuments(harness.ports, 102, { tenant: 'acme' });
    const started = await harness.client.startClusters(job, { workflowId: harness.id });
    const made = await started.result();
    expect(made).toMatchObject({
      name: 'topics',
      questions: 102,
      leftOut: { failed: 0, empty: 0, withoutAnswer: 0 },
      clusters: [51, 51],
      // Pages of 50, 50 and 2 pairs.
      usage: { calls: 3, cachedCalls: 0 },
      origin: {
        run: 'train',
        method: 'genread',
        embeddingModel: 'fake-words',
        clusters: 2,
        pairs: 2,
        seed: 0,
        questions: 'input',
        questionsHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    });
    await accounts.close();
    expect(await accounts.today('acme')).toMatchObject({ calls: 3, costUsd: made.usage.costUsd });
    expect(await started.progress()).toEqual({ questions: 102, done: 102 });

    const { clusters, size } = await harness.ports.demonstrationSets.get(made.id);
    expect(size).toBe(102);
    const topics = clusters.map(({ pairs }) => pairs.map(({ question }) => question.split(' ')[1]));
    expect(topics.toSorted()).toEqual([
      ['poet', 'poet'],
      ['river', 'river'],
    ]);

    const asked = await harness.client.ask('genread', {
      question: 'Which river flows by Ulm?',
      options: { generation: 'clustered', demonstrationSet: 'topics', documents: 2 },
    });
    expect(asked.chain).toMatchObject({ demonstrationSet: made.id, documents: { length: 2 } });

    const again = await harness.client.startClusters(job, { workflowId: harness.id });
    const usage = { calls: 3, cachedCalls: 3, costUsd: 0 };
    expect(await again.result()).toMatchObject({ id: made.id, usage });

    const { workflow } = new Client({ connection: harness.connection });
    const history = historyText(await workflow.getHandle(harness.id).fetchHistory());
    expect(history).not.toMatch(/Which river|flows by the town/);
  });
});
