/** The identity of a run: when two are the same, and how they differ. Pure. */

import { canonicalJson } from '../../core/canonical-json.js';
import { differences } from '../../core/differences.js';
import type { ModelPrice } from '../../core/model-price.js';
import { identityOf } from '../../core/run/input.js';
import type { RunManifest } from '../../stores/runs/run-store.js';

/** The part of a manifest that decides the answers of a run. */
type RunIdentity = Pick<
  RunManifest,
  | 'code'
  | 'corpus'
  | 'embedding'
  | 'input'
  | 'metrics'
  | 'ownSteps'
  | 'predictions'
  | 'prices'
  | 'prompts'
  | 'provider'
  | 'reranker'
> & {
  dataset: Pick<RunManifest['dataset'], 'sha256'>;
};

/** Returns one line for each difference from an existing run. */
export function runDifferences(there: RunIdentity, here: RunIdentity): string[] {
  const isContinued = here.code?.continues?.includes(there.code?.version ?? '');
  const known = {
    prices: only(Object.keys(there.prices), here.prices),
    prompts: only(Object.keys(there.prompts), here.prompts),
  };
  return differences(comparable(there), {
    ...comparable({ ...here, ...known }),
    ...(isContinued && codeOf(there)),
  });
}

function comparable(run: RunIdentity): Record<string, unknown> {
  const { dataset: _, corpus: name, ...input } = identityOf(run.input);
  const { dataset, corpus, prompts, prices, provider, embedding, reranker } = run;
  const { metrics = [], ownSteps, predictions } = run;
  // The answers were made elsewhere, so the setup of a judge decides none of them.
  if (predictions) return { ...input, dataset: dataset.sha256, prompts, ...scoringOf(metrics) };
  return {
    ...input,
    dataset: dataset.sha256,
    corpus: { ...corpusContent(corpus), name },
    prompts,
    provider,
    embedding,
    reranker,
    prices: undated(prices),
    ...scoringOf(metrics),
    ...(ownSteps && { ownSteps }),
    ...codeOf(run),
  };
}

function scoringOf(metrics: NonNullable<RunIdentity['metrics']>): object {
  if (metrics.length === 0) return {};
  return { scoring: Object.fromEntries(metrics.map(({ name, version }) => [name, version])) };
}

function codeOf({ code }: Pick<RunIdentity, 'code'>): object {
  return code ? { code: { version: code.version, files: code.files } } : {};
}

/** Returns prices without their days: the same price of a later day is the same. */
function undated(prices: RunIdentity['prices']): Record<string, ModelPrice> {
  return Object.fromEntries(
    Object.entries(prices).map(([name, { asOf: _, ...price }]) => [name, price]),
  );
}

/** An index that was built again from the same file in the same way is the same. */
function corpusContent(corpus: Record<string, unknown> | null): Record<string, unknown> {
  const { build, builtAt, source, ...content } = corpus ?? {};
  return content;
}

function only<T>(names: readonly string[], of: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(of).filter(([name]) => names.includes(name)));
}

/**
 * Returns the contents that a run's questions are asked about and with: the hashes of data set,
 * corpus and prompts. Equal for equal contents, wherever they are.
 */
export function contentsOf({
  dataset,
  corpus,
  prompts,
}: Pick<RunIdentity, 'corpus' | 'dataset' | 'prompts'>): object {
  return { dataset: dataset.sha256, corpus: corpus && corpusContent(corpus), prompts };
}

/**
 * Equal for two runs of the same method on the same questions: whatever they differ by is noise.
 * The run's name, the seed, the order of the questions, and whether the response cache was read,
 * are no part of it.
 */
export function experimentOf(manifest: RunManifest): string {
  const { run, seed, shuffle, cache, ...identity } = identityOf(manifest.input);
  const { prompts, ownSteps, code, provider, models, normaliser, changes } = manifest;
  const corpus = manifest.corpus && corpusContent(manifest.corpus);
  const data = dataOf(manifest);
  const asked = { prompts, ownSteps, code: code?.version, provider, models, normaliser };
  return canonicalJson({ identity, ...asked, corpus, data, changes });
}

/** Equal for runs whose questions were asked under the same noise, so that methods compare. */
export function noiseOf({ input }: RunManifest): string {
  return canonicalJson(input.noise ?? null);
}

/** The content that the questions come from. */
export function dataOf({ dataset }: RunManifest): string {
  return dataset.sha256;
}
