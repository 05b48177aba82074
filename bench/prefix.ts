/**
 * What the lost cache writes of a batch cost against its half price: the prompts that a question is
 * asked with, of three methods by their defaults, and the price table. Asks no model.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createPromptLibrary } from '../activities/runtime/prompts.js';
import type { OutputForm } from '../core/step-models.js';
import type { Passage } from '../core/vocabulary.js';
import { promptOfCall } from '../interpreters/call-tokens.js';
import { modelStepNamed, plan } from '../interpreters/planning.js';
import { knownPrices } from '../llm/known-prices.js';
import { schemaOf } from '../steps/define.js';
import { packageRoot } from '../stores/package-root.js';
import type { OwnMethod } from '../workflows/define-method.js';
import { type MethodName, methods } from '../workflows/methods.js';
import {
  type AskedCall,
  EVERY_TOKEN,
  evenShare,
  OPENAI_CACHE,
  prefixCosts,
  type SharedTokens,
  sharedTokens,
} from './prefix/shared-tokens.js';

const USAGE = `Usage: node dist/bench/prefix.js [--tokens PROMPT,SHARE,COMPLETION]
  --tokens  in place of the methods' prompts, a question of so many tokens: of the prompts together, the
            percent of them that a cache has, of the completions; such as 2733,52,181`;

const METHODS: MethodName[] = ['sure', 'llatrieval', 'allies'];
const MODELS = ['gpt-5-mini', 'gpt-4.1-mini', 'gpt-4o-mini'];
const QUESTIONS = 10_000;

/** A passage of Wikipedia, as the papers cut it. */
const WORDS_A_PASSAGE = 100;
/** What a step writes, about as much as it did in docs/measured.md. */
const TOKENS_AN_OUTPUT = 30;
const QUESTION = 'Who was granted the United States patent for the telephone in March 1876?';

/** Passages of running English text, all different. */
async function passagesOfSamples(): Promise<Passage[]> {
  const lines = (await readFile(join(packageRoot(), 'samples', 'corpus.jsonl'), 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Passage);
  const words = lines.flatMap(({ text }) => text.split(' '));
  const count = Math.floor(words.length / WORDS_A_PASSAGE);
  return Array.from({ length: count }, (_, i) => ({
    id: `${i}`,
    title: lines[i]?.title ?? '',
    text: words.slice(i * WORDS_A_PASSAGE, (i + 1) * WORDS_A_PASSAGE).join(' '),
  }));
}

/**
 * A step in a row of the same steps is asked side by side with them. A provider puts the schema of an
 * answer before the prompt: steps of different schemas then share no beginning.
 */
async function callsOf(
  name: MethodName,
  passages: readonly Passage[],
  form: OutputForm = 'text',
): Promise<AskedCall[]> {
  const method = methods[name] as OwnMethod<unknown>;
  const asked = { question: QUESTION, options: method.options.parse({}) };
  const world = { passages, available: Infinity, outputTokens: TOKENS_AN_OUTPUT };
  const planned = await plan(method, asked, world);
  if (!planned) return [];
  const prompts = createPromptLibrary();
  const ports = { prompts, demonstrationSets: { pairs: async () => [] } };
  const calls: AskedCall[] = [];
  let wave = 0;
  for (const [i, call] of planned.calls.entries()) {
    if (call.step !== planned.calls[i - 1]?.step) wave++;
    const counted = { ...ports, sets: 'default', formOf: () => form };
    const prompt = await promptOfCall(call, planned.passage, counted);
    if (prompt === null) continue;
    const schema = schemaOf(modelStepNamed(call.step), call.input as object, form);
    const before = schema ? JSON.stringify(schema) : '';
    calls.push({ wave, prompt: before + prompt, completionTokens: TOKENS_AN_OUTPUT });
  }
  return calls;
}

const dollars = (usd: number | null) => (usd === null ? '–' : usd.toFixed(2));
const percent = (share: number) => `${Math.round(100 * share)} %`;

async function printPlanned(): Promise<void> {
  const passages = await passagesOfSamples();
  for (const method of METHODS) {
    const calls = await callsOf(method, passages);
    const shared = sharedTokens(calls, OPENAI_CACHE);
    const every = sharedTokens(calls, EVERY_TOKEN);
    console.log(
      `${method}: ${shared.calls} calls, ${shared.prompt} prompt tokens, ${shared.completion} of completions; an earlier wave had ${percent(every.earlier / every.prompt)} of the prompts, ${percent(shared.earlier / shared.prompt)} as OpenAI caches; with those beside ${percent(every.beside / every.prompt)}, ${percent(shared.beside / shared.prompt)}`,
    );
    const held = sharedTokens(await callsOf(method, passages, 'schema'), OPENAI_CACHE);
    console.log(
      `${method} with a schema a step: ${held.prompt} prompt tokens; an earlier wave had ${percent(held.earlier / held.prompt)} of the prompts as OpenAI caches, with those beside ${percent(held.beside / held.prompt)}`,
    );
    for (const model of MODELS) {
      const price = knownPrices[model];
      const costs = price && prefixCosts(shared, price, QUESTIONS);
      if (!price || !costs) continue;
      const { standard, cached, flex, batch, batchIfCached } = costs;
      console.log(
        `| ${method} | ${model} | ${[standard, cached, flex, batch, batch - batchIfCached].map(dollars).join(' | ')} | ${percent(shared.earlier / shared.prompt)} | ${percent(evenShare(shared, price))} |`,
      );
    }
  }
}

/** What questions cost of which somebody has measured the tokens. */
function printMeasured(shared: Pick<SharedTokens, 'prompt' | 'completion' | 'earlier'>): void {
  for (const model of MODELS) {
    const price = knownPrices[model];
    const costs = price && prefixCosts(shared, price, QUESTIONS);
    if (!costs) continue;
    const { standard, cached, flex, batch } = costs;
    console.log(`| ${model} | ${[standard, cached, flex, batch].map(dollars).join(' | ')} |`);
  }
}

const { values } = parseArgs({
  options: { tokens: { type: 'string' }, help: { type: 'boolean' } },
});
const [prompt = Number.NaN, share = Number.NaN, completion = Number.NaN, ...more] =
  values.tokens?.split(',').map(Number) ?? [];
const isMeasured = prompt > 0 && share >= 0 && share <= 100 && completion >= 0 && more.length === 0;
if (values.help || (values.tokens !== undefined && !isMeasured)) {
  console.error(USAGE);
  process.exitCode = values.help ? 0 : 2;
} else if (values.tokens === undefined) {
  await printPlanned();
} else {
  printMeasured({ prompt, completion, earlier: (prompt * share) / 100 });
}
