/** Folders of tests. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterFile } from './after-file.js';

/** Makes a folder that is removed when the test file ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'durable-rag-test-'));
  afterFile(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
