import { Client } from '@temporalio/client';
import { describe, expect, it } from 'vitest';
import { tenantCalls } from '../../activities/runtime/tenant-calls.js';
import { Failure } from '../../core/failure.js';
import { MemoryStore } from '../../stores/memory-store.js';
import { tenantAccounts } from '../../stores/tenant-accounts.js';
import { clusterHarness, topicModel, trainLines } from '../support/cluster-job.js';
import { historyText } from '../support/history.js';
import { fixedCorpora } from '../support/ports.js';
import { stored } from '../support/run.js';

describe('genreadClusters', () => {
  /**
   * GenRead 3.2.2 by hand: 12 questions, one document each; questions and documents on rivers share
   * their words, and so do those on poets, so that K = 2 parts them six to six; n = 2 of each.
   */
  it('makes a demonstration set of train questions, which later questions use', async () => {
    const model = topicModel();
    const accounts = tenantAccounts(new MemoryStore());
    const tenants = tenantCalls(accounts, { acme: { weight: 2 } });
    const { harness, run } = await clusterHarness(model, { tenants });
    const dataset = trainLines(12);
    const made = await run({ dataset, tenant: 'acme' });
    expect(made).toMatchObject({
      name: 'topics',
      questions: 12,
      leftOut: { failed: 0, empty: 0, withoutAnswer: 0 },
      clusters: [6, 6],
      usage: { calls: 13, cachedCalls: 0 },
      origin: {
        task: 'openQA',
        documents: 'generated',
        corpus: null,
        models: ['scripted-1'],
        prompts: [expect.stringMatching(/^[0-9a-f]{12}$/)],
        embeddingModel: 'fake-words',
        clusters: 2,
        pairs: 2,
        seed: 0,
        sampleSeed: 0,
        questions: 'input',
        questionsHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    });
    expect(model.requests).toHaveLength(12);
    // Its documents, and one request for the vectors of all pairs.
    await accounts.close();
    expect(await accounts.today('acme')).toMatchObject({ calls: 13, costUsd: made.usage.costUsd });

    const { clusters, size } = await harness.ports.demonstrationSets.get(made.id);
    expect(size).toBe(12);
    const topics = clusters.map(({ pairs }) => pairs.map(({ question }) => question.split(' ')[1]));
    expect(topics.toSorted()).toEqual([
      ['poet', 'poet'],
      ['river', 'river'],
    ]);
    const [{ question, document } = { question: '', document: '' }] = clusters[0]?.pairs ?? [];
    expect(document).toContain(/\d+/.exec(question)?.[0]);

    const asked = await harness.client.ask('genread', {
      question: 'Which river flows by Ulm?',
      options: { generation: 'clustered', demonstrationSet: 'topics', documents: 2 },
      limits: { reasks: 0 },
    });
    expect(asked.chain).toMatchObject({ demonstrationSet: made.id, documents: { length: 2 } });
    const prompts = model.requests.slice(12).map(({ messages }) => messages[0]?.content ?? '');
    expect(prompts.filter((prompt) => prompt.includes('<example number="2">'))).toHaveLength(2);
  });

  it('gives the same set for the same seed, and pays for nothing twice', async () => {
    const model = topicModel();
    const { run } = await clusterHarness(model);
    const dataset = trainLines(20);
    const { id } = await run({ dataset, seed: 3 });
    const usage = { calls: 21, cachedCalls: 21, costUsd: 0 };
    expect(await run({ dataset, seed: 3 })).toMatchObject({ id, usage });
    expect(model.requests).toHaveLength(20);
    expect((await run({ dataset, seed: 4, models: {} })).id).not.toBe(id);
  });

  it('takes the best passage for the document where that is asked for', async () => {
    const model = topicModel();
    const corpora = fixedCorpora([{ id: 'p1', title: 'Any', text: 'The one\npassage.' }]);
    const { harness, run } = await clusterHarness(model, { corpora });
    const dataset = trainLines(8);
    const made = await run({ dataset, documents: 'retrieved', corpus: 'sample' });
    expect(model.requests).toEqual([]);
    expect(made).toMatchObject({
      clusters: [4, 4],
      usage: { calls: 1 },
      origin: { documents: 'retrieved', corpus: 'sample', models: [], prompts: [] },
    });
    const [pair] = (await harness.ports.demonstrationSets.get(made.id)).clusters[0]?.pairs ?? [];
    expect(pair?.document).toBe('The one passage.');
  });

  it('goes on without the questions that have no document', async () => {
    const { run } = await clusterHarness(
      topicModel((question) => {
        if (question.includes('town 0')) throw new Failure('ContentRefused', 'Not this one.');
        if (question.includes('poem 1?')) return '...';
        return question.includes('town 2') ? 'Nothing of use.' : undefined;
      }),
    );
    const dataset = [...trainLines(10), { id: 'none', question: 'Which river has no answers?' }];
    const made = await run({ dataset, onlyWithAnswer: true });
    expect(made).toMatchObject({
      questions: 11,
      leftOut: { failed: 1, empty: 1, withoutAnswer: 2 },
      clusters: [4, 3],
    });
    // Ten were read at the first try, one was asked three times; and one request for embeddings.
    expect(made.usage.calls).toBe(9 + 3 + 1);
  });

  it('stops at a failure that every question would meet', async () => {
    const { run } = await clusterHarness(
      topicModel(() => {
        throw new Failure('QuotaExhausted', 'The account has no credit left.');
      }),
    );
    const dataset = trainLines(10);
    await expect(run({ dataset })).rejects.toMatchObject({
      type: 'QuotaExhausted',
      message: expect.stringContaining('no credit'),
    });
  });

  it('keeps its histories short and free of texts, however many claims there are', async () => {
    const model = topicModel();
    const { harness, run } = await clusterHarness(model);
    const dataset = await stored(trainLines(202), harness.ports);
    const made = await run({ dataset, window: 50, task: 'factChecking' });
    expect(model.requests[0]?.messages[0]?.content).toContain('supports or refutes');
    expect(made.clusters).toEqual([101, 101]);
    // 202 documents; pages of 200 and 2 pairs in requests of 50.
    expect(made.usage.calls).toBe(202 + 5);

    const { workflow } = new Client({ connection: harness.connection });
    const runs = [];
    const query = `WorkflowId = '${harness.id}-0'`;
    for await (const { workflowId, runId } of workflow.list({ query })) {
      runs.push(await workflow.getHandle(workflowId, runId).fetchHistory());
    }
    expect(runs).toHaveLength(2);
    for (const history of runs) {
      expect(history.events?.length).toBeLessThan(2000);
      expect(historyText(history).length).toBeLessThan(1_500_000);
      expect(historyText(history)).not.toMatch(/Which river|flows by the town/);
    }
  });
});
