/** A run as a record of Every Eval Ever: its required fields and their types, in our own words. */
import { expect, it } from 'vitest';
import { EEE_SCHEMA, eeeRecord } from '../../../evaluation/runs/export-eee.js';
import { figuresOf } from '../../../evaluation/runs/run-figures.js';
import { exampleRun, manifestOf } from '../../support/runs/example-runs.js';

/** Values at a dotted path, `[]` being each item of a list. */
function at(value: unknown, path: string): unknown[] {
  return path.split('.').reduce<unknown[]>(
    (values, step) =>
      values.flatMap((one) => {
        const [name = ''] = step.split('[]');
        const inner = Object(one)[name];
        return step.endsWith('[]') ? (inner as unknown[]) : [inner];
      }),
    [value],
  );
}

/** What the schema 0.3.0 requires of a record, and of what it may leave out where it is there. */
const FIELDS: [path: string, type: string][] = [
  ['schema_version', 'string'],
  ['evaluation_id', 'string'],
  ['retrieved_timestamp', 'string'],
  ['source_metadata.source_type', 'string'],
  ['source_metadata.source_organization_name', 'string'],
  ['source_metadata.evaluator_relationship', 'string'],
  ['eval_library.name', 'string'],
  ['eval_library.version', 'string'],
  ['model_info.name', 'string'],
  ['model_info.id', 'string'],
  ['model_info.additional_details.deployment_type', 'string'],
  ['model_info.additional_details.model_availability', 'string'],
  ['evaluation_results[].evaluation_name', 'string'],
  ['evaluation_results[].source_data.dataset_name', 'string'],
  ['evaluation_results[].source_data.source_type', 'string'],
  ['evaluation_results[].metric_config.lower_is_better', 'boolean'],
  ['evaluation_results[].metric_config.min_score', 'number'],
  ['evaluation_results[].metric_config.max_score', 'number'],
  ['evaluation_results[].score_details.score', 'number'],
  ['evaluation_results[].score_details.uncertainty.confidence_interval.lower', 'number'],
  ['evaluation_results[].score_details.uncertainty.confidence_interval.upper', 'number'],
  ['evaluation_results[].score_details.uncertainty.num_samples', 'number'],
];

/** The fields of a record; the schema takes no other. */
const TOP = [
  'schema_version',
  'evaluation_id',
  'evaluation_timestamp',
  'retrieved_timestamp',
  'source_metadata',
  'eval_library',
  'model_info',
  'evaluation_results',
];

async function recordOf(change: object = {}) {
  const run = exampleRun({ run: 'sure-bridges', method: 'sure' });
  const manifest = { ...run.manifest, ...change };
  const figures = await figuresOf({ ...run, manifest });
  return { figures, record: JSON.parse(JSON.stringify(eeeRecord(figures))) };
}

it('has what the schema requires, a result a metric, and the same bytes for the same run', async () => {
  const { figures, record } = await recordOf();
  expect(Object.keys(record)).toEqual(TOP);
  expect(record.schema_version).toBe(EEE_SCHEMA);
  for (const [path, type] of FIELDS) {
    expect([path, at(record, path).map((value) => typeof value)]).toEqual([
      path,
      at(record, path).map(() => type),
    ]);
  }
  const told = figures.metrics.filter(({ all }) => all);
  expect(record.evaluation_results).toHaveLength(told.length);
  expect(record.evaluation_results[0]).toMatchObject({
    metric_config: { metric_id: told[0]?.metric, score_type: 'continuous' },
    score_details: {
      score: told[0]?.all?.mean,
      uncertainty: { num_samples: told[0]?.all?.questions },
    },
  });
  const details = [
    record.model_info,
    record.eval_library,
    ...at(record, 'evaluation_results[].generation_config'),
  ];
  for (const { additional_details } of details as { additional_details: object }[]) {
    for (const value of Object.values(additional_details)) expect(typeof value).toBe('string');
  }
  expect((await recordOf()).record).toEqual(record);
});

it('names where the questions come from, and the command that asked them', async () => {
  const { dataset, input } = manifestOf({ run: 'r', method: 'sure' });
  const source = { revision: 'abc', bytes: 1, sha256: 'a', fetchedAt: '2026-11-20T08:00:00Z' };
  const sourceOf = async (address: string) => {
    const change = { dataset: { ...dataset, source: { ...source, address } } };
    return (await recordOf(change)).record.evaluation_results[0].source_data;
  };
  expect(await sourceOf('hf:org/set/test.jsonl')).toMatchObject({
    source_type: 'hf_dataset',
    hf_repo: 'org/set',
  });
  expect(await sourceOf('https://example.org/q.jsonl')).toMatchObject({
    source_type: 'url',
    url: ['https://example.org/q.jsonl'],
  });
  const command = 'durable-rag eval --method sure';
  const { record } = await recordOf({ input: { ...input, command } });
  expect(record.evaluation_results[0].generation_config.generation_args).toEqual({
    execution_command: command,
  });
});
