/** `durable-rag eval --dry-run`: what a run would take, before a cent is spent. */

import { subsetOf } from '../../../activities/batch/choose-questions.js';
import { createPromptLibrary } from '../../../activities/runtime/prompts.js';
import { surveyDataset } from '../../../evaluation/dataset/read-dataset.js';
import { chosenMetrics, ownMetrics, runMetric } from '../../../evaluation/own/registry.js';
import { type PlanParts, planRun } from '../../../interpreters/plan-run.js';
import { isLocalProvider, readEndpoint } from '../../../llm/openai/endpoint.js';
import { loadPrices, type Pricing, priceAt, priceOf } from '../../../llm/prices.js';
import type { Batch } from '../../../methods/batch/input.js';
import { estimateBatch } from '../../../methods/estimate.js';
import { methodNamed } from '../../../methods/registry.js';
import { tierOf } from '../../../methods/tier.js';
import type { RunStore } from '../../../results/run-store.js';
import { type DescribedCorpora, withOwnCorpora } from '../../../retrieval/own-corpora.js';
import type { Corpora } from '../../../retrieval/retriever.js';
import { ensureSampleCorpus } from '../../../retrieval/sample-corpus.js';
import { ownSteps } from '../../../steps/own-steps.js';
import { rubricSteps } from '../../../steps/rubric.js';
import { demonstrationSets } from '../../../stores/demonstration-sets.js';
import type { WorkerConfig } from '../../../workers/config.js';
import type { DurableRagOptions } from '../../../workers/options.js';
import { openNamespace } from '../../../workers/stores.js';
import type { CliContext } from '../context.js';
import { EXIT } from '../exit-codes.js';
import { show } from '../output.js';
import { methodsOf, metricsOf } from '../own-methods.js';
import { print } from '../print.js';
import { withSearch } from '../with-search.js';
import { describeDataset } from './describe-dataset.js';
import { type DryRun, describeDryRun, dryRunJson } from './describe-dry-run.js';
import { seenBefore } from './seen-before.js';
import { withRuns } from './with-runs.js';

/** Prints what each of the runs would take. */
export async function printDryRun(batches: readonly Batch[], context: CliContext): Promise<number> {
  const { signal } = context;
  return withRuns(context, (runs, config) =>
    withSearch(context, async (search) => {
      await ensureSampleCorpus(search);
      const { store, corpora, steps = [], metrics } = context.config ?? {};
      const own = ownSteps([...steps, ...rubricSteps(metrics)]);
      const parts = {
        prompts: createPromptLibrary(config.prompts, own.prompts),
        methods: methodsOf(context),
        metrics: metricsOf(context),
        steps: own.steps,
        defaultModel: config.defaultModel,
        signal,
      };
      const described = withOwnCorpora(search.corpora, corpora);
      const sizeOf = async (name: string) => {
        const { passages } = await described.describe(name);
        return typeof passages === 'number' ? passages : undefined;
      };
      const prices = await loadPrices(config.prices, context.config?.prices);
      const provider = context.config?.model?.provider ?? readEndpoint(config.baseUrl).provider;
      const pricing = { prices, isLocal: isLocalProvider(provider) };
      const planned: object[] = [];
      for (const batch of batches) {
        const read = await describeDataset(batch.dataset, { ...subsetOf(batch), signal });
        const dry = await withSets(batch, config, store, (demonstrationSets) =>
          dryRun(
            batch,
            { ...parts, demonstrationSets, corpora: fitFor(batch, described), sizeOf },
            runs,
            pricing,
          ),
        );
        planned.push(dryRunJson(batch, dry));
        if (!context.json) print([...read, ...describeDryRun(batch, dry)].join('\n'));
      }
      if (context.json) show(context, planned.length === 1 ? planned[0] : planned, '');
      return EXIT.ok;
    }),
  );
}

/**
 * What a batch would take.
 *
 * @throws Failure BadInput for a data set or a corpus that the run itself would refuse.
 */
async function dryRun(
  batch: Batch,
  parts: PlanParts,
  runs: RunStore,
  { prices, isLocal }: Pricing,
): Promise<DryRun> {
  const { signal } = parts;
  const { selected, rule, sha256 } = await surveyDataset(batch.dataset, {
    ...subsetOf(batch),
    signal,
  });
  const plan = await planRun(batch, parts);
  const price = (model: string) => priceOf(model, prices) ?? (isLocal ? FREE : undefined);
  const atTier = (model: string, step: string) => {
    const usual = price(model);
    const tier = batch.transport ? 'batch' : tierOf(step, batch.tier);
    return usual && (tier === 'standard' ? usual : priceAt(usual, tier));
  };
  const asking = estimateBatch(plan.steps, price, batch);
  return {
    method: methodNamed(batch.method, parts.methods),
    selected,
    rule,
    metrics: chosenMetrics(batch, parts.metrics ?? ownMetrics()).map(runMetric),
    plan,
    asking,
    judging: estimateBatch(plan.judging, price),
    together: estimateBatch([...plan.steps, ...plan.judging], price, batch),
    ...((batch.tier || batch.transport) && {
      atTierUsd: estimateBatch([...plan.steps, ...plan.judging], atTier).costUsd,
    }),
    before: await seenBefore(batch, sha256, runs),
  };
}

/** As a call of a model of this machine is counted that the price table does not know. */
const FREE = { prompt: 0, cachedPrompt: 0, completion: 0 };

/** The corpora as they are searched here, by words; one that does not fit the mode is refused. */
function fitFor({ mode }: Batch, corpora: DescribedCorpora): Corpora {
  return {
    async open(name) {
      const { embedding } = await corpora.describe(name);
      return corpora.open(name, embedding ? 'bm25' : mode);
    },
  };
}

/** Works with the demonstration sets, which are opened for a method that shows one. */
async function withSets<T>(
  { options }: Batch,
  config: WorkerConfig,
  open: DurableRagOptions['store'],
  work: (sets: PlanParts['demonstrationSets']) => Promise<T>,
): Promise<T> {
  const name = options.demonstrationSet;
  if (typeof name !== 'string') return work({ pairs: async () => [] });
  const store = await (open ?? ((kind) => openNamespace(config, kind)))('demonstrations');
  try {
    const sets = demonstrationSets(store);
    const { id, clusters } = await sets.find(name);
    return await work({
      pairs: async (_, cluster) => (cluster < clusters ? sets.pairs(id, cluster) : []),
    });
  } finally {
    await store.close();
  }
}
