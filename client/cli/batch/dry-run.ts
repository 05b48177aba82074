/** `durable-rag eval --dry-run`: what a run would take, before a cent is spent. */
import { readDataset, surveyDataset } from '../../../evaluation/dataset/read-dataset.js';
import type { DatasetRecord } from '../../../evaluation/dataset/record.js';
import { loadPrices, priceOf } from '../../../llm/prices.js';
import type { Batch } from '../../../methods/batch-input.js';
import {
  type CallTokens,
  type Estimate,
  estimateBatch,
  tokensOf,
} from '../../../methods/estimate.js';
import { methods } from '../../../methods/registry.js';
import type { RunStore } from '../../../results/run-store.js';
import type { Corpora } from '../../../retrieval/retriever.js';
import { ensureSampleCorpus } from '../../../retrieval/sample-corpus.js';
import type { Surroundings } from '../local.js';
import { withSearch } from '../search-place.js';
import { describeDataset } from './describe-dataset.js';
import { withRuns } from './run-place.js';

/** Questions looked at. */
const SAMPLE = 20;
/** Taken for what a prompt says besides passages and question, and for a completion. */
const INSTRUCTION_TOKENS = 250;
const COMPLETION_TOKENS = 100;

/** Prints what each of the runs would take. */
export async function printDryRun(
  batches: readonly Batch[],
  surroundings: Surroundings,
): Promise<number> {
  const { signal } = surroundings;
  return withRuns(surroundings, (runs, config) =>
    withSearch(surroundings, async (search) => {
      await ensureSampleCorpus(search);
      const parts = { ...config, corpora: search.corpora, runs, signal };
      for (const batch of batches) {
        const dataset = await describeDataset(batch.dataset, { ...subset(batch), signal });
        process.stdout.write(`${[...dataset, ...(await dryRun(batch, parts))].join('\n')}\n`);
      }
      return 0;
    }),
  );
}

interface DryRunParts {
  corpora: Corpora;
  runs: RunStore;
  /** The price file, if one is set. */
  prices: string | undefined;
  defaultModel: string;
  signal: AbortSignal;
}

/**
 * The lines that say what a batch would take.
 *
 * The tokens of a call are those that answered questions of the same method and options took, where
 * any are kept; else those of a prompt that holds all passages of a question, over a
 * sample of the data set, which is an upper bound where a method's later calls read less.
 *
 * @throws Failure BadInput for a data set or a corpus that the run itself would refuse.
 */
async function dryRun(batch: Batch, parts: DryRunParts): Promise<string[]> {
  const { selected, rule } = await surveyDataset(batch.dataset, {
    ...subset(batch),
    signal: parts.signal,
  });
  const seen = await seenBefore(batch, parts.runs);
  const tokens = seen?.tokens ?? (await tokensOfSample(batch, selected, parts));
  const model = batch.models.default ?? parts.defaultModel;
  const price = priceOf(model, await loadPrices(parts.prices));
  const estimate = estimateBatch({
    questions: selected,
    callsPerQuestion: callsOf(batch),
    tokens,
    price,
    requestsPerMinute: batch.requestsPerMinute,
    tokensPerMinute: batch.tokensPerMinute,
  });
  const basis = seen
    ? `as ${seen.calls} calls of the same method and options took`
    : `at most: every call reads all passages of a question, by a sample of ${Math.min(SAMPLE, selected)}; ${COMPLETION_TOKENS} tokens a completion`;
  return describe(batch, { selected, rule, model, basis }, estimate);
}

function describe(
  batch: Batch,
  {
    selected,
    rule,
    model,
    basis,
  }: { selected: number; rule: string; model: string; basis: string },
  { calls, promptTokens, completionTokens, costUsd, minutes }: Estimate,
): string[] {
  const { callsFormula } = methods[batch.method];
  return [
    `Run        ${batch.run}`,
    `Questions  ${count(selected)} (${rule})`,
    `Calls      ${count(calls)}: ${callsFormula}`,
    `Tokens     ${count(promptTokens)} prompt, ${count(completionTokens)} completion (${basis})`,
    `Cost       ${costUsd === null ? `unknown: no price for ${model} (see DURABLE_RAG_PRICES)` : `$${costUsd.toFixed(2)} with ${model}, before prefix and response caching`}`,
    `Time       ${minutes === null ? 'as fast as the provider answers: no --rpm or --tpm is set' : `${minutes.toFixed(1)} minutes at the limits given`}`,
  ];
}

function callsOf({ method, options }: Batch): number {
  const { calls } = methods[method] as { calls(options: unknown): number };
  return calls(options);
}

function subset({ limit, sample, seed }: Batch) {
  return { limit, sample, seed };
}

/** What calls of the same method and options have taken before. */
async function seenBefore(
  { method, options }: Batch,
  runs: RunStore,
): Promise<{ tokens: CallTokens; calls: number } | undefined> {
  const wanted = JSON.stringify(options);
  for (const { run, input } of await runs.list()) {
    if (input.method !== method || JSON.stringify(input.options) !== wanted) continue;
    const total = { calls: 0, prompt: 0, completion: 0 };
    let looked = 0;
    for await (const { question } of runs.questions(run)) {
      const usage = (await runs.get(run, question.id))?.result?.usage;
      if (usage) {
        total.calls += usage.calls - usage.cachedCalls;
        total.prompt += usage.promptTokens;
        total.completion += usage.completionTokens;
      }
      if (++looked === 10 * SAMPLE) break;
    }
    const { calls, prompt, completion } = total;
    if (calls > 0)
      return { calls, tokens: { prompt: prompt / calls, completion: completion / calls } };
  }
  return undefined;
}

async function tokensOfSample(
  batch: Batch,
  selected: number,
  parts: DryRunParts,
): Promise<CallTokens> {
  const wanted = Math.min(SAMPLE, selected);
  let tokens = 0;
  let questions = 0;
  const chosen = { ...subset(batch), sample: wanted, signal: parts.signal };
  for await (const record of readDataset(batch.dataset, chosen)) {
    tokens +=
      INSTRUCTION_TOKENS +
      tokensOf(record.question) +
      (await passageTokens(record, batch, parts.corpora));
    questions++;
  }
  return { prompt: tokens / questions, completion: COMPLETION_TOKENS };
}

async function passageTokens(
  { question, passages }: DatasetRecord,
  { corpus, ownPassages, options }: Batch,
  corpora: Corpora,
): Promise<number> {
  const k = typeof options.passages === 'number' ? options.passages : 0;
  if (k === 0) return 0;
  const own = ownPassages ? passages?.slice(0, k) : undefined;
  const texts = own ?? (await searched(question, k, await corpora.open(corpus)));
  return texts.reduce((sum, { title, text }) => sum + tokensOf(title) + tokensOf(text), 0);
}

async function searched(question: string, k: number, corpus: Awaited<ReturnType<Corpora['open']>>) {
  const found = await corpus.search(question, k);
  return corpus.get(found.map(({ id }) => id));
}

function count(n: number): string {
  return n.toLocaleString('en-US');
}
