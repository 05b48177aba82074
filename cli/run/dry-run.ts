/** `durable-rag eval --dry-run`: what a run would take, before a cent is spent. */
import { basename } from 'node:path';
import { subsetOf } from '../../activities/run/choose-questions.js';
import { readingOf, readOptionsOf } from '../../activities/run/dataset-of.js';
import { createPromptLibrary } from '../../activities/runtime/prompts.js';
import type { Snapshot } from '../../core/dataset-record.js';
import { estimateRun } from '../../core/estimate.js';
import { methodNamed } from '../../core/registry.js';
import { datasetLabel } from '../../core/run/dataset-input.js';
import type { RunSpec } from '../../core/run/input.js';
import { withUsual } from '../../core/step-models.js';
import { tierOf } from '../../core/tier.js';
import type { ChosenRecord } from '../../evaluation/dataset/choose-dataset.js';
import { type ReadOptions, readDataset, readGiven } from '../../evaluation/dataset/read-dataset.js';
import { surveyOf } from '../../evaluation/dataset/snapshots.js';
import {
  type ReadSubset,
  ruleOf,
  sizeOf as subsetSize,
  takeSubset,
} from '../../evaluation/dataset/subset.js';
import { chosenMetrics, metricRegistry, runMetric } from '../../evaluation/metrics/registry.js';
import { type PlanParts, planRun } from '../../interpreters/plan-run.js';
import { isLocalProvider, readEndpoint } from '../../llm/openai/endpoint.js';
import { loadPrices, type Pricing, priceAt, priceOf } from '../../llm/prices.js';
import { type DescribedCorpora, withOwnCorpora } from '../../retrieval/own-corpora.js';
import type { Corpora } from '../../retrieval/retriever.js';
import { ensureSampleCorpus } from '../../retrieval/sample-corpus.js';
import { ownSteps } from '../../steps/own-steps.js';
import { rubricSteps } from '../../steps/rubric.js';
import { demonstrationSets } from '../../stores/demonstration-sets.js';
import type { RunStore } from '../../stores/runs/run-store.js';
import type { WorkerConfig } from '../../workers/config.js';
import type { DurableRagOptions } from '../../workers/options.js';
import { openNamespace } from '../../workers/stores.js';
import type { CliContext } from '../context.js';
import { fileOf } from '../dataset-flag.js';
import { EXIT } from '../exit-codes.js';
import { show } from '../output.js';
import { methodsOf, metricsOf } from '../own-methods.js';
import { print } from '../print.js';
import { withDatasets } from '../stored-dataset.js';
import { withSearch } from '../with-search.js';
import { Understood } from './describe-dataset.js';
import { type DryRun, describeDryRun, dryRunJson } from './describe-dry-run.js';
import { seenBefore } from './seen-before.js';
import { withRuns } from './with-runs.js';

/** Prints what each of the runs would take. Nothing is stored. */
export async function printDryRun(asked: readonly RunSpec[], context: CliContext): Promise<number> {
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
      };
      const described = withOwnCorpora(search.corpora, corpora);
      const sizeOf = async (name: string) => {
        const { passages } = await described.describe(name);
        return typeof passages === 'number' ? passages : undefined;
      };
      const prices = await loadPrices(config.prices, context.config?.prices);
      const provider = context.config?.model?.provider ?? readEndpoint(config.baseUrl).provider;
      const pricing = { prices, isLocal: isLocalProvider(provider) };
      const specs = asked.map((spec) => withUsual(spec, config.usual));
      const [first] = specs;
      // The runs of a command differ in their noise alone.
      const planned = first ? await withQuestions(first, context, plannedOf) : [];
      if (context.json) show(context, planned.length === 1 ? planned[0] : planned, '');
      return EXIT.ok;

      async function plannedOf({ lines, snapshot, read }: Questions): Promise<object[]> {
        const planned: object[] = [];
        for (const spec of specs) {
          const dry = await withSets(spec, config, store, (demonstrationSets) => {
            const corpora = fitFor(spec, described);
            const all = { ...parts, read, demonstrationSets, corpora, sizeOf };
            return dryRun(spec, snapshot, all, runs, pricing);
          });
          planned.push(dryRunJson(spec, dry));
          if (!context.json) print([...lines, ...describeDryRun(spec, dry)].join('\n'));
        }
        return planned;
      }
    }),
  );
}

