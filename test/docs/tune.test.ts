/** The outputs in docs/tune.md are those of the tune that it tells of, carried out here. */
import { expect, test } from 'vitest';
import { planOfTune, readTune } from '../../activities/tune/read-tune.js';
import { adviceAsTune } from '../../cli/tune/advise.js';
import { describeTune } from '../../cli/tune/describe-tune.js';
import { sha256Of } from '../../core/sha256.js';
import { parseTune } from '../../core/tune/tune.js';
import { tunePlan } from '../../core/tune/tune-runs.js';
import { paidBackText, renderTune, winnerOf } from '../../evaluation/tune/tune-table.js';
import { planTune } from '../../interpreters/plan-tune.js';
import { testPorts } from '../support/ports.js';
import { stored } from '../support/run.js';
import { modelThatSays } from '../support/saying.js';
import { type AskedHere, askHere, tuneHere } from '../support/tune-here.js';
import { blocksOf } from './pages.js';

const QUESTIONS = 300;

/** Of a hundred questions, how many a model gets right; US dollars a million tokens. */
const MODELS = {
  'gpt-5': { right: 70, usd: { prompt: 1.25, cachedPrompt: 0.125, completion: 10 } },
  'gpt-5-mini': { right: 70, usd: { prompt: 0.25, cachedPrompt: 0.025, completion: 2 } },
  'gpt-5-nano': { right: 48, usd: { prompt: 0.05, cachedPrompt: 0.005, completion: 0.4 } },
};

/** Draws by the question; seven in a hundred draws are the model's own. */
function say({ question, model }: AskedHere): string {
  const lot = (of: string) => Number.parseInt(sha256Of(of, 8), 16) % 100;
  const drawn = lot(`${question}|${model}`) < 7 ? lot(`${model}|${question}|own`) : lot(question);
  return drawn < (MODELS[model as keyof typeof MODELS]?.right ?? 70) ? 'Bell' : 'Gray';
}

test('the outputs of advise are those of its functions', async () => {
  const prices = new Map(Object.entries(MODELS).map(([model, { usd }]) => [model, usd]));
  const model = modelThatSays(async () => 'Bell');
  const ports = { ...testPorts(model, { prices, defaultModel: 'gpt-5' }), searchAttributes: false };
  const questions = Array.from({ length: QUESTIONS }, (_, i) => {
    return { id: `n/${i}`, question: `Who is number ${i}?`, answers: ['Bell'] };
  });
  const run = {
    run: 'nq-base',
    method: 'base',
    options: { passages: 1 },
    corpus: 'sample',
    dataset: await stored(questions, ports),
    models: { default: 'gpt-5' },
  };
  await askHere(run, Infinity, ports, say);
  const models = ['gpt-5-nano', 'gpt-5-mini'];
  const { input } = adviceAsTune('nq-base', { models, margin: 9 }, {} as never);
  const plan = tunePlan(input);
  const before = describeTune(parseTune(input), await planTune(plan, ports));
  await tuneHere(plan, ports, say);
  const { table, spentUsd } = await readTune(await planOfTune('nq-base-advice', ports), ports);
  const winner = winnerOf(table);
  const paid = winner && paidBackText(table, winner, spentUsd);
  const after = [renderTune(table, 'text').trimEnd(), paid];
  const blocks = blocksOf('').filter(({ at }) => at.startsWith('docs/tune.md'));
  const shown = blocks.map(({ text }) => text);
  expect(shown).toEqual([before, after].map((lines) => `${lines.join('\n')}\n`));
});
