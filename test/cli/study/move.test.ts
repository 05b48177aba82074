/** A study as one file: out of one machine, into another, verified and asked again there. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { create, extract } from 'tar';
import { expect, onTestFinished, test } from 'vitest';
import { commandLine, commandLineOver } from '../../support/command-line.js';
import { promptOf } from '../../support/telephone.js';

test('moves, is verified, and is asked once more with another model', async () => {
  const { server, cli: here } = await commandLineOver((request) => ({
    text: promptOf(request).includes('sky') ? 'blue' : 'green',
  }));
  const there = await commandLine(server.baseUrl);
  onTestFinished(() => there.remove());
  const name = `moved-${randomUUID().slice(0, 8)}`;
  const passages = ['Grass is green.', 'The sky is blue.'];
  await here.write(
    'colours.jsonl',
    { id: 'sky', question: 'What colour has the sky?', answers: ['blue'], passages },
    { id: 'grass', question: 'What colour has grass?', answers: ['green'], passages },
  );
  const study = join(here.home, 'study.yaml');
  const lines = [`name: ${name}`, 'methods: [base, chainOfThought]', 'datasets: [colours.jsonl]'];
  await writeFile(study, `${[...lines, 'models: [small]', 'baseline: base'].join('\n')}\n`);
  await here.ok(['study', 'run', study]);
  const file = join(here.home, `${name}.tar.gz`);
  const exported = await here.json(['study', 'export', name, file]);
  expect(exported).toMatchObject({ study: name, datasets: ['colours'] });
  expect(exported.runs).toHaveLength(2);

  const verified = await there.json(['runs', 'verify', file]);
  expect(verified.runs).toMatchObject([
    { verdict: 'ok', answers: 2, replayed: 2 },
    { verdict: 'ok', answers: 2, replayed: 2 },
  ]);
  // Of two imports at once one takes all of it, and the other says that it is here.
  const imports = ['one', 'other'].map(() => there.run(['study', 'import', file]));
  const [first, second] = (await Promise.all(imports)).sort(
    (a, b) => Number(a.code) - Number(b.code),
  );
  expect(first?.code).toBe(0);
  expect([second?.code, second?.stderr]).toEqual([
    7,
    expect.stringMatching(/2 of 2 runs of "moved-\w+" are here already: .*\.$/m),
  ]);
  expect((await there.ok(['study', 'table', name])).stdout).toBe(
    (await here.ok(['study', 'table', name])).stdout,
  );
  expect((await there.ok(['runs', 'verify', name])).stdout).toMatch(/OK[\s\S]*OK/);

  // The questions are in the file: nothing of the first machine is needed.
  const before = server.requests.length;
  await there.ok(['study', 'rerun', file, '--model', 'large', '--dry-run']);
  expect(server.requests).toHaveLength(before);
  await there.ok(['study', 'rerun', file, '--model', 'large', '--name', `${name}-large`]);
  expect(server.requests.slice(before).map(({ body }) => body.model)).toContain('large');
  const compared = await there.json(['compare', ...exported.runs.slice(0, 1), `${name}-large`]);
  expect(compared.runs).toHaveLength(3);
  const manifests = await there.json(['runs']);
  expect(manifests.map(({ run }: { run: string }) => run)).toEqual(
    expect.arrayContaining(exported.runs),
  );

  const inside = await mkdtemp(join(there.home, 'inside-'));
  await extract({ file, cwd: inside });
  const path = join(inside, 'study.json');
  await writeFile(path, (await readFile(path, 'utf8')).replace('small', 'other'));
  const contents = JSON.parse(await readFile(join(inside, 'archive.json'), 'utf8'));
  await create({ gzip: true, file, cwd: inside }, ['archive.json', ...Object.keys(contents.parts)]);
  const altered = await there.run(['runs', 'verify', file]);
  expect([altered.code, altered.stdout]).toEqual([9, expect.stringContaining('study.json')]);
});
