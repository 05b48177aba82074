/** The pairs that a clustering job takes from a run, and what it makes of them. */
import { expect, it } from 'vitest';
import { clusterPairs, openClusterJob, readPairs } from '../../activities/genread-clusters.js';
import { scriptedModel } from '../../testing/scripted-model.js';
import { parseClusterInput } from '../../workflows/cluster-job.js';
import { keptDocuments } from '../support/cluster-job.js';
import { fixedCorpora, testPorts } from '../support/ports.js';

const never = new AbortController().signal;
const ports = (changes: Parameters<typeof testPorts>[1] = {}) =>
  testPorts(scriptedModel([]), changes);
const allPairs = { name: 'all', run: 'train', clusters: 2, pairs: 2, drawnFrom: 'allPairs' };

it('leaves out what has no document, and says why', async () => {
  const here = ports();
  const none = { documents: [], passages: [], demonstrationSet: null, reading: null };
  await keptDocuments(here, 11, {}, (question) => {
    if (question.includes('town 0')) return null;
    if (question.includes('poem 1?')) return { outcome: 'unreadable', answer: null, chain: none };
    const nothing = { ...none, documents: [{ text: 'Nothing of use.' }] };
    return question.includes('town 2') ? { chain: nothing } : undefined;
  });
  const job = parseClusterInput({ ...allPairs, onlyWithAnswer: true });
  expect(await clusterPairs(job, here, never)).toMatchObject({
    leftOut: { failed: 1, empty: 1, withoutAnswer: 1 },
    clusters: [8, 8],
    origin: { drawnFrom: 'allPairs', embeddingModel: null },
  });
});

it('takes the best passage of a run that wrote no document, on one line', async () => {
  const corpora = fixedCorpora([{ id: 'p1', title: 'Any', text: 'The one\npassage.' }]);
  const here = ports({ corpora });
  const read = { passages: [{ id: 'p1', title: 'Any', score: 1 }] };
  await keptDocuments(here, 3, { method: 'base', corpus: 'sample' }, () => ({ chain: read }));
  const { id } = await clusterPairs(parseClusterInput(allPairs), here, never);
  const [pair] = await here.demonstrationSets.pairs(id, 0);
  expect(pair?.document).toBe('The one passage.');
});

it('reads so many pairs at a time, and goes on where it was', async () => {
  const here = ports();
  await keptDocuments(here, 53, {}, (question) => (question.includes('town 0') ? null : undefined));
  const of = { run: 'train', onlyWithAnswer: false };
  const first = await readPairs(of, 0, 50, here, never);
  expect(first).toMatchObject({ questions: 51, pairs: { length: 50 } });
  const rest = await readPairs(of, first.next ?? 0, 50, here, never);
  expect(rest).toMatchObject({ questions: 2, pairs: { length: 2 }, next: null });
});

it.each([
  [{ run: 'gone' }, {}, 'UnknownRun', 'There is no run "gone" to take documents from'],
  [{ clusters: 0 }, {}, 'BadInput', 'clusters: must be a whole number from 1 to 100'],
  [
    { onlyWithAnswer: true },
    { options: { task: 'factChecking' } },
    'BadInput',
    'onlyWithAnswer: is for openQA',
  ],
])('refuses a job of %j', async (change, input, type, says) => {
  const here = ports();
  await keptDocuments(here, 1, input);
  const opening = openClusterJob({ ...allPairs, ...change }, here);
  await expect(opening).rejects.toMatchObject({ type, message: expect.stringContaining(says) });
});

it('refuses fewer pairs than clusters', async () => {
  const here = ports();
  await keptDocuments(here, 1);
  await expect(clusterPairs(parseClusterInput(allPairs), here, never)).rejects.toMatchObject({
    type: 'BadInput',
    message: expect.stringContaining('2 clusters cannot be made of 1 '),
  });
});
