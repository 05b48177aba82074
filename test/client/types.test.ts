/**
 * What the compiler takes and refuses of methods: `npm run check` fails if a line below that is
 * marked as an error compiles, or another one does not.
 */
import { expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import {
  type ClusterHandle,
  createClient,
  type Deployment,
  type DurableRagClient,
  type EvaluationSchedule,
  type MethodName,
  type PoolProgress,
  type QueueLimit,
  type RunHandle,
  type RunInput,
  type RunSummary,
  type StuckWorkflow,
  type StudyHandle,
  type StudyInput,
  type WorkerVersion,
} from '../../client/index.js';
import { answered, defineMethod, unanswered } from '../../workflows/declare.js';
import type { BaseChain } from '../../workflows/methods/base.js';
import type { SureChain } from '../../workflows/methods/sure/chain.js';

const lookTwice = defineMethod({
  name: 'lookTwice',
  options: { passages: z.int().default(5), careful: z.boolean().default(false) },
  algorithm: async ({ options }) =>
    options.careful ? unanswered('unknown', [], { looks: 2 }) : answered('', [], { looks: 1 }),
});

const client = () => createClient();
const handed = () => createClient({ methods: [lookTwice, 'elsewhere'] });
const question = 'Who painted The Night Watch?';

/** Lines that are compiled and never run. */
const lines = {
  async shipped() {
    const { start, ask, startNamed } = await client();
    expectTypeOf((await ask('sure', { question })).chain).toEqualTypeOf<SureChain | null>();
    await start('sure', { question, options: { candidates: 3 }, models: { default: 'm' } });
    // @ts-expect-error: a number
    await start('sure', { question, options: { candidates: '3' } });
    // @ts-expect-error: "candidates"
    await ask('sure', { question, options: { candidate: 3 } });
    // @ts-expect-error: no option of this method
    await ask('base', { question, options: { candidates: 3 } });
    // @ts-expect-error: "sure"
    await start('suer', { question });
    // @ts-expect-error: no name of a method is known here
    await ask(String('sure'), { question });
    // @ts-expect-error: no input of any method
    await start('sure', { question, retreival: { corpus: 'wiki' } });
    const named = await startNamed(String('sure'), { question });
    expectTypeOf((await named.result()).chain).toBeUnknown();
  },
  async union(method: 'base' | 'sure', any: MethodName) {
    const { start, ask } = await client();
    const { chain } = await ask(method, { question, options: { passages: 3 } });
    expectTypeOf(chain).toEqualTypeOf<BaseChain | SureChain | null>();
    await start(any, { question });
    // @ts-expect-error: "base" has no candidates
    await start(method, { question, options: { candidates: 3 } });
    // @ts-expect-error: a number for both
    await start(method, { question, options: { passages: '3' } });
  },
  async handed(method: 'lookTwice' | 'sure') {
    const { start, ask, startNamed } = await handed();
    const { chain } = await ask('lookTwice', { question, options: { careful: true } });
    expectTypeOf(chain).toEqualTypeOf<{ looks: number } | null>();
    await start('sure', { question, options: { candidates: 3 } });
    await start(method, { question, options: { passages: 3 } });
    await startNamed('elsewhere', { question, options: { any: 'thing' } });
    // @ts-expect-error: a boolean
    await start('lookTwice', { question, options: { careful: 'yes' } });
    // @ts-expect-error: "careful"
    await ask('lookTwice', { question, options: { carefull: true } });
    // @ts-expect-error: only one of them has this option
    await start(method, { question, options: { careful: true } });
    // @ts-expect-error: "lookTwice"
    await start('lookTwise', { question });
    // @ts-expect-error: only its name is known
    await start('elsewhere', { question });
    // @ts-expect-error: not handed to this client
    await (await client()).start('lookTwice', { question });
  },
  async runs(method: 'base' | 'sure', any: MethodName, read: RunInput) {
    const { startRun, createSchedule, contentsOf, metricsOf } = await client();
    const run = { run: 'nightly', dataset: 'nq' };
    const hourly = { cron: '@hourly' };
    await startRun({ ...run, method: 'sure', options: { candidates: 3 }, corpus: 'wiki' });
    await startRun({ ...run, method, options: { passages: 3 } }, { again: true });
    await startRun({ ...run, method: any });
    await startRun(read);
    await startRun({ ...run, method: read.method, options: { any: 'thing' } });
    await createSchedule('nightly', { dataset: 'nq', method: 'sure' }, hourly);
    await createSchedule('nightly', read, hourly);
    await contentsOf(read);
    await metricsOf({ ...run, method: 'base', options: { passages: 3 } });
    // @ts-expect-error: a number
    await startRun({ ...run, method: 'sure', options: { candidates: '3' } });
    // @ts-expect-error: "candidates"
    await startRun({ ...run, method: 'sure', options: { candidate: 3 } });
    // @ts-expect-error: "sure"
    await startRun({ ...run, method: 'suer' });
    // @ts-expect-error: "corpus"
    await startRun({ ...run, method: 'sure', korpus: 'wiki' });
    // @ts-expect-error: "base" has no candidates
    await startRun({ ...run, method, options: { candidates: 3 } });
    // @ts-expect-error: "candidates"
    await createSchedule('nightly', { dataset: 'nq', method: 'sure', options: { k: 3 } }, hourly);
    // @ts-expect-error: "sure"
    await createSchedule('nightly', { dataset: 'nq', method: 'suer' }, hourly);
    // @ts-expect-error: "sure"
    await contentsOf({ ...run, method: 'suer' });
    // @ts-expect-error: a number
    await contentsOf({ ...run, method: 'sure', options: { candidates: '3' } });
    // @ts-expect-error: "sure"
    await metricsOf({ ...run, method: 'suer' });
    // @ts-expect-error: "passages"
    await metricsOf({ ...run, method: 'base', options: { passage: 3 } });
  },
  async runsOfHanded(method: 'lookTwice' | 'sure') {
    const { startRun, createSchedule, study } = await handed();
    const run = { run: 'nightly', dataset: 'nq' };
    await startRun({ ...run, method: 'lookTwice', options: { careful: true } });
    await startRun({ ...run, method: 'elsewhere', options: { any: 'thing' } });
    await startRun({ ...run, method, options: { passages: 3 } });
    await study({
      name: 'both',
      datasets: ['nq'],
      methods: ['sure', { lookTwice: { careful: true }, as: 'careful' }, { elsewhere: { any: 1 } }],
    });
    // @ts-expect-error: a boolean
    await startRun({ ...run, method: 'lookTwice', options: { careful: 'yes' } });
    // @ts-expect-error: only one of them has this option
    await startRun({ ...run, method, options: { careful: true } });
    // @ts-expect-error: "lookTwice"
    await createSchedule('nightly', { dataset: 'nq', method: 'lookTwise' }, { cron: '@hourly' });
    // @ts-expect-error: a boolean
    await study({ name: 'a', datasets: ['nq'], methods: [{ lookTwice: { careful: 1 } }] });
    // @ts-expect-error: not handed to this client
    await (await client()).startRun({ ...run, method: 'lookTwice' });
  },
  async studies(read: StudyInput) {
    const { study } = await client();
    const of = { name: 'table-1', datasets: ['nq'] };
    await study({ ...of, methods: ['base', 'sure', { sure: { candidates: 3 }, as: 'sure-3' }] });
    await study({ ...of, methods: [{ base: {} }], models: ['m'], baseline: 'base' });
    await study(read, new Map());
    // @ts-expect-error: "sure"
    await study({ ...of, methods: ['base', 'suer'] });
    // @ts-expect-error: "sure"
    await study({ ...of, methods: ['base', { suer: { candidates: 3 } }] });
    // @ts-expect-error: a number
    await study({ ...of, methods: [{ sure: { candidates: '3' } }] });
    // @ts-expect-error: "candidates"
    await study({ ...of, methods: ['base', { sure: { candidate: 3 } }] });
    // @ts-expect-error: no option of this method
    await study({ ...of, methods: ['sure', { base: { candidates: 3 } }] });
    // @ts-expect-error: "baseline"
    await study({ ...of, methods: ['base'], base: 'base' });
    // @ts-expect-error: a study has methods
    await study(of);
  },
  async returned() {
    const { limits, listPools, describeDeployment, listRuns, stuckPools } = await client();
    const { datasetsInUse, listSchedules, startClusters, startRun, study } = await client();
    expectTypeOf(await limits()).toEqualTypeOf<QueueLimit[]>();
    expectTypeOf(await listPools()).toEqualTypeOf<PoolProgress[]>();
    expectTypeOf(await stuckPools()).toEqualTypeOf<StuckWorkflow[]>();
    expectTypeOf(await describeDeployment()).toEqualTypeOf<Deployment>();
    expectTypeOf((await describeDeployment()).versions).toEqualTypeOf<WorkerVersion[]>();
    expectTypeOf(await listRuns()).toEqualTypeOf<RunSummary[]>();
    expectTypeOf(await datasetsInUse()).toEqualTypeOf<Set<string>>();
    expectTypeOf(await listSchedules()).toEqualTypeOf<EvaluationSchedule[]>();
    expectTypeOf(startClusters).returns.resolves.toEqualTypeOf<ClusterHandle>();
    expectTypeOf(startRun).returns.resolves.toEqualTypeOf<RunHandle>();
    expectTypeOf(study).returns.resolves.toEqualTypeOf<StudyHandle>();
  },
  async narrowed(use: (any: DurableRagClient) => void) {
    use(await client());
    use(await handed());
  },
};

it('compiles', () => expect(Object.keys(lines)).toHaveLength(8));