/** The questions of a run, before it is there. */
interface Questions {
  /** What is said of them. */
  lines: string[];
  snapshot: Snapshot;
  read: ReadSubset;
}

/** Works with what a file holds, or a data set of the store. */
async function withQuestions<T>(
  spec: RunSpec,
  context: CliContext,
  work: (questions: Questions) => Promise<T>,
): Promise<T> {
  const { config, signal } = context;
  const { dataset } = spec;
  const file = fileOf(dataset);
  if (file === undefined && typeof dataset === 'string') {
    return withDatasets(context, async (datasets) => {
      const snapshot = await datasets.find(dataset);
      const lines = [`Data set   ${dataset}, as it was put into the store`];
      return work({ lines, snapshot, read: readingOf(snapshot.sha256, datasets, signal) });
    });
  }
  const options = { ...readOptionsOf(spec), datasets: config?.datasets, signal };
  const all = (more: ReadOptions = {}) =>
    typeof dataset === 'string'
      ? readDataset(dataset, { ...options, ...more })
      : readGiven(dataset, { ...options, ...more });
  const label = file === undefined ? `${datasetLabel(dataset)} of the input` : basename(file);
  const understood = new Understood();
  const onRecord = (record: ChosenRecord) => understood.add(record);
  const snapshot = await surveyOf(all({ onRecord }), label);
  const read: ReadSubset = (subset) => takeSubset(all, subset);
  return work({ lines: understood.lines(label), snapshot, read });
}

/**
 * What a run would take.
 *
 * @throws Failure BadInput for a data set or a corpus that the run itself would refuse.
 */
async function dryRun(
  spec: RunSpec,
  { sha256, questions }: Snapshot,
  parts: PlanParts,
  runs: RunStore,
  { prices, isLocal }: Pricing,
): Promise<DryRun> {
  const plan = await planRun(spec, parts);
  const price = (model: string) => priceOf(model, prices) ?? (isLocal ? FREE : undefined);
  const atTier = (model: string, step: string) => {
    const usual = price(model);
    const tier = spec.transport ? 'batch' : tierOf(step, spec.tier);
    return usual && (tier === 'standard' ? usual : priceAt(usual, tier));
  };
  const asking = estimateRun(plan.steps, price, spec);
  return {
    method: methodNamed(spec.method, parts.methods),
    selected: subsetSize(subsetOf(spec), questions),
    rule: ruleOf(subsetOf(spec)),
    metrics: chosenMetrics(spec, parts.metrics ?? metricRegistry()).map(runMetric),
    plan,
    asking,
    judging: estimateRun(plan.judging, price),
    together: estimateRun([...plan.steps, ...plan.judging], price, spec),
    ...((spec.tier || spec.transport) && {
      atTierUsd: estimateRun([...plan.steps, ...plan.judging], atTier).costUsd,
    }),
    before: await seenBefore(spec, sha256, runs),
  };
}

/** As a call of a model of this machine is counted that the price table does not know. */
const FREE = { prompt: 0, cachedPrompt: 0, completion: 0 };

/** The corpora as they are searched here, by words; one that does not fit the mode is refused. */
function fitFor({ mode }: RunSpec, corpora: DescribedCorpora): Corpora {
  return {
    async open(name) {
      const { embedding } = await corpora.describe(name);
      return corpora.open(name, embedding ? 'bm25' : mode);
    },
  };
}

/** Works with the demonstration sets, which are opened for a method that shows one. */
async function withSets<T>(
  { options }: RunSpec,
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
