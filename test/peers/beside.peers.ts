/** Installed beside other versions of what it uses, durable-rag loads and traces. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { BESIDE, installedBeside } from '../package/beside.js';
import { onDemand } from '../support/on-demand.js';

let tarball: string;
beforeAll(async () => {
  ({ tarball } = await onDemand('packed'));
});

/** Prints whether traces can be begun, with the application's own packages where they were. */
const PROGRAM = `
import { durableRag } from 'durable-rag/worker';
import { startTracing } from './node_modules/durable-rag/dist/workers/tracing/start-tracing.js';
const tracing = await startTracing({ OTEL_TRACES_EXPORTER: 'otlp' }, console.error);
await tracing.close();
console.log(typeof durableRag, typeof tracing.plugin.configureWorker);
`;

it.each(Object.entries(BESIDE))('beside %s', async (_, dependencies) => {
  const temporal = { '@temporalio/interceptors-opentelemetry': '^1.24.0' };
  const { folder } = await installedBeside({ ...dependencies, ...temporal }, tarball);
  const run = (...args: string[]) => promisify(execFile)(process.execPath, args, { cwd: folder });
  const program = await run('--input-type=module', '-e', PROGRAM);
  expect(program.stdout).toBe('function function\n');
  const command = await run(
    join('node_modules', 'durable-rag', 'bin', 'durable-rag.js'),
    'methods',
  );
  expect(command.stdout).toContain('## `sure`');
});

/** Prints how many events Temporal's own reader finds in a history that is JSON. */
const HISTORY = `
const { historyFromJSON } = require('@temporalio/common/lib/proto-utils');
const workflowExecutionStartedEventAttributes = { workflowType: { name: 'base' } };
const eventType = 'EVENT_TYPE_WORKFLOW_EXECUTION_STARTED';
const events = [{ eventId: '1', eventType, workflowExecutionStartedEventAttributes }];
console.log(historyFromJSON({ events }).events.length);
`;

it('beside protobufjs 8 a history that is JSON can be replayed', async () => {
  const { folder } = await installedBeside({ protobufjs: '^8.0.0' }, tarball);
  const read = promisify(execFile)(process.execPath, ['-e', HISTORY], { cwd: folder });
  expect((await read).stdout).toBe('1\n');
});
