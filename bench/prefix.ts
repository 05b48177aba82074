/** What questions cost one by one, with a prompt cache, at the flex tier and by batch. Asks no model. */
import type { TierPrice } from '../core/model-price.js';
import { knownPrices } from '../llm/known-prices.js';
import { costOf } from '../llm/prices.js';
import { benchFlags } from './flags.js';

const USAGE = `Usage: node dist/bench/prefix.js --tokens PROMPT,SHARE,COMPLETION
  --tokens  of a question: of its prompts together, the percent of them that a cache has, of its
            completions; such as 2733,52,181`;

const MODELS = ['gpt-5-mini', 'gpt-4.1-mini', 'gpt-4o-mini'];
const QUESTIONS = 10_000;

const { flags, refuse } = benchFlags(USAGE, { tokens: undefined });
const counts = flags.tokens?.split(',').map(Number) ?? [];
const [prompt = refuse(), share = refuse(), completion = refuse()] = counts;
if (!(prompt > 0 && share >= 0 && share <= 100 && completion >= 0)) refuse();
console.log('| model | one by one | with the cache | flex, with the cache | batch |');
console.log('| --- | ---: | ---: | ---: | ---: |');
for (const model of MODELS) console.log(`| ${[model, ...costsOf(model)].join(' | ')} |`);

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
