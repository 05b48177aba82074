/** What is told of the plan of a run. */
import { expect, it } from 'vitest';
import {
  type DryRun,
  describeDryRun,
  dryRunLine,
  estimatesOf,
  freeRemarks,
} from '../../../cli/run/describe-dry-run.js';
import { estimateRun, type PriceOf } from '../../../core/estimate.js';
import { methods } from '../../../interpreters/methods.js';
import { own, plan, question } from '../../support/plan.js';

type Planned = Awaited<ReturnType<typeof plan>>;
const noPrice: PriceOf = () => undefined;

const dryRunOf = ({ run }: Planned, price = noPrice): DryRun => ({
  method: methods.base,
  selected: run.questions,
  rule: 'all questions',
  plan: run,
  before: undefined,
  metrics: [],
  assumedFree: [],
  ...estimatesOf(run, price),
});

/** What is told of a plan. */
const told = (planned: Planned, price = noPrice, more: Partial<DryRun> = {}) =>
  describeDryRun(planned.spec, { ...dryRunOf(planned, price), ...more }).join('\n');

it('describes what is in the estimate and what is not', async () => {
  const planned = await plan([question(1, { passages: own }), question(2)], {
    judge: 'big',
    options: { answerForm: 'prose' },
  });
  const { run } = planned;
  const price = () => ({ prompt: 1, completion: 1 });
  const text = told(planned, price, {
    metrics: [
      { name: 'brief', title: 'Brief', headline: true, version: 'a' },
      { name: 'grounded', title: 'Grounded', headline: true, judged: true, version: 'b' },
    ],
    before: { run: 'old', questions: 9, calls: 1, promptTokens: 800, completionTokens: 20.4 },
  });
  for (const line of [
    /^Questions {2}2 \(all questions\)$/m,
    /^Calls {6}2$/m,
    /^To pay {5}2, and at most 152 that depend on them: answerWithCitations 2 \(\$0\.\d+\), judge/m,
    /^Tokens {5}about [\d,]+ prompt, 768 completion: prompts with the passages that 1 question brings/m,
    /^Judge {6}about 152 calls, [\d,]+ prompt, 2,432 completion, if a statement has 20 tokens/m,
    /^Metrics {4}Brief, Grounded \(by the judge\), beside the built-in ones$/m,
    /^Before {5}9 questions of old took 1\.0 calls each: .* 2 calls, 1,600 prompt and 41 completion/m,
    /^Cost {7}about \$0\.\d\d \(\$0\.\d+ of it for the calls that are certain\) with usual, big, /m,
    /^Not in it {2}further calls for an output that cannot be parsed/m,
  ]) {
    expect(text).toMatch(line);
  }
  const flex = told(planned, price, {
    ...estimatesOf({ ...run, judging: [] }, price),
    together: { ...estimateRun(run.steps, price), knownUsd: 3 },
    atTierUsd: 1.5,
  });
  expect(flex).toMatch(
    /^Cost {7}about \$3\.00 if everything is served at once, \$1\.50 at the tiers asked for, with usual/m,
  );
});

it('says in a line what a run takes', async () => {
  const lineOf = async (input: object, price?: PriceOf) =>
    dryRunLine(dryRunOf(await plan([question(1, { passages: own })], input), price));
  expect(await lineOf({}, () => ({ prompt: 1e6, completion: 1e6 }))).toMatch(
    /^1 call: 0 answered already, to pay for 1; at most \$[\d,]+\.\d\d$/,
  );
  expect(await lineOf({ method: 'sure' })).toBe(
    'at most 7 calls: 0 answered already, to pay for 1, and at most 6 that depend on them; no price for usual',
  );
});

it('says of a run and of all runs of a study alike which models are free', async () => {
  const planned = await plan([question(1, { passages: own })], {});
  const free = () => ({ prompt: 0, completion: 0 });
  const cases: [Partial<DryRun>, string | undefined][] = [
    [{}, undefined],
    [
      { assumedFree: ['usual', 'other'] },
      'usual: assumed, since the endpoint is on this machine and no price is set',
    ],
    [{ assumedFree: ['other'] }, undefined],
  ];
  for (const [more, remark] of cases) {
    const dry = { ...dryRunOf(planned, free), ...more };
    const remarks = freeRemarks([dry, dry]);
    expect(remarks).toEqual(remark === undefined ? [] : [expect.stringContaining(remark)]);
    const said = describeDryRun(planned.spec, dry).filter((line) => line.startsWith('Free'));
    expect(said).toEqual(remarks.map((one) => `Free       ${one}`));
  }
});

it('names the models without a price, and what the others cost', async () => {
  const planned = await plan([question(1, { passages: own })], {
    judge: 'judge-1',
    options: { answerForm: 'prose' },
  });
  const million = { prompt: 1e6, completion: 1e6 };
  expect(told(planned, (model) => (model === 'usual' ? million : undefined))).toMatch(
    /^Cost {7}at most \$[\d,.]+ with usual, and more: no price for judge-1 \(see DURABLE_RAG_PRICES\)$/m,
  );
  expect(told(planned)).toMatch(
    /^Cost {7}unknown: no price for usual, judge-1 \(see DURABLE_RAG_PRICES\)$/m,
  );
});

it('plans a thousand questions of more, which stand for all', async () => {
  const lines = Array.from({ length: 2500 }, (_, i) => question(i, { passages: own }));
  const planned = await plan(lines, {});
  expect(planned.run).toMatchObject({ questions: 2500, planned: 1000, bringing: 2500 });
  expect(planned.run.steps).toMatchObject([{ step: 'read', calls: 2500, completion: 2500 * 64 }]);
  expect(told(planned)).toMatch(/^Planned {4}1,000 of them, drawn to represent all$/m);
  expect(told(planned)).toMatch(/^Calls {6}about 2,500$/m);
});

it('says that a judge has nothing to judge', async () => {
  const toldOf = async (more: object) => told(await plan([question(1, { passages: own })], more));
  expect(await toldOf({ judge: 'big' })).toMatch(/^Judge {6}is asked nothing: no question has /m);
  expect(await toldOf({})).not.toContain('Judge');
});

it('says why it knows no tokens of a method that has no plan', async () => {
  const planned = await plan([question(1, { passages: own })], {});
  const { algorithm: _, ...method } = methods.base;
  const text = told(planned, noPrice, { method });
  expect(text).toMatch(/^Calls {6}not known: base is known by its name only/m);
  expect(text).toMatch(/^Cost {7}not known/m);
});

it('says of a search that it has no effect', async () => {
  const planned = await plan([question(1, { passages: own })], {});
  const run = { ...planned.run, idle: 'without effect' };
  expect(told({ ...planned, run })).toContain('\nSearch     without effect\n');
});
