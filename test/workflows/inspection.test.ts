/** What a person sees of a question in Temporal: the history, the summaries, the search. */
import { randomUUID } from 'node:crypto';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { createClient } from '../../client/index.js';
import { Failure } from '../../core/failure.js';
import type { MethodInput } from '../../core/options/input.js';
import type { Passage } from '../../core/vocabulary.js';
import { type ScriptedReply, scriptedModel } from '../../testing/scripted-model.js';
import type { SureOptions } from '../../workflows/methods/sure/sure.js';
import { sharedHarness } from '../support/harness.js';
import { historyText, stepsIn } from '../support/history.js';
import { fixedCorpora } from '../support/ports.js';
import { soon } from '../support/run.js';
import { QUESTION as question, telephoneScript } from '../support/telephone.js';

const SUMMARY_LENGTH = 600;

/** As long as those of Wikipedia. */
const corpus: Passage[] = Array.from({ length: 10 }, (_, i) => ({
  id: `${3_184_207 + i}`,
  title: `Elisha Gray and Alexander Bell telephone controversy ${i}`,
  text: `SECRET-TEXT ${i} ${'The patent was granted on the seventh of March 1876. '.repeat(15)}`,
}));

async function ask(
  script: ScriptedReply[] = telephoneScript(),
  input: Partial<MethodInput<SureOptions>> = {},
  changes: Parameters<typeof sharedHarness>[1] = {},
) {
  const harness = await sharedHarness(scriptedModel(script), changes);
  const started = await harness.client.start(
    'sure',
    { question, ...input },
    { workflowId: harness.id },
  );
  const result = await started.result();
  const client = new Client({ connection: harness.connection });
  const handle = client.workflow.getHandle(started.workflowId);
  return { result, client, handle, history: await handle.fetchHistory() };
}

const PREPARED = 'prepare: Checks the input, and opens its passages or corpus';

async function currentDetails(handle: WorkflowHandle): Promise<string> {
  const metadata = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  return metadata.currentDetails;
}

describe('the Temporal UI', () => {
  it('shows the method, step by step', async () => {
    const { handle, history } = await ask();
    expect(stepsIn(history)).toEqual([
      PREPARED,
      `retrieve: 10 for "${question}"`,
      'generateCandidates: 2 candidates',
      'summarize: candidate 1: Bell',
      'summarize: candidate 2: Gray',
      ...Array(4).fill(expect.stringMatching(/^(validate|rankPair): /)),
    ]);
    expect(stepsIn(history).slice(5).sort()).toEqual([
      'rankPair: summary 1 against 2',
      'rankPair: summary 2 against 1',
      'validate: candidate: Bell',
      'validate: candidate: Gray',
    ]);
    const description = await handle.describe();
    expect(description.type).toBe('sure');
    expect(await description.staticSummary()).toBe(question);
    const table = (await currentDetails(handle)).split('\n');
    expect(table.slice(0, 6)).toEqual([
      '| step | of | state |',
      '| --- | --- | --- |',
      `| retrieve | 10 for "${question}" | done |`,
      '| generateCandidates | 2 candidates | done |',
      '| summarize | candidate 1: Bell | done |',
      '| summarize | candidate 2: Gray | done |',
    ]);
    expect(table).toHaveLength(10);
  });

  it('shows what was asked again, and what failed', async () => {
    const { handle, history } = await ask([
      { step: 'generateCandidates', say: '...' },
      { step: 'generateCandidates', say: new Failure('ContentRefused', 'No.') },
    ]);
    expect(stepsIn(history).at(-1)).toBe('generateCandidates: 2 candidates (asked again, 1)');
    expect(await currentDetails(handle)).toContain(
      '| generateCandidates | 2 candidates | failed, asked again 1x |',
    );
  });
});

