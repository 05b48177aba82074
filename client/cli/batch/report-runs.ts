/** `durable-rag report`: one HTML file about runs. */
import type { Surroundings } from '../local.js';
export async function reportRuns(
  _runs: readonly string[],
  _flags: { out: string },
  _surroundings: Surroundings,
): Promise<number> {
  return 0;
}
