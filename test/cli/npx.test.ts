/** A command that npx has begun ends with the shell that npx sends its signals to. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { packageRoot } from '../../stores/package-root.js';
import { temporaryFolder } from '../support/folder.js';

it('stops a worker in order when its shell is ended by SIGTERM', async () => {
  const home = await temporaryFolder();
  const program = join(packageRoot(), 'bin', 'durable-rag.js');
  // More than one command, so that every shell stays as their parent.
  const shell = spawn('sh', ['-c', `"${process.execPath}" "${program}" worker; true`], {
    env: {
      PATH: process.env.PATH,
      npm_command: 'exec',
      TEMPORAL_ADDRESS: inject('temporalAddress'),
      OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
      DURABLE_RAG_HOME: home,
      DURABLE_RAG_TASK_QUEUE: 'npx',
    },
  });
  let said = '';
  shell.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  // Which the worker holds as well: it closes when both have ended.
  const closed = new Promise((resolve) => {
    shell.on('close', resolve);
  });
  await expect.poll(() => said).toContain('polls');
  shell.kill('SIGTERM');
  await closed;
  expect(said).toContain('Stopping');
});