describe('search attributes', () => {
  it('find a question by method, run, data set and outcome', async () => {
    const run = `run-${Date.now()}`;
    const labels = { run, dataset: 'nq' };
    const { client, handle, history } = await ask(telephoneScript(), { labels });
    const { searchAttributes } = await handle.describe();
    expect(searchAttributes).toMatchObject({
      QaMethod: ['sure'],
      QaRun: [run],
      QaDataset: ['nq'],
      QaOutcome: ['answered'],
    });
    const query = `QaMethod = "sure" AND QaRun = "${run}" AND QaDataset = "nq" AND QaOutcome = "answered"`;
    await soon(async () => expect((await client.workflow.count(query)).count).toBe(1));
    // Those that it was started with are not written again.
    const written = (history.events ?? []).flatMap((event) => {
      const { searchAttributes } = event.upsertWorkflowSearchAttributesEventAttributes ?? {};
      return searchAttributes ? [Object.keys(searchAttributes.indexedFields ?? {})] : [];
    });
    expect(written).toEqual([['QaOutcome']]);
  });

  it.each([
    ['bad input', { options: { candidates: -1 } }, 'BadInput'],
    ['a corpus that is not there', { retrieval: { corpus: 'lost-for-good' } }, 'UnknownCorpus'],
  ])('find a question that failed by %s, whoever started it', async (_, wrong, type) => {
    const { client: asking, handle } = await ask(telephoneScript());
    const { taskQueue } = await handle.describe();
    const options = {
      taskQueue,
      workflowId: `${handle.workflowId}-wrong`,
      args: [{ question, ...wrong }],
    };
    const failed = await asking.workflow.start('sure', options);
    await expect(failed.result()).rejects.toMatchObject({ cause: { type } });
    const { searchAttributes } = await failed.describe();
    expect(searchAttributes).toMatchObject({ QaMethod: ['sure'], QaOutcome: ['failed'] });
  });

  it('are not written where nobody knows of them', async () => {
    const { client: asking, handle } = await ask(
      telephoneScript(),
      {},
      { searchAttributes: false },
    );
    const { taskQueue } = await handle.describe();
    const input = { question, options: { passages: 2 } };
    const options = { taskQueue, workflowId: `${handle.workflowId}-bare`, args: [input] };
    const bare = await asking.workflow.start('sure', options);
    await bare.result().catch(() => {});
    const { searchAttributes } = await bare.describe();
    expect(Object.keys(searchAttributes).filter((name) => name.startsWith('Qa'))).toEqual([]);
  });

  it('keep no question from starting where the server lacks them', async () => {
    const connection = await Connection.connect({ address: inject('temporalAddress') });
    onTestFinished(() => connection.close());
    const namespace = `bare-${randomUUID()}`;
    const workflowExecutionRetentionPeriod = msToTs('1 day');
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod,
    });
    const client = await createClient({ connection, namespace, taskQueue: 'of-nobody' });
    const { workflowId } = await soon(() => client.start('base', { question }));
    const handle = new Client({ connection, namespace }).workflow.getHandle(workflowId);
    const { status, searchAttributes } = await handle.describe();
    expect(status.name).toBe('RUNNING');
    expect(searchAttributes).not.toHaveProperty('QaMethod');
    await handle.terminate();
  });
});

describe('the history', () => {
  it('holds no text of a passage, and stays small', async () => {
    const changes = { corpora: fixedCorpora(corpus) };
    const { handle, history } = await ask(telephoneScript(SUMMARY_LENGTH), {}, changes);
    expect(historyText(history).includes('telephone controversy 3')).toBe(true);
    expect(historyText(history).includes('SECRET-TEXT')).toBe(false);
    const { historySize = 0 } = await handle.describe();
    expect(historySize).toBeGreaterThan(0);
    expect(historySize).toBeLessThan(60_000);
  });

  it('holds passages that came with the question once, in its input', async () => {
    const passages = corpus.map(({ title, text }) => ({ title, text }));
    const { result, history } = await ask(telephoneScript(), { retrieval: { passages } });
    expect(result.evidence).toHaveLength(10);
    expect(historyText(history).split('SECRET-TEXT 7')).toHaveLength(2);
  });
});
