/** The train questions of a clustering job are read as those of a run are. */
import { expect, test } from 'vitest';
import { collectTrainQuestions } from '../../activities/jobs/index.js';
import { scriptedModel } from '../../testing/scripted-model.js';
import type { ClusterInput } from '../../workflows/cluster-job.js';
import { trainLines } from '../support/cluster-job.js';
import { testPorts } from '../support/ports.js';

const never = new AbortController().signal;

/** The questions of a job, page by page. */
async function collected(input: Partial<ClusterInput>) {
  const ports = testPorts(scriptedModel([]));
  const { pages } = await collectTrainQuestions({ name: 'set', ...input }, ports, never);
  const read = async ({ id }: { id: string }) => JSON.parse(await ports.texts.get(id));
  return Promise.all(pages.map(read));
}

test.each([
  [{ fields: { question: 'asked', answers: 'said' } }, { asked: 'Who?', said: 'Ada' }],
  [{ as: 'kilt' }, { id: 1, input: 'Who?', output: [{ answer: 'Ada' }], extra: 2 }],
])('%j', async (how, record) => {
  const page = [{ question: 'Who?', answers: ['Ada'] }];
  expect(await collected({ dataset: [record], ...how } as Partial<ClusterInput>)).toEqual([page]);
});

test('a sample is drawn by its own seed, whatever the seed of the model', async () => {
  const sampled = (more: Partial<ClusterInput>) =>
    collected({ dataset: trainLines(30), sample: 9, ...more });
  const drawn = await sampled({});
  expect(drawn.flat()).toHaveLength(9);
  expect(await sampled({ seed: 1 })).toEqual(drawn);
  expect(await sampled({ sampleSeed: 1 })).not.toEqual(drawn);
});

test('a page has two hundred questions', async () => {
  const pages = await collected({ dataset: trainLines(450) });
  expect(pages.map(({ length }) => length)).toEqual([200, 200, 50]);
});

test('a data set that the store does not have is named', async () => {
  await expect(collected({ dataset: 'nowhere' })).rejects.toMatchObject({
    type: 'UnknownText',
    message: expect.stringContaining('"nowhere"'),
  });
});
