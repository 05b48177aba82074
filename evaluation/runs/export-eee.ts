/**
 * Exports a run as a record of Every Eval Ever (evaleval/every_eval_ever, schema 0.3.0), a JSON
 * document whose results are the metrics of the run. Unknown facts are left out, or are 'unknown'
 * if the schema requires a text.
 */
import { canonicalJson } from '../../core/canonical-json.js';
import type { DataSource } from '../../core/dataset-record.js';
import { judgeModel, modelFor, promptsText } from '../../core/step-models.js';
import type { RunManifest } from '../../stores/runs/run-store.js';
import type { RunFigures } from './run-figures.js';
import { methodText, modelsText } from './run-labels.js';
import type { MetricFigures } from './score-tables.js';

/** Version of the schema Every Eval Ever by which `eeeRecord` writes. */
export const EEE_SCHEMA = '0.3.0';

const UNKNOWN = 'unknown';

/** Confidence level of the intervals. */
const LEVEL = 0.95;

/**
 * Returns the record of a run in the schema Every Eval Ever, an object for JSON. Chain metrics are
 * left out. The same run always gives the same record.
 */
export function eeeRecord(figures: RunFigures): object {
  const { manifest } = figures;
  const { versions, createdAt } = manifest;
  const seconds = String(Math.floor(Date.parse(createdAt) / 1000));
  const { model } = modelFor('default', { models: manifest.models }, UNKNOWN);
  return {
    schema_version: EEE_SCHEMA,
    evaluation_id: [manifest.run, model.replaceAll('/', '_'), seconds].join('/'),
    evaluation_timestamp: createdAt,
    retrieved_timestamp: seconds,
    source_metadata: {
      source_name: manifest.run,
      source_type: 'evaluation_run',
      source_organization_name: UNKNOWN,
      evaluator_relationship: 'other',
    },
    eval_library: {
      name: 'durable-rag',
      version: versions.durableRag,
      additional_details: texts({
        normaliser: manifest.normaliser,
        method_code: manifest.code?.version,
        predictions: manifest.predictions?.file,
      }),
    },
    model_info: modelInfo(model, manifest),
    // A result must state whether lower is better; for chain metrics neither is.
    evaluation_results: figures.metrics
      .filter(({ group }) => group !== 'chain')
      .flatMap((metric) => resultOf(metric, figures)),
  };
}

function modelInfo(model: string, { provider, input, predictions }: RunManifest): object {
  return {
    name: model,
    id: model,
    ...(provider !== UNKNOWN && { inference_platform: provider }),
    additional_details: {
      deployment_type: UNKNOWN,
      model_availability: UNKNOWN,
      // A method can use several models, so the record is about the system rather than one model.
      ...texts({
        models_by_step: modelsText(input.models),
        answers: predictions && 'made elsewhere',
      }),
    },
  };
}

function resultOf(
  { metric, title, group, all }: MetricFigures,
  { manifest }: RunFigures,
): object[] {
  if (!all) return [];
  const { mean, low, high, questions } = all;
  return [
    {
      evaluation_result_id: metric,
      evaluation_name: `${manifest.dataset.file}: ${title}`,
      source_data: sourceOf(manifest.dataset),
      evaluation_timestamp: manifest.createdAt,
      metric_config: {
        evaluation_description: `${title}, a mean over questions; one without an answer counts 0`,
        metric_id: metric,
        metric_name: title,
        metric_unit: 'proportion',
        lower_is_better: false,
        score_type: 'continuous',
        min_score: 0,
        max_score: 1,
        ...(group === 'judged' && judging(manifest)),
      },
      score_details: {
        score: mean,
        uncertainty: {
          confidence_interval: {
            lower: low,
            upper: high,
            confidence_level: LEVEL,
            method: 'score interval, as docs/report.md of durable-rag says',
          },
          num_samples: questions,
        },
      },
      generation_config: generation(manifest),
    },
  ];
}

function judging({ input, provider, prompts }: RunManifest): object {
  if (input.judge === undefined) return {};
  const model = judgeModel(input.judge);
  const additional = { deployment_type: UNKNOWN, model_availability: UNKNOWN };
  const info = { name: model, id: model, inference_platform: provider };
  const read = Object.entries(prompts).map((pair) => pair.join(' '));
  return {
    llm_scoring: {
      judges: [{ model_info: { ...info, additional_details: additional } }],
      input_prompt: `prompts by name and hash: ${read.join(', ')}`,
    },
  };
}

function sourceOf({ file, source, sha256, selected, rule }: RunManifest['dataset']): object {
  const dataset_name = file;
  const additional_details = texts({ sha256, rule, revision: source?.revision });
  const hub = source && hubOf(source);
  if (hub) {
    return {
      dataset_name,
      source_type: 'hf_dataset',
      hf_repo: hub,
      samples_number: selected,
      additional_details,
    };
  }
  if (source) {
    return { dataset_name, source_type: 'url', url: [source.address], additional_details };
  }
  return { dataset_name, source_type: 'other', additional_details };
}

/**
 * Returns the Hugging Face repository of a data set; undefined if it is from elsewhere.
 * @example hubOf({ address: 'hf:owner/name/test.jsonl' }) // 'owner/name'
 */
function hubOf({ address }: Pick<DataSource, 'address'>): string | undefined {
  const [, repository] = /^hf:([^/]+\/[^/@]+)/.exec(address) ?? [];
  return repository;
}

function generation(manifest: RunManifest): object {
  const { input, models, corpus, prompts } = manifest;
  const { parameters = {} } = modelFor('default', { models }, UNKNOWN);
  const { temperature, topP, maxTokens } = parameters;
  return {
    generation_args: {
      ...(temperature !== undefined && { temperature }),
      ...(topP !== undefined && { top_p: topP }),
      ...(maxTokens !== undefined && { max_tokens: maxTokens }),
      ...(input.command !== undefined && { execution_command: input.command }),
    },
    additional_details: texts({
      method: methodText(manifest),
      options: manifest.predictions ? undefined : input.options,
      corpus: corpus ?? undefined,
      search: corpus ? (input.mode ?? 'bm25') : undefined,
      prompts: manifest.predictions ? undefined : { set: promptsText(input.prompts), ...prompts },
      seed: manifest.predictions ? undefined : input.seed,
    }),
  };
}

/**
 * Returns values as texts, as the schema requires of details; undefined and null ones are left out.
 */
function texts(values: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      if (value === undefined || value === null) return [];
      return [[name, typeof value === 'string' ? value : canonicalJson(value)]];
    }),
  );
}
