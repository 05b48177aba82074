/** A run goes on from backups that were made while it went, on servers that have nothing else. */
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inventors, OPTIONS } from '../chaos/answers.js';
import { startFaultModel } from '../chaos/fault-model.js';
import { backUp, restore } from './backup.js';
import { startFleet } from './fleet.js';
import { answered } from './run.js';
import { findInstalled, startSite } from './site.js';

const QUESTIONS = 60;
const MINUTES = 60_000;
const DEPLOYMENT = 'kept';
/** So that there are questions in every state when the backups are made, and when all is lost. */
const REQUESTS_PER_MINUTE = 600;
/** How long after an answer has gone out the worker may not have kept it yet, on a busy machine. */
const NOT_YET_KEPT_MS = 3_000;

test(
  'a run goes on from backups, and pays again for what came after them alone',
  async (context) => {
    const installed = await findInstalled((text) => console.warn(text));
    if (typeof installed === 'string') {
      expect(process.env.CI, installed).toBeUndefined();
      return context.skip(installed);
    }
    const folder = await mkdtemp(join(tmpdir(), 'durable-rag-backup-'));
    context.onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const backups = { dumps: join(folder, 'dumps'), snapshots: join(folder, 'snapshots') };
    await mkdir(backups.dumps);
    await mkdir(backups.snapshots);
    // Elasticsearch runs as another user where we are root.
    await chmod(folder, 0o755);
    await chmod(backups.snapshots, 0o777);
    const dataset = inventors(QUESTIONS);
    const model = await startFaultModel(false);
    context.onTestFinished(() => model.server.close());
    const fleetOf = {
      deployment: DEPLOYMENT,
      model: model.server.baseUrl,
      workers: 2,
    };
    const options = { deployments: [DEPLOYMENT], snapshots: backups.snapshots };

    const lost = await startSite(installed, options);
    context.onTestFinished(() => lost.end());
    const first = await startFleet({ ...fleetOf, site: lost });
    context.onTestFinished(() => first.end());
    await first.client.startRun({
      ...{ run: 'kept', method: 'sure', dataset, options: OPTIONS },
      corpus: 'sample',
      requestsPerMinute: REQUESTS_PER_MINUTE,
    });
    await answered(first.client, 'kept', QUESTIONS / 4);
    const backedUpAt = Date.now();
    await backUp(lost, backups, installed.postgres);
    await answered(first.client, 'kept', QUESTIONS / 2);
    await first.end();
    await lost.end();

    const found = await startSite(installed, {
      ...options,
      restore: (postgres, search) => restore({ postgres, search }, backups, installed.postgres),
    });
    context.onTestFinished(() => found.end());
    const second = await startFleet({ ...fleetOf, site: found });
    context.onTestFinished(() => second.end());
    const run = await second.client.getRun('kept');
    await run.set({ requestsPerMinute: null });
    const progress = await run.result();

    const repeated = model.repeated();
    await context.annotate(
      `${model.server.requests.length} calls, ${repeated.length} of them repeated`,
    );
    expect(progress).toMatchObject({
      done: QUESTIONS,
      outcomes: { answered: QUESTIONS, failed: 0 },
    });
    expect(await second.answers('kept')).toHaveLength(QUESTIONS);
    // What was paid before the backups is in them, or in what the store was told a moment later.
    const early = repeated.filter(({ times }) => Math.min(...times) < backedUpAt - NOT_YET_KEPT_MS);
    expect(early).toEqual([]);
    expect(repeated.flatMap(({ times }) => times.slice(2))).toEqual([]);
  },
  30 * MINUTES,
);
