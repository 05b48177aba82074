/**
 * A run whose writer is killed while it keeps answers. One that is killed as it begins is in the
 * contract of run stores and in file-runs.test.ts, by what it leaves.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { fileRuns } from '../../../stores/runs/file-runs.js';
import { temporaryFolder } from '../../support/folder.js';

const folder = await temporaryFolder();

test('each answer is there whole, the old one or the new', async () => {
  const child = fork(new URL('./runs-child.mjs', import.meta.url), [folder, 'whole']);
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
