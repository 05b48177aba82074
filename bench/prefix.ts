/** What questions cost one by one, with a prompt cache, at the flex tier and by batch. Asks no model. */
import { parseArgs } from 'node:util';
import type { TierPrice } from '../core/model-price.js';
import { knownPrices } from '../llm/known-prices.js';
import { costOf } from '../llm/prices.js';

const USAGE = `Usage: node dist/bench/prefix.js --tokens PROMPT,SHARE,COMPLETION
  --tokens  of a question: of its prompts together, the percent of them that a cache has, of its
            completions; such as 2733,52,181`;

const MODELS = ['gpt-5-mini', 'gpt-4.1-mini', 'gpt-4o-mini'];
const QUESTIONS = 10_000;

const { values } = parseArgs({ options: { tokens: { type: 'string' } } });
const [prompt = Number.NaN, share = Number.NaN, completion = Number.NaN, ...more] =
  values.tokens?.split(',').map(Number) ?? [];
if (prompt > 0 && share >= 0 && share <= 100 && completion >= 0 && more.length === 0) {
  console.log('| model | one by one | with the cache | flex, with the cache | batch |');
  console.log('| --- | ---: | ---: | ---: | ---: |');
  for (const model of MODELS) console.log(`| ${[model, ...costsOf(model)].join(' | ')} |`);
} else {
  console.error(USAGE);
  process.exitCode = 2;
}

/** The lines of a batch see nothing of each other, and the calls before are hours ago. */
function costsOf(model: string): string[] {
  const price = knownPrices[model];
  const cached = (prompt * share) / 100;
  const dollars = (cachedPromptTokens: number, at: TierPrice | undefined) => {
    if (!at) return '–';
    const tokens = { promptTokens: prompt, cachedPromptTokens, completionTokens: completion };
    return (QUESTIONS * costOf(tokens, at)).toFixed(2);
  };
  return [
    dollars(0, price),
    dollars(cached, price),
    dollars(cached, price?.flex),
    dollars(0, price?.batch),
  ];
}
