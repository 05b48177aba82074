/** What durable-rag is compared with: programs that make the same calls in this process. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { packageRoot } from '../../stores/package-root.js';
import type { Remote } from './remote.js';
import type { SureCalls } from './sure-calls.js';
import type { WorkerRequest, WorkerUsage } from './worker-usage.js';

/** Answers a question, and forgets the answer. */
export type Ask = (question: string) => Promise<void>;

export interface Peer {
  name: string;
  ask: Ask;
  /** The worker that does the work, where this process does not. */
  worker?: Remote<WorkerRequest, WorkerUsage>;
  /** Questions that it has under way at most; any number where there is none. */
  atMost?: number;
}

/** Along the same dependencies as the workflow: what can go at once does. */
export function concurrentScript(calls: SureCalls): Ask {
  return async (question) => {
    const found = await calls.retrieve(question);
    const candidates = await calls.generateCandidates(question, found);
    const summaries = candidates.map((_, k) => calls.summarize(question, found, candidates, k));
    const verdicts = summaries.map(async (one) => calls.validate(question, await one));
    const votes = calls
      .pairsOf(summaries)
      .map(async ([one, other]) => calls.rankPair(question, await one, await other));
    await Promise.all([...verdicts, ...votes]);
  };
}

/** As the paper's own script does: one call after the other, one question after the other. */
export function oneByOneScript(calls: SureCalls): Ask {
  return async (question) => {
    const found = await calls.retrieve(question);
    const candidates = await calls.generateCandidates(question, found);
    const summaries = [];
    for (const k of candidates.keys()) {
      summaries.push(await calls.summarize(question, found, candidates, k));
    }
    for (const summarized of summaries) await calls.validate(question, summarized);
    for (const [first, second] of calls.pairsOf(summaries)) {
      await calls.rankPair(question, first, second);
    }
  };
}

const FOLDER = join(packageRoot(), 'bench', 'peers');

/**
 * LangGraph's graph, installed first where it is not: nothing else needs it.
 *
 * @param file Where it keeps its checkpoints.
 */
export async function langGraph(calls: SureCalls, file: string): Promise<Ask> {
  if (!existsSync(join(FOLDER, 'node_modules'))) {
    await promisify(execFile)('npm', ['ci', '--no-audit', '--no-fund'], { cwd: FOLDER });
  }
  const module = pathToFileURL(join(FOLDER, 'langgraph.mjs')).href;
  const { langGraphSure }: { langGraphSure(calls: SureCalls, file: string): Ask } = await import(
    module
  );
  return langGraphSure(calls, file);
}
