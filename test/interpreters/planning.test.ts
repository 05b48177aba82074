/** The calls of each method ahead of time, by running its algorithm: those of the formulas. */
import { describe, expect, it } from 'vitest';
import { createPromptLibrary } from '../../activities/runtime/prompts.js';
import { CallTokenCounter } from '../../interpreters/call-tokens.js';
import { type MethodName, methods } from '../../interpreters/methods.js';
import { mostCalls, type PlanInputs, plan, plansByBranch } from '../../interpreters/planning.js';
import { nonModelSteps } from '../../steps/table.js';
import type { OwnMethod } from '../../workflows/define-method.js';
import { optionSets } from '../support/option-sets.js';

const corpus: PlanInputs = {
  passages: Array.from({ length: 200 }, () => ({ id: '', title: 'x', text: 'y'.repeat(600) })),
  available: Infinity,
};
const more: [MethodName, object][] = [
  ['genread', { generation: 'clustered', demonstrationSet: 'set' }],
  ['rerankPassages', { by: 'crossEncoder' }],
  ['llatrieval', {}],
  // Documents are taken without asking at first, and summarized later.
  ['llatrieval', { iterations: 2, passages: 1, window: 2, supporting: 1 }],
  ['llatrieval', { iterations: 6, passages: 2, window: 6, supporting: 5 }],
];
const all = [...optionSets, ...more];

const known = (method: MethodName) => methods[method] as OwnMethod<unknown>;

const question = 'Who wrote it?';
const parsed = (method: MethodName, options: object) => known(method).options.parse(options);

async function planOf(method: MethodName, options: object, world = corpus) {
  const asked = { question, options: parsed(method, options) };
  const planned = await plan(known(method), asked, world);
  if (!planned) throw new Error(`${method} has no algorithm.`);
  return planned;
}

/** One plan for each way that the method can take. */
const plansOf = (method: MethodName, options: object) =>
  plansByBranch(known(method), { question, options: parsed(method, options) }, corpus);

it.each<[MethodName, object, number]>([
  ['base', {}, 1],
  ['sure', {}, 1 + 2 + 2 + 2],
  ['sure', { candidates: 5 }, 1 + 5 + 5 + 20],
  ['sure', { candidates: 3, selection: 'ranking' }, 1 + 3 + 6],
  // Table 4 of ALLIES: 19 calls and 5 searches where depth 1 ends the search.
  ['allies', { threshold: 0 }, 19],
  ['allies', {}, 5 + 2 * 7 + 2 * 7],
  ['allies', { beamSize: 3, subQueries: 3, evidence: 'generated' }, 5 + 2 * 10 + 3 * 10],
  ['allies', { evidence: 'none' }, 4 + 2 * 5 + 2 * 5],
  // One sub-query for each of two states leaves two to extend, however large the beam.
  ['allies', { beamSize: 5, subQueries: 1, depth: 3 }, 5 + 3 * 2 * 4],
  ['chainOfNote', {}, 1],
  ['chainOfNote', { form: 'per-passage' }, 6],
  ['genread', {}, 2],
  ['genread', { generation: 'sampled', documents: 4 }, 5],
  // Summaries, windows, verifications, queries and the answer.
  ['llatrieval', { iterations: 2 }, 100 + (3 + 4) + 2 + 1 + 1],
  ['llatrieval', {}, 200 + (3 + 4 + 4 + 4) + 4 + 3 + 1],
  ['llatrieval', { iterations: 1, firstQuery: 'hypothetical-passage' }, 1 + 55],
  ['llatrieval', { summaries: false }, 15 + 4 + 3 + 1],
  ['ircot', {}, 8 + 1],
  ['ircot', { passages: 15 }, 1],
  ['iterRetgen', {}, 2],
  ['rewriteRetrieveRead', {}, 1 + 1],
  // Each sub-query takes a call for its answer; four calls a sub-query are the most to ask for it.
  ['corag', {}, 4 * 3 + 3 + 1],
  ['corag', { length: 1 }, 4 + 1 + 1],
  ['corag', { decoding: 'best-of-n' }, 4 * (4 * 3 + 3 + 1) + 1],
  // Three drawn, two answered and rated by a path on from each, at two depths; at the last by itself.
  [
    'corag',
    { length: 2, decoding: 'tree', expand: 2, rollouts: 1 },
    3 + 2 + 2 * (4 + 1 + 1) + 3 + 2 + 2 + 1,
  ],
  ['adaptiveRag', {}, 1 + 9],
  ['adaptiveRag', { ircot: { passages: 15 } }, 1 + 1],
  ['decompose', {}, 2 + 3],
  ['decompose', { subQuestions: 5 }, 2 + 5],
  ['selfAsk', {}, 9],
  ['selfAsk', { passages: 0 }, 1],
  ['multiChain', {}, 5 * 9 + 1],
  ['lamer', {}, 5 + 1],
  ['lamer', { queryStyle: 'question' }, 2],
  ['rankGpt', {}, 4 + 1],
  ['selfVerification', { samples: 3, conditions: 2 }, 3 + 1 + 3 * 2],
  ['rerank', { aggregate: 'model', passages: 6 }, 6 + 1],
  ['rerankPassages', { by: 'sureSummary' }, 8 + 1],
])('the most calls of a question: of %s %j is %d', async (method, options, calls) => {
  expect(await mostCalls(known(method), known(method).options.parse(options))).toBe(calls);
});

