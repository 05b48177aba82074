/**
 * Runs on a cluster of Temporal: while the model fails, processes are killed and workers rolled; and
 * from backups, once all is lost.
 *
 * CLUSTER_QUESTIONS is how many questions there are; where it is set, they are asked in peace as well,
 * and what a question takes is told.
 */
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { measuredOn } from '../../bench/machine.js';
import { openSearch } from '../../retrieval/open-search.js';
import { inventors, OPTIONS, undisturbed } from '../chaos/answers.js';
import { startFaultModel } from '../chaos/fault-model.js';
import { sortRepeats } from '../chaos/repeats.js';
import { temporaryFolder } from '../support/folder.js';
import { backUp, restore } from './backup.js';
import { startFleet } from './fleet.js';
import { answered } from './run.js';
import { findInstalled, type Installed, type Site, startSite } from './site.js';
import { bytesOf, perQuestion } from './sizes.js';
import { type RunOptions, runOn, storm, usedOfLimits } from './storm.js';

const QUESTIONS = Number(process.env.CLUSTER_QUESTIONS ?? 80);
const MINUTES = 60_000;
const DEPLOYMENTS = { calm: 'calm', stormy: 'stormy', kept: 'kept' };

/** Less than two workers make without a limit. */
const REQUESTS_PER_MINUTE = 800;

/** Of the run that is restored. */
const KEPT_QUESTIONS = 32;
/** So that there are questions in every state when the backups are made, and when all is lost. */
const KEPT_REQUESTS_PER_MINUTE = 320;
/** How long after an answer has gone out the worker may not have kept it yet, on a busy machine. */
const NOT_YET_KEPT_MS = 3_000;

const installed = await findInstalled((text) => console.warn(text));
if (typeof installed === 'string') {
  // A skipped test must not look like a green one where the part is expected.
  test.runIf(process.env.CI === 'true')('is there', () => expect.fail(installed));
  test.skip(installed, () => {});
} else {
  describe('a cluster', () => testsOn(installed));
}

function testsOn(installed: Installed): void {
  let site: Site;
  let backups: { dumps: string; snapshots: string };
  beforeAll(async () => {
    const folder = await temporaryFolder();
    backups = { dumps: join(folder, 'dumps'), snapshots: join(folder, 'snapshots') };
    await Promise.all([mkdir(backups.dumps), mkdir(backups.snapshots)]);
    // Elasticsearch runs as another user where we are root.
    await chmod(folder, 0o755);
    await chmod(backups.snapshots, 0o777);
    site = await start();
  }, 10 * MINUTES);
  afterAll(() => site?.end());

  const start = (options: Pick<Parameters<typeof startSite>[1], 'restore'> = {}) =>
    startSite(installed, {
      deployments: Object.values(DEPLOYMENTS),
      snapshots: backups.snapshots,
      ...options,
    });

  test(
    'loses no question, changes no answer and holds every limit',
    async (context) => {
      const dataset = inventors(QUESTIONS);
      const search = await openSearch({ corpora: '', elasticsearch: { url: site.search.url } });
      context.onTestFinished(() => search.close());
      const expected = await undisturbed('sure', dataset, search.corpora);
      const run = (options: Omit<RunOptions, 'dataset'>) =>
        runOn(context, site, { dataset, ...options });
      if (process.env.CLUSTER_QUESTIONS) {
        const before = await bytesOf(site);
        const calm = await run({ deployment: DEPLOYMENTS.calm });
        await context.annotate(
          `undisturbed: ${QUESTIONS} questions in ${calm.seconds} s; ` +
            `bytes a question: ${perQuestion(before, await bytesOf(site), QUESTIONS)}; ` +
            `milliseconds of a core a question: ${calm.cpu}. ${measuredOn()}`,
        );
        expect(calm.answers).toEqual(expected);
        expect(calm.model.repeated()).toEqual([]);
      }

      const { answers, seconds, model, stormed } = await run({
        deployment: DEPLOYMENTS.stormy,
        requestsPerMinute: REQUESTS_PER_MINUTE,
        disturb: (scene) => storm({ ...scene, site, questions: QUESTIONS }),
      });
      if (!stormed) throw new Error('There was no storm.');
      const { log } = stormed;
      const { inFlightAtKill, unexplained } = sortRepeats(model.repeated(), log);
      const used = usedOfLimits(model, stormed, REQUESTS_PER_MINUTE);
      await context.annotate(
        `disturbed: ${seconds} s, ${model.server.requests.length} requests, faults: ${JSON.stringify(model.faults)}; ` +
          `repeated: ${inFlightAtKill.length} in flight at a kill, ${unexplained.length} others; ` +
          `most at a time, as shares of the limit: ${JSON.stringify(used)}; ` +
          log
            .map(({ name, from, to }) => `${name} ${((to - from) / 1000).toFixed(1)} s`)
            .join(', '),
      );
      expect(answers).toEqual(expected);
      expect(unexplained).toEqual([]);
      for (const share of [used.requests, used.tokens]) {
        expect(share).toBeGreaterThan(0);
        expect(share).toBeLessThan(used.most);
      }
    },
    60 * MINUTES,
  );

  test(
    'goes on from backups, and pays again for what came after them alone',
    async (context) => {
      const model = await startFaultModel(false);
      context.onTestFinished(() => model.server.close());
      const fleetOn = async (place: Site) => {
        const { baseUrl } = model.server;
        const parts = { site: place, deployment: DEPLOYMENTS.kept, model: baseUrl, workers: 2 };
        const fleet = await startFleet(parts);
        context.onTestFinished(() => fleet.end());
        return fleet;
      };
      const first = await fleetOn(site);
      await first.client.startRun({
        run: 'kept',
        method: 'sure',
        dataset: inventors(KEPT_QUESTIONS),
        options: OPTIONS,
        corpus: 'sample',
        requestsPerMinute: KEPT_REQUESTS_PER_MINUTE,
      });
      await answered(first.client, 'kept', KEPT_QUESTIONS / 4);
      const backedUpAt = Date.now();
      await backUp(site, backups, installed.postgres);
      await answered(first.client, 'kept', KEPT_QUESTIONS / 2);
      await first.end();
      await site.end();

      site = await start({
        restore: (postgres, search) => restore({ postgres, search }, backups, installed.postgres),
      });
      const second = await fleetOn(site);
      const run = await second.client.getRun('kept');
      await run.set({ requestsPerMinute: null });
      const progress = await run.result();
      const repeated = model.repeated();
      await context.annotate(
        `${model.server.requests.length} calls, ${repeated.length} of them repeated`,
      );
      expect(progress).toMatchObject({
        done: KEPT_QUESTIONS,
        outcomes: { answered: KEPT_QUESTIONS, failed: 0 },
      });
      expect(await second.answers('kept')).toHaveLength(KEPT_QUESTIONS);
      // What was paid before the backups is in them, or in what the store was told a moment later.
      const early = repeated.filter(
        ({ times }) => Math.min(...times) < backedUpAt - NOT_YET_KEPT_MS,
      );
      expect(early).toEqual([]);
      expect(repeated.flatMap(({ times }) => times.slice(2))).toEqual([]);
    },
    30 * MINUTES,
  );
}
