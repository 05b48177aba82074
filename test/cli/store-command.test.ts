/** `durable-rag store`: what is kept, how large and how old, and forgetting the old. */
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { parseAge, pruneStore, showStore } from '../../cli/store.js';
import { passageKey } from '../../retrieval/supplied-passages.js';
import { deploymentNamespace } from '../../stores/deployment.js';
import { openStore } from '../../stores/open-store.js';
import { fileRuns } from '../../stores/runs/file-runs.js';
import { cliContext } from '../support/cli-context.js';
import { temporaryFolder } from '../support/folder.js';
import { manifestOf } from '../support/runs/example-runs.js';
import { keysOf } from '../support/stores.js';

const NOW = Date.parse('2026-06-30T12:00:00Z');
const DAY = 86_400_000;

let home = '';
beforeEach(async () => {
  home = await temporaryFolder();
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const context = (env: Record<string, string> = {}) =>
  cliContext({ env: { DURABLE_RAG_HOME: home, ...env }, home });

/** Writes a value of so many bytes, so many days ago. */
async function keep(namespace: string, key: string, days: number, bytes = 10): Promise<void> {
  vi.setSystemTime(NOW - days * DAY);
  const store = await openStore(join(home, 'store'), namespace);
  await store.set(key, 'x'.repeat(bytes));
  await store.close();
  vi.setSystemTime(NOW);
}

async function keys(namespace: string): Promise<string[]> {
  const store = await openStore(join(home, 'store'), namespace);
  return keysOf(store).finally(() => store.close());
}

describe('store', () => {
  test('shows entries, sizes and ages of each part', async () => {
    await keep('responses', 'a', 40, 3_000_000);
    await keep('responses', 'b', 1, 1_000_000);
    await keep('passages', 'p', 2);
    await keep('pool', 'q', 3);
    const { text } = await showStore(context());
    expect(text).toContain(`Store ${join(home, 'store')}\n`);
    expect(text).toMatch(/^responses +2 entries +4 MB +2026-05-21 to 2026-06-29$/m);
    expect(text).toMatch(/^passages +1 entries +1 kB +2026-06-28 to 2026-06-28$/m);
    expect(text).toMatch(/^pool +1 entries +1 kB +2026-06-27 to 2026-06-27$/m);
    expect(text).toMatch(/^embeddings +0 entries/m);
  });

  test('is that of the deployment', async () => {
    await keep('responses', 'a', 1);
    const { value } = await showStore(context({ DURABLE_RAG_DEPLOYMENT: 'staging' }));
    expect(value).toMatchObject({
      deployment: 'staging',
      parts: { responses: { entries: 0 } },
    });
  });
});

describe('store prune', () => {
  test('deletes the old of the caches, and nothing that runs refer to', async () => {
    for (const namespace of [
      'responses',
      'embeddings',
      'relevance',
      'passages',
      'demonstrations',
    ]) {
      await keep(namespace, 'old', 31);
      await keep(namespace, 'young', 29);
    }
    await keep('responses', 'lease:v1-x', 31);
    await keep(deploymentNamespace('responses', 'staging'), 'old', 31);
    const { text } = await pruneStore({ olderThan: '30d' }, context());
    expect(text).toMatch(/^responses +deleted 1 entries/m);
    expect(await keys('responses')).toEqual(['lease:v1-x', 'young']);
    expect(await keys('embeddings')).toEqual(['young']);
    expect(await keys('relevance')).toEqual(['young']);
    expect(await keys('passages')).toEqual(['old', 'young']);
    expect(await keys('demonstrations')).toEqual(['old', 'young']);
    expect(await keys(deploymentNamespace('responses', 'staging'))).toEqual(['old']);
  });

  test('deletes passages that came with questions, but for those of runs that are kept', async () => {
    for (const id of ['read', 'left']) await keep('passages', passageKey(id), 31);
    await keep('passages', 'imported:r:p', 31);
    const runs = fileRuns(join(home, 'runs'));
    async function* questions() {
      const stored = [{ id: 'read', title: 'Bell', score: 1 }];
      yield { id: 'q', question: 'Who?', answers: ['Bell'], answerKind: 'span' as const, stored };
    }
    await runs.begin('r', questions(), () =>
      manifestOf({ run: 'r', method: 'base', questions: 1 }),
    );
    const { text } = await pruneStore({ olderThan: '30d', dryRun: true }, context());
    expect(text).toMatch(/^passages +would delete 1 entries/m);
    await pruneStore({ olderThan: '30d' }, context());
    expect(await keys('passages')).toEqual(['imported:r:p', passageKey('read')]);
    await runs.remove('r');
    await pruneStore({ olderThan: '30d' }, context());
    expect(await keys('passages')).toEqual(['imported:r:p']);
  });

  test('what is written again is young again', async () => {
    await keep('responses', 'a', 31);
    await keep('responses', 'a', 1);
    await pruneStore({ olderThan: '30d' }, context());
    expect(await keys('responses')).toEqual(['a']);
  });

  test('that are only counted are named with what deletes them', async () => {
    await keep('responses', 'a', 40);
    const { text, next } = await pruneStore({ olderThan: '30d', dryRun: true }, context());
    expect(text).toMatch(/^responses +would delete 1 entries/m);
    expect(next).toBe('durable-rag store prune --older-than 30d');
    await expect(pruneStore({ olderThan: 'old' }, context())).rejects.toMatchObject({
      type: 'BadInput',
    });
    expect(await keys('responses')).toEqual(['a']);
  });

  test('more than a page goes', async () => {
    vi.setSystemTime(NOW - 31 * DAY);
    const store = await openStore(join(home, 'store'), 'responses');
    await Promise.all(Array.from({ length: 1203 }, (_, i) => store.set(`k${i}`, 'v')));
    await store.close();
    vi.setSystemTime(NOW);
    const { value } = await pruneStore({ olderThan: '30d' }, context());
    expect(value).toMatchObject({ pruned: { responses: { entries: 1203, bytes: 1203 } } });
    expect(await keys('responses')).toEqual([]);
  });

  test.each([
    ['30d', 30 * DAY],
    ['12h', DAY / 2],
    ['1.5d', 1.5 * DAY],
    ['2w', 14 * DAY],
    ['90m', 5_400_000],
  ])('%s is an age', (text, ms) => expect(parseAge(text)).toBe(ms));
});