describe.each(all)('the plan of %s %j', (method, options) => {
  it('asks steps that the method names, with prompts for all of them', async () => {
    const { calls, ...shown } = await planOf(method, options);
    const counter = new CallTokenCounter({
      prompts: createPromptLibrary(),
      demonstrationSets: { pairs: async () => [{ question: 'Who?', document: 'x' }] },
      sets: 'default',
    });
    for (const call of calls) {
      const tokens = await counter.tokensOf(call, shown);
      const isModelStep = !Object.hasOwn(nonModelSteps, call.step);
      expect((tokens?.prompt ?? 0) > 0).toBe(isModelStep);
      if (isModelStep) expect(known(method).steps).toContain(call.step);
    }
  });

  it('ends with an answer, which a judge can be asked about', async () => {
    expect((await planOf(method, options)).conclusion.outcome).toBe('answered');
  });

  it('takes no more where few passages can be found', async () => {
    const few = { passages: corpus.passages.slice(0, 2), available: 2 };
    const { calls } = await planOf(method, options, few);
    expect(calls.length).toBeLessThanOrEqual((await planOf(method, options)).calls.length);
  });
});

/** Asked only where a search finds nothing, or a question is not broken up; or of base alone. */
const NEVER_MOST: Record<string, string> = {
  summarizeThenPredict: 'read',
  decompose: 'read',
  adaptiveRag: 'answerWithCitations',
};

it('reaches every step of every method with some options', async () => {
  for (const [method, { steps }] of Object.entries(methods)) {
    const sets = all.filter(([name]) => name === method);
    const plans = await Promise.all(sets.map(([name, options]) => plansOf(name, options)));
    const planned = new Set(plans.flat().flatMap(({ calls }) => calls.map(({ step }) => step)));
    const asked = steps.filter((step) => NEVER_MOST[method] !== step);
    expect([...planned]).toEqual(expect.arrayContaining(asked));
  }
});

it('finds no more different passages than there are', async () => {
  const own = { passages: corpus.passages.slice(0, 3), available: 3 };
  const { calls } = await planOf('selfAsk', { passages: 2 }, own);
  const found = calls
    .filter(({ step }) => step === 'retrieve')
    .map(({ output }) => (output as { id: string }[]).map(({ id }) => id));
  expect(found.every((ids) => ids.length === 2 && new Set(ids).size === 2)).toBe(true);
  expect(new Set(found.flat()).size).toBe(3);
});

it.each<[options: object, taken: string, reads: number]>([
  [{}, 'multi', 36],
  // One call of either, with more passages in that of base.
  [{ base: { passages: 40 }, ircot: { passages: 15 } }, 'single', 40],
])('takes the way on which a question takes the most: %j', async (options, taken, reads) => {
  const { calls, conclusion } = await planOf('adaptiveRag', options);
  const shown = calls.map(({ input }) => Object(input).passages?.length ?? 0);
  expect(conclusion.chain).toMatchObject({ class: taken });
  expect(Math.max(...shown)).toBe(reads);
  expect(await plansOf('adaptiveRag', options)).toHaveLength(3);
});
