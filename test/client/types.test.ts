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
  type RunSummary,
  type StuckWorkflow,
  type StudyHandle,
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

it('compiles', () => expect(Object.keys(lines)).toHaveLength(5));
