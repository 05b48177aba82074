/** A connection that is closed while the SDK waits to try a call again. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { packageRoot } from '../../stores/package-root.js';

const LEAVES_A_CALL = `
  const { Connection } = await import('@temporalio/client');
  const connection = Connection.lazy({ address: '127.0.0.1:1' });
  connection.workflowService.getSystemInfo({}).catch(() => {});
  await new Promise((done) => setTimeout(done, 50));
  await connection.close();
  await new Promise((done) => setTimeout(done, 2000));
  console.log('still here');`;

const run = (code: string) =>
  promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], {
    cwd: packageRoot(),
  }).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    ({ code: status, stdout, stderr }) => ({ code: status, stdout, stderr }),
  );

const SURVIVES = `
  const { surviveClosedChannels } = await import('./dist/cli/runtime.js');
  surviveClosedChannels();`;

it('does not end a command', async () => {
  expect(await run(SURVIVES + LEAVES_A_CALL)).toMatchObject({ code: 0, stdout: 'still here\n' });
});

it('ends it for any other error that nobody caught', async () => {
  const other = "setTimeout(() => { throw new Error('of another kind'); }, 10);";
  const { code, stderr } = await run(SURVIVES + other);
  expect(code).toBe(1);
  expect(stderr).toContain('of another kind');
});
