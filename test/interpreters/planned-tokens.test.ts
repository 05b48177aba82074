/** What a dry run says a question takes at most, held against what a model was really sent. */
import { describe, expect, it } from 'vitest';
import { readingOf } from '../../activities/run/dataset-of.js';
import type { Ports } from '../../activities/runtime/ports.js';
import { estimateRun, tokensOf } from '../../core/estimate.js';
import { searchesNothing } from '../../core/options/idle-retrieval.js';
import type { MethodInput } from '../../core/options/input.js';
import type { Passage } from '../../core/vocabulary.js';
import { type MethodName, methods, parseRunInput } from '../../interpreters/methods.js';
import { planRun } from '../../interpreters/plan-run.js';
import { answerInProcess } from '../../interpreters/scripted.js';
import type { OwnMethod } from '../../workflows/define-method.js';
import { type LongestModel, longestModel } from '../support/longest-model.js';
import { optionSets } from '../support/option-sets.js';
import { givenQuestions } from '../support/plan.js';
import { fixedCorpora, testPorts } from '../support/ports.js';
import { setUpRunShared } from '../support/run.js';
import { QUESTION as question } from '../support/telephone.js';

/** How far above what was sent an estimate may be where outputs are as long as they can be. */
const FACTOR = 1.35;
/** The same of a method whose plan is a bound that few questions reach. */
const BOUND_FACTOR = 1.4;
/** The same of self-verification: each check holds the answer, and the longest would be asked again. */
const VERIFIED_FACTOR = 2;

/** A corpus as they are made: texts of a hundred words, some shorter; each search finds others. */
const corpus: Passage[] = Array.from({ length: 260 }, (_, i) => ({
  id: `p${i}`,
  title: `Title ${i}`,
  text: `Text ${i} ${'of words '.repeat(60 - (i % 7))}`,
}));

/** Searches give a stretch of the corpus that the query decides, so that new ones find new passages. */
const searched: Ports['corpora'] = {
  async open(name) {
    const fixed = await fixedCorpora(corpus).open(name);
    return {
      ...fixed,
      async search(query, k) {
        const from =
          query === question ? 0 : (query.length * 31 + (query.charCodeAt(1) % 10) * 50) % 200;
        return [...corpus.slice(from), ...corpus.slice(0, from)]
          .slice(0, k)
          .map(({ id, title }, i) => ({ id, title, score: 10 - i / 10 }));
      },
    };
  },
};

const ports = () =>
  testPorts(longestModel(), { corpora: searched, defaultModel: 'm', describeCorpus });
const describeCorpus = async (name: string) => ({ name });

async function planned(method: MethodName, options: object, passages?: Passage[]) {
  const lines = [{ id: '1', question, answers: ['Bell'], passages }];
  const spec = parseRunInput({ run: 'r', method, options, dataset: 'd', corpus: 'sample' });
  return planRun(spec, { read: givenQuestions(lines) }, ports());
}

/** By step what was sent, as the plan counts. */
function sentBy(model: LongestModel) {
  const steps = new Map<string, { calls: number; prompt: number; completion: number }>();
  for (const { step, prompt, maxTokens } of model.sent) {
    const so = steps.get(step) ?? { calls: 0, prompt: 0, completion: 0 };
    steps.set(step, {
      calls: so.calls + 1,
      prompt: so.prompt + tokensOf(prompt),
      completion: so.completion + maxTokens,
    });
  }
  return steps;
}

/** One set a method, as passages of a question's own take one way into all of them that search. */
const searching = new Map(
  optionSets
    .filter(([method, options]) => {
      const known = methods[method] as OwnMethod<unknown>;
      return !searchesNothing(known, known.options.parse(options));
    })
    .map((set) => [set[0], set]),
);

describe.each([
  ['from the corpus', undefined, optionSets],
  ['with its own passages', corpus.slice(0, 12), [...searching.values()]],
] as const)('%s', (_, passages, sets) => {
  it.each(sets)('%s %j sends no more than was planned', async (method, options) => {
    const llm = longestModel();
    const retrieval = passages && {
      passages: passages.map(({ title, text }) => ({ title, text })),
    };
    const input = { question, options, ...(retrieval && { retrieval }) } as MethodInput<object>;
    const result = await answerInProcess(method, input, testPorts(llm, { corpora: searched }));
    expect(result.flags.filter(({ kind }) => kind === 'reasked')).toEqual([]);

    const { steps } = await planned(method, options, passages);
    const sent = sentBy(llm);
    for (const [step, real] of sent) {
      const plans = steps.filter(({ step: name }) => name === step);
      const sum = (of: 'calls' | 'prompt' | 'completion') =>
        plans.reduce((so, plan) => so + plan[of], 0);
      expect(sum('calls'), `calls of ${step}`).toBeGreaterThanOrEqual(real.calls);
      // What a corpus holds is told from a search: other queries find passages a little longer.
      const share = passages ? 1 : 0.99;
      expect(sum('prompt'), `prompt of ${step}`).toBeGreaterThanOrEqual(share * real.prompt);
      expect(sum('completion'), `outputs of ${step}`).toBeGreaterThanOrEqual(real.completion);
    }
    for (const { step, byTurn = [] } of steps) {
      const prompts = llm.sent.filter((one) => one.step === step).map(({ prompt }) => prompt);
      // Turns do not reach the last one where an answer comes before.
      for (const [i, tokens] of byTurn.entries()) {
        const real = tokensOf(prompts[i] ?? '');
        expect(tokens, `prompt of turn ${i + 1}`).toBeGreaterThanOrEqual(0.99 * real);
      }
    }
    const all = [...sent.values()];
    const { prompt, completion } = estimateRun(steps, () => undefined);
    const real = all.reduce((so, one) => so + one.prompt + one.completion, 0);
    const { bound } = methods[method] as OwnMethod<unknown>;
    // Adaptive-RAG runs one that has such a plan.
    const isBound = bound !== undefined || method === 'adaptiveRag';
    const usual = isBound ? BOUND_FACTOR : FACTOR;
    const factor = method === 'selfVerification' ? VERIFIED_FACTOR : usual;
    expect(prompt + completion).toBeLessThanOrEqual(factor * real);
  });
});

it('a judge is sent no more, of answers as long as they may be', async () => {
  const llm = longestModel();
  const claims = (number: number) => ({
    claims: Array.from({ length: number + 1 }, (_, i) => `Claim ${i} of ${number} is so.`),
  });
  const { harness, client, spec } = await setUpRunShared(
    2,
    () => '',
    { judge: 'judge-1', options: { answerForm: 'prose' } },
    claims,
    { llm, corpora: searched },
  );
  await (await client.startRun(spec)).result();
  const real = sentBy(llm).get('judgeClaim');
  const { datasets } = harness.ports;
  const { sha256 } = await datasets.find(spec.dataset);
  const read = readingOf(sha256, datasets, new AbortController().signal);
  const { judging } = await planRun(parseRunInput(spec), { read }, ports());
  const [plan] = judging;
  expect(plan).toMatchObject({ step: 'judgeClaim', model: 'judge-1' });
  expect(plan?.calls).toBeGreaterThanOrEqual(real?.calls ?? Infinity);
  expect(plan?.prompt).toBeGreaterThanOrEqual(real?.prompt ?? Infinity);
  expect(plan?.completion).toBeGreaterThanOrEqual(real?.completion ?? Infinity);
  expect(plan?.prompt).toBeLessThanOrEqual(1.5 * (real?.prompt ?? 0));
});
