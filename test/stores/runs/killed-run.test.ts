/** Runs whose writer is killed. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { fileRuns } from '../../../stores/runs/file-runs.js';
import { manifestFor, question, stream } from '../../../testing/run-records.js';
import { temporaryFolder } from '../../support/folder.js';

const folder = await temporaryFolder();

const writer = (run: string, during: string) =>
  fork(new URL('./runs-child.mjs', import.meta.url), [folder, run, during]);

test('killed while the questions are written: the run is not there, and can be begun', async () => {
  const [, signal] = await once(writer('half', 'begin'), 'exit');
  expect(signal).toBe('SIGKILL');
  expect(await readdir(join(folder, 'half'))).toEqual([expect.stringMatching(/\.tmp$/)]);

  const store = fileRuns(folder);
  expect(await store.manifest('half')).toBeUndefined();
  expect(await store.list()).toEqual([]);
  await store.begin('half', stream([question('a')]), () => manifestFor('half'));
  expect((await store.list()).map(({ run }) => run)).toEqual(['half']);
});

test('killed while answers are written: each is there whole, the old one or the new', async () => {
  const child = writer('whole', 'put');
  await once(child, 'message');
  await sleep(100 * Math.random());
  child.kill('SIGKILL');
  await once(child, 'exit');

  const store = fileRuns(folder);
  for (let i = 0; i < 20; i++) {
    const { round, text } = Object(await store.get('whole', `q${i}`));
    expect(round).toBeGreaterThanOrEqual(1);
    expect(text === `${round} `.repeat(100_000)).toBe(true);
  }
});
