/** Looking at runs and steering them: `runs`, `status`, `pause`, `resume`, `cancel`, `set`. */

import { setTimeout as sleep } from 'node:timers/promises';
import { joinRuns, openRuns } from '../../../evaluation/runs/run-source.js';
import type { BatchProgress, BatchSettings } from '../../../methods/batch/batch.js';
import { Failure } from '../../../methods/failure.js';
import type { BatchHandle } from '../../batch.js';
import type { BatchSummary } from '../../list-batches.js';
import type { CliContext } from '../context.js';
import { print } from '../print.js';
import { isTakenUp, runningSession, type Session } from '../session.js';
import { renderProgress, renderProgressLine } from './render-progress.js';
import { renderStuck } from './render-stuck.js';
import { withRuns } from './with-runs.js';

const ANSWER_TIMEOUT_MS = 6_000;

/** Lists the runs that Temporal knows of, and those that only the results still know. */
export async function listRuns(context: CliContext): Promise<number> {
  const session = await runningSession(context);
  try {
    const known = (await session?.client.listBatches()) ?? [];
    const names = new Set(known.map(({ run }) => run));
    const kept = await withRuns(context, (runs) => runs.list());
    const others = kept.filter(({ run }) => !names.has(run));
    const lines = [
      ...known.map(describe),
      ...others.map(
        ({ run, questions, createdAt, input }) =>
          `${run}: ${questions} questions, ${input.method}, begun ${createdAt.slice(0, 16)}, in the results`,
      ),
    ];
    if (lines.length === 0) lines.push('There is no run yet; "durable-rag eval" starts one.');
    print(lines.join('\n'));
    return 0;
  } finally {
    await session?.close();
  }
}

function describe({ run, status, startedAt, progress, stuck }: BatchSummary): string {
  if (status === 'RUNNING' || status === 'COMPLETED') {
    const cannot = stuck.length > 0 ? `, ${stuck.length} cannot go on: see status ${run}` : '';
    if (progress) return renderProgressLine(progress) + cannot;
    return `${run}: under way, but no worker answers${cannot}`;
  }
  return `${run}: ${status.toLowerCase()}, begun ${startedAt.toISOString().slice(0, 16)}`;
}

/** Where no worker is running the results tell how far the run has come. */
export async function showStatus(run: string, context: CliContext): Promise<number> {
  const session = await runningSession(context);
  try {
    const handle = await session?.client.getBatch(run).catch(() => undefined);
    const progress = handle && (await progressOrEnd(handle));
    const lines = progress
      ? renderProgress(progress, undefined)
      : [await restingStatus(run, context)];
    lines.push(...renderStuck(run, (await handle?.stuck()) ?? []));
    print(lines.join('\n'));
    return 0;
  } finally {
    await session?.close();
  }
}

/** A run that has ended tells where without a worker; of another undefined where none answers. */
function progressOrEnd(handle: BatchHandle): Promise<BatchProgress | undefined> {
  const told = Promise.any([handle.progress(), handle.result()]).catch(() => undefined);
  return Promise.race([told, sleep(ANSWER_TIMEOUT_MS, undefined, { ref: false })]);
}

function restingStatus(run: string, context: CliContext): Promise<string> {
  return withRuns(context, async (runs) => {
    let ended = 0;
    let all = 0;
    for await (const { answers } of joinRuns(await openRuns(runs, [run]))) {
      all++;
      if (answers[0]) ended++;
    }
    const rest = ended < all ? `; "durable-rag attach ${run}" goes on with it` : '';
    return `${run}: ${ended} of ${all} questions have ended; no worker is running${rest}`;
  });
}

export function pauseRun(run: string, context: CliContext): Promise<number> {
  return steer(run, context, (handle) => handle.pause());
}

export function resumeRun(run: string, context: CliContext): Promise<number> {
  return steer(run, context, (handle) => handle.resume());
}

/** @throws Failure BadInput when no setting is given. */
export async function setRun(
  run: string,
  settings: Partial<BatchSettings>,
  context: CliContext,
): Promise<number> {
  if (Object.keys(settings).length === 0) {
    throw new Failure(
      'BadInput',
      'Say what to set: --concurrency, --budget-usd, --rpm, --tpm or --pause-after.',
    );
  }
  return steer(run, context, (handle) => handle.set(settings));
}

/** Stops a run with all its questions under way; what has ended is kept. */
export function cancelRun(run: string, context: CliContext): Promise<number> {
  return withWorkers(context, async ({ client }) => {
    const handle = await client.getBatch(run);
    await handle.cancel();
    await handle.result().catch(() => {});
    context.reporter.part('Cancelled', `${run}; the same eval command goes on with it.`);
  });
}

/** Does something to a run and prints where it stands then. */
function steer(
  run: string,
  context: CliContext,
  act: (handle: BatchHandle) => Promise<BatchProgress>,
): Promise<number> {
  return withWorkers(context, async ({ client }) => {
    const handle = await client.getBatch(run);
    if (!(await isTakenUp(handle))) throw noWorker();
    const progress = await act(handle);
    print(renderProgress(progress, undefined).join('\n'));
  });
}

async function withWorkers(
  context: CliContext,
  work: (session: Session) => Promise<void>,
): Promise<number> {
  const session = await runningSession(context);
  if (!session) throw noWorker();
  try {
    await work(session);
    return 0;
  } finally {
    await session.close();
  }
}

function noWorker(): Failure {
  return new Failure(
    'Connection',
    'No worker is running: start one with "durable-rag worker" or "durable-rag dev".',
  );
}
