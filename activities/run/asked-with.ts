/** What of a worker decides the answers of a run, beside what the run was started with. */

import type { RunSpec } from '../../core/run/input.js';
import { judgeModel, modelNames } from '../../core/step-models.js';
import { priceOf } from '../../llm/prices.js';
import type { RunManifest } from '../../stores/runs/run-store.js';
import type { Ports } from '../runtime/ports.js';
import { ownStepsOfRun, promptsOfRun } from './run-prompts.js';

/** As a manifest keeps it. */
export type AskedWith = Pick<
  RunManifest,
  'embedding' | 'ownSteps' | 'prices' | 'prompts' | 'provider' | 'reranker'
>;

type AskingPorts = Pick<Ports, 'embeddings' | 'llm' | 'prices' | 'prompts' | 'reranker' | 'steps'>;

/**
 * The prompts and steps of one's own that a run can ask, the endpoints and models beside those that it
 * names, and what its models cost, where that is known.
 *
 * @throws Failure BadInput when there is no such set of prompts.
 */
export async function askedWith(spec: RunSpec, ports: AskingPorts): Promise<AskedWith> {
  const { llm, embeddings, reranker, prices } = ports;
  const priced = modelsAsked(spec).map((model) => [model, priceOf(model, prices)] as const);
  return {
    prompts: await promptsOfRun(spec, ports),
    ...ownStepsOfRun(spec, ports),
    provider: llm.provider,
    embedding: { provider: embeddings.provider, model: embeddings.model },
    reranker: reranker ? { provider: reranker.provider, model: reranker.model } : null,
    prices: Object.fromEntries(priced.flatMap(([model, price]) => (price ? [[model, price]] : []))),
  };
}

/** The models of a run, its judge among them, each once. */
export function modelsAsked({ models, judge }: Pick<RunSpec, 'judge' | 'models'>): string[] {
  return [...new Set([...modelNames(models), ...(judge === undefined ? [] : [judgeModel(judge)])])];
}
