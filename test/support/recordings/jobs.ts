/** The jobs that prepare something for later questions: training data, demonstration sets. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from '@temporalio/client';
import { expect, onTestFinished } from 'vitest';
import { collectTrainQuestions } from '../../../activities/clusters/collect-train-questions.js';
import type { ClusterInput } from '../../../methods/cluster-job.js';
import { Failure } from '../../../methods/failure.js';
import type { TrainingInput } from '../../../methods/training-job.js';
import { numberModel, questionText, type Reply, soon } from '../batch.js';
import { topicModel, trainFile, trainLines } from '../cluster-job.js';
import { handleOf, historiesOf } from '../history.js';
import { type Played, type Recording, recordingHarness } from './recording.js';

const NOTES = 'Note 1 (relevant): It names Bell.\nNote 2 (irrelevant): Rivers.\nAnswer: Bell';
const outOfCredit = new Failure('QuotaExhausted', 'No credit.');

/** A training-data job over so many questions. */
async function train(
  questions: number,
  reply: Reply,
  input: Partial<TrainingInput> = {},
  filler = '',
) {
  const folder = await mkdtemp(join(tmpdir(), 'durable-rag-recorded-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const model = numberModel(reply);
  const { client, connection } = await recordingHarness(model);
  const dataset = join(folder, 'train.jsonl');
  const lines = Array.from({ length: questions }, (_, i) =>
    JSON.stringify({ id: i, question: `${questionText(i)}${filler}` }),
  );
  await writeFile(dataset, lines.join('\n'));
  const job = { dataset, out: join(folder, 'out'), passages: 2, window: 1, ...input };
  const workflowId = 'recorded-training';
  const handle = await client.startTraining(job, { workflowId });
  const first = (await handleOf(connection, workflowId).describe()).runId;
  const played = async (): Promise<Played> => ({
    histories: await historiesOf(connection, workflowId, first),
    folder,
  });
  return { handle, model, played };
}

const training: Record<string, Recording> = {
  'training data': {
    files: ['chain-of-note-training'],
    async play() {
      const { handle, played } = await train(3, (number) =>
        number === 1 ? new Failure('ContentRefused', 'No.') : NOTES,
      );
      expect(await handle.result()).toMatchObject({ examples: 2, failed: 1 });
      return played();
    },
  },

  /** Each so long, in bytes, that nine of them fill a page. */
  'training data on two pages': {
    files: ['chain-of-note-training-page', 'chain-of-note-training-last-page'],
    async play() {
      const { handle, played } = await train(10, () => NOTES, {}, ` ${'…'.repeat(19_500)}`);
      expect(await handle.result()).toMatchObject({ examples: 10 });
      return played();
    },
  },

  'training data that is cancelled': {
    files: ['chain-of-note-training-cancelled'],
    async play() {
      const { handle, model, played } = await train(2, () => 'hang');
      await soon(() => expect(model.flight.now).toBe(1));
      await handle.cancel();
      await expect(handle.result()).rejects.toThrow();
      return played();
    },
  },

  'training data without credit': {
    files: ['chain-of-note-training-stopped'],
    async play() {
      const { handle, played } = await train(2, () => outOfCredit);
      await expect(handle.result()).rejects.toThrow('No credit.');
      return played();
    },
  },
};

/** A clustering job over so many questions, whose model may say something of its own. */
async function cluster(
  questions: number,
  say?: (question: string) => string | undefined,
  change: Partial<ClusterInput> = {},
  pages = 1,
) {
  const { connection, taskQueue, ports } = await recordingHarness(topicModel(say));
  const dataset = await trainFile(trainLines(questions));
  const input = { name: 'topics', dataset, clusters: 2, pairs: 2, window: 1, ...change };
  // A page of its own has 200 questions, which would make a long recording.
  const collected = await collectTrainQuestions(input, ports, AbortSignal.timeout(60_000));
  const before = { collected: { ...collected, pages: collected.pages.flatMap((p) => [p, p]) } };
  const workflowId = 'recorded-clusters';
  const handle = await new Client({ connection }).workflow.start('genreadClusters', {
    ...{ taskQueue, workflowId, args: pages === 1 ? [input] : [input, before] },
  });
  const played = async (): Promise<Played> => ({
    histories: await historiesOf(connection, workflowId, handle.firstExecutionRunId),
    folder: dirname(dataset),
  });
  return { handle, played };
}

const clusters: Record<string, Recording> = {
  clusters: {
    files: ['genread-clusters'],
    async play() {
      const { handle, played } = await cluster(6, (question) => {
        if (question.includes('town 0')) throw new Failure('ContentRefused', 'Not this one.');
        return undefined;
      });
      expect(await handle.result()).toMatchObject({ questions: 6, leftOut: { failed: 1 } });
      return played();
    },
  },

  'clusters of passages': {
    files: ['genread-clusters-retrieved'],
    async play() {
      const { handle, played } = await cluster(4, undefined, { documents: 'retrieved' });
      expect(await handle.result()).toMatchObject({ origin: { documents: 'retrieved' } });
      return played();
    },
  },

  'clusters on two pages': {
    files: ['genread-clusters-page', 'genread-clusters-last-page'],
    async play() {
      const { handle, played } = await cluster(4, undefined, {}, 2);
      expect(await handle.result()).toMatchObject({ questions: 4 });
      return played();
    },
  },

  'clusters without credit': {
    files: ['genread-clusters-stopped'],
    async play() {
      const { handle, played } = await cluster(4, () => {
        throw outOfCredit;
      });
      await expect(handle.result()).rejects.toThrow();
      return played();
    },
  },
};

export const jobRecordings = { ...training, ...clusters };
