/** Decides whether two runs are the same experiment, and describes how they differ. Pure. */

import { canonicalJson } from '../../core/canonical-json.js';
import type { ModelPrice } from '../../core/model-price.js';
import { differences } from '../../core/object-differences.js';
import { identityOf } from '../../core/run/input.js';
import type { RunManifest } from '../../stores/runs/run-store.js';

/** The parts of a manifest that decide the answers and scores of a run. */
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

/**
 * Returns the differences of the run `here` from the stored run `there` in what decides results,
 * as one line of text for each; empty if there are none.
 */
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
  // The answers were imported, so models and corpus did not decide them.
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

/** Returns prices without their dates, so that the same price of a later day is equal. */
function undated(prices: RunIdentity['prices']): Record<string, ModelPrice> {
  return Object.fromEntries(
    Object.entries(prices).map(([name, { asOf: _, ...price }]) => [name, price]),
  );
}

/** Returns the properties of a corpus that an identical rebuild of its index does not change. */
function corpusContent(corpus: Record<string, unknown> | null): Record<string, unknown> {
  const { build, builtAt, source, ...content } = corpus ?? {};
  return content;
}

function only<T>(names: readonly string[], of: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(of).filter(([name]) => names.includes(name)));
}

/**
 * Returns an object that identifies the contents of a run's data set, corpus and prompts:
 * `dataset` is the SHA-256 in hexadecimal, `corpus` the description of the corpus (null without
 * one), apart from when, by which build and from where its index was made, `prompts` are hashes by
 * name. It is equal for runs with equal contents.
 */
export function contentsOf({
  dataset,
  corpus,
  prompts,
}: Pick<RunIdentity, 'corpus' | 'dataset' | 'prompts'>): object {
  return { dataset: dataset.sha256, corpus: corpus && corpusContent(corpus), prompts };
}

/**
 * Returns a text that is equal for runs of the same experiment, whose differences are only noise.
 * It does not depend on the run's name, seed, order of the questions, and use of the response
 * cache.
 */
export function experimentKey(manifest: RunManifest): string {
  const { run, seed, shuffle, cache, ...identity } = identityOf(manifest.input);
  const { prompts, ownSteps, code, provider, models, normaliser, changes } = manifest;
  const corpus = manifest.corpus && corpusContent(manifest.corpus);
  const data = datasetHashOf(manifest);
  const asked = { prompts, ownSteps, code: code?.version, provider, models, normaliser };
  return canonicalJson({ identity, ...asked, corpus, data, changes });
}

/**
 * Returns a text that is equal for runs whose passages get the same noise, by the settings in
 * their manifests.
 */
export function noiseKey({ input }: RunManifest): string {
  return canonicalJson(input.noise ?? null);
}

/** Returns the SHA-256 of a run's data set, in hexadecimal, as its manifest records it. */
export function datasetHashOf({ dataset }: RunManifest): string {
  return dataset.sha256;
}
