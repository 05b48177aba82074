/** Temporary folders of tests, and work for the end of a test file. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes a folder that is removed when the test file ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'durable-rag-test-'));
  afterFile(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Work for the end of a test file, whose process goes on with others. */
const left = new Set<() => unknown>();

/** Does some work, once, when the test file that runs has ended. */
export function afterFile(work: () => unknown): void {
  left.add(work);
}

/** Does what was left for the end of the test file. */
export async function endFile(): Promise<void> {
  const all = [...left];
  left.clear();
  for (const work of all) await work();
}
