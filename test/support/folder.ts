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
const left: (() => unknown)[] = [];

/** Does some work once the test file has ended that is running. */
export function afterFile(work: () => unknown): void {
  left.push(work);
}

/** Does what was left for the end of the test file. */
export async function endFile(): Promise<void> {
  for (const work of left.splice(0)) await work();
}
