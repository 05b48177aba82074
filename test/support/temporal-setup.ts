/** Runs once before all tests: a real Temporal dev server, and the workflows bundled. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { packageRoot } from '../../stores/package-root.js';
import { freePort } from '../../temporal-dev/tcp-ports.js';
import { startTemporalServer } from '../../temporal-dev/temporal-server.js';
import { bundleEntry } from '../../workers/workflow-bundle.js';
import { ourEntry } from '../../workers/workflow-entry.js';
import { temporalBinary } from './temporal-binary.js';

declare module 'vitest' {
  export interface ProvidedContext {
    temporalAddress: string;
    workflowBundle: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'durable-rag-test-'));
  const binary = await temporalBinary();
  // Of the sources, not of what was built.
  const entry = join(folder, 'entry.js');
  await writeFile(entry, ourEntry(join(packageRoot(), 'workflows')));
  const [server, { code }] = await Promise.all([
    startTemporalServer({
      binary,
      port: await freePort(),
      uiPort: null,
      logFile: join(folder, 'temporal.log'),
      // It lives for minutes: a larger heap costs less than collecting it.
      env: { ...process.env, GOGC: '1000' },
      // A task that no code can follow is told after two attempts in place of five: each lasts longer.
      dynamicConfig: {
        'system.numConsecutiveWorkflowTaskProblemsToTriggerSearchAttribute': '2',
      },
    }),
    bundleEntry({ entry, folders: [{ path: folder, name: 'entry' }] }),
  ]);
  project.provide('temporalAddress', server.address);
  project.provide('workflowBundle', process.env.CI ? withoutSources(code) : code);
  return async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

/** Each of some hundred workers unpacks the map to the sources, which tells errors of workflows. */
function withoutSources(code: string): string {
  const map = { version: 3, file: 'workflow-bundle.js', sources: [], names: [], mappings: '' };
  const plain = code.slice(0, code.lastIndexOf('//# sourceMappingURL=data:'));
  const inline = Buffer.from(JSON.stringify(map)).toString('base64');
  return `${plain}//# sourceMappingURL=data:application/json;base64,${inline}\n`;
}
