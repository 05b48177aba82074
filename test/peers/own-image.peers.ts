/** The image of a method of one's own: installed by the line of its Dockerfile, and started. */
import { execFile } from 'node:child_process';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { packageRoot } from '../../stores/package-root.js';
import { answers } from '../deploy/answers.js';
import { temporaryFolder } from '../support/folder.js';
import { onDemand } from '../support/on-demand.js';

const run = promisify(execFile);
const root = packageRoot();

it("starts the image of a method of one's own", async () => {
  const app = await temporaryFolder();
  await cp(join(root, 'examples', 'own-method'), app, { recursive: true });
  const { tarball } = await onDemand('packed');
  const manifest = JSON.parse(await readFile(join(app, 'package.json'), 'utf8'));
  manifest.dependencies['durable-rag'] = `file:${tarball}`;
  await writeFile(join(app, 'package.json'), JSON.stringify(manifest));
  const dockerfile = await readFile(join(app, 'Dockerfile'), 'utf8');
  const [, install = ''] = /^RUN (npm .*)$/m.exec(dockerfile) ?? [];
  const quick = { npm_config_prefer_offline: 'true', npm_config_audit: 'false' };
  await run('sh', ['-c', install], { cwd: app, env: { ...process.env, ...quick } });

  const place = { cwd: app, root: join(app, 'node_modules', 'durable-rag') };
  const { stdout } = await run(
    process.execPath,
    [join(place.root, 'bin/durable-rag.js'), 'methods'],
    {
      cwd: app,
    },
  );
  expect(stdout).toContain('## `lookTwice`');
  await answers(place, { DURABLE_RAG_RESULTS: 'store' });
});
