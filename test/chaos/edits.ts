/** Files that somebody edits while runs use them, and what the product says to it. */
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunHandle } from '../../client/run.js';

const POLL_MS = 250;
/** Longer than from one question's beginning to the next one's, on a busy machine. */
const HEARD_MS = 90_000;

/**
 * Edits a prompt for so many milliseconds, and for as long as it takes until the run that reads it
 * says so.
 *
 * @returns What the run says while it is paused for it; undefined where none of its questions
 *   began in that time.
 */
export async function editPrompt(
  file: string,
  ms: number,
  run: RunHandle,
): Promise<string | undefined> {
  const restore = await edit(file, '\nThink of nothing else.\n');
  const until = Date.now() + HEARD_MS;
  try {
    await sleep(ms);
    while (Date.now() < until) {
      const progress = await run.progress().catch(() => undefined);
      if (progress?.pause?.reason === 'RunMismatch') return progress.pause.message;
      if (progress && progress.done + progress.running >= progress.questions) return undefined;
      await sleep(POLL_MS);
    }
    return undefined;
  } finally {
    await restore();
  }
}

/** @returns What puts the file back as it was. */
async function edit(file: string, more: string): Promise<() => Promise<void>> {
  const before = await readFile(file);
  await appendFile(file, more);
  return () => writeFile(file, before);
}
