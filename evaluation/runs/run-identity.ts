/** Which runs are the same experiment, and which differ in one thing only. Pure. */
import { identityOf } from '../../methods/batch/input.js';
import { canonicalJson } from '../../methods/canonical-json.js';
import type { RunManifest } from '../../results/run-store.js';

/**
 * Equal for two runs of the same method on the same questions: whatever they differ by is noise.
 * The run's name, and whether the response cache was read, are no part of it.
 */
export function experimentOf(manifest: RunManifest): string {
  const { run, cache, ...identity } = identityOf(manifest.input);
  const { prompts, provider, models, normaliser, corpus } = manifest;
  const data = dataOf(manifest);
  return canonicalJson({ identity, prompts, provider, models, normaliser, corpus, data });
}

/** Equal for runs that differ in the share of noise only; undefined for a run without noise. */
export function sweepOf(manifest: RunManifest): string | undefined {
  const { noise } = manifest.input;
  if (!noise) return undefined;
  const input = { ...manifest.input, noise: { ...noise, ratio: 0 } };
  return experimentOf({ ...manifest, input });
}

/** Equal for runs whose questions were asked under the same noise, so that methods compare. */
export function noiseOf({ input }: RunManifest): string {
  return canonicalJson(input.noise ?? null);
}

/** The content that the questions come from. */
export function dataOf({ dataset }: RunManifest): string {
  return dataset.sha256;
}
