/** docs/reference, derived: failures, fields of inputs, options, data sets, commands. Pure. */

import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { z } from 'zod';
import { EXIT, EXIT_MEANINGS } from '../../cli/exit-codes.js';
import { FAILURES, type FailureTraits } from '../../core/failure.js';
import { commonInput } from '../../core/options/input.js';
import {
  describeAllowed,
  type Field,
  type FieldAt,
  fieldOf,
  fieldsWithin,
} from '../../core/options/schema-fields.js';
import { runInput } from '../../core/run/input.js';
import { localSettings, workerSettings } from '../../core/settings.js';
import { DATASETS } from '../../evaluation/dataset/readers/index.js';
import { fieldsRead } from '../../evaluation/dataset/record-fields.js';
import { callsText, countMethodCalls } from '../../interpreters/method-calls.js';
import { WORKER_METRICS, type WorkerMetric } from '../../workers/observe/worker-metrics.js';
import { clusterInput } from '../../workflows/cluster-job.js';
import type { OwnMethod } from '../../workflows/define-method.js';
import { exportParts } from './export-reference.js';
import { stepsPage } from './step-reference.js';

const MADE = '<!-- Made by "npm run reference". -->';

/** The pages by the names of their files. */
export async function referencePages(
  program: CommandUnknownOpts,
  methods: readonly OwnMethod<unknown>[],
): Promise<Record<string, string>> {
  const parts = await Promise.all(methods.map(methodPart));
  return {
    'failures.md': page('Failures', [failureTable()]),
    'datasets.md': page('Known data sets', [datasetTable()]),
    'input.md': page('Fields of the inputs', [
      ...section('A question', commonInput),
      ...section('A run', runInput),
      ...section('A clustering job', clusterInput),
    ]),
    'settings.md': page('Settings', [
      ...section('Worker', workerSettings, 'variable'),
      ...section('Local stack', localSettings, 'variable'),
    ]),
    'series.md': page('Series of a worker', [seriesTable()]),
    'options.md': page('Methods and their options', parts.flat()),
    'exports.md': page('What a program imports', exportParts()),
    'steps.md': page('Steps and types of outputs', stepsPage()),
    'commands.md': page('Commands', [
      ...program.commands.flatMap((one) => commandPart(one)),
      '## Exit codes',
      table(['code', 'meaning'], EXIT_MEANINGS),
    ]),
  };
}

function page(title: string, parts: readonly string[]): string {
  return `${[`# ${title}`, MADE, ...parts].join('\n\n')}\n`;
}

function table(head: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const line = (cells: readonly unknown[]) =>
    `| ${cells.map((cell) => String(cell ?? '').replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function failureTable(): string {
  const rows = Object.entries(FAILURES).map(([type, traits]) => [
    `\`${type}\``,
    traits.means,
    traits.todo,
    consequences(traits),
    EXIT[traits.exit ?? 'error'],
  ]);
  return table(['type', 'means', 'what to do', 'what follows', 'exit code'], rows);
}

function datasetTable(): string {
  const rows = DATASETS.map(({ name, schema, source, ranked = true }) => [
    `\`${name}\``,
    fieldsRead(schema)
      .map((field) => `\`${field}\``)
      .join(', '),
    ranked ? source : `${source}; passages in no order of relevance`,
  ]);
  return table(['name', 'fields that are read', 'source'], rows);
}

function seriesTable(): string {
  const rows = Object.values<WorkerMetric>(WORKER_METRICS).map(({ name, kind, help, labels }) => [
    `\`${kind === 'counter' ? `${name}_total` : name}\``,
    kind,
    labels.join(', '),
    help,
  ]);
  return table(['series', 'kind', 'labels', 'meaning'], rows);
}

function consequences(traits: FailureTraits): string {
  const { retried, billed, common, commonIfFirst, healedBy } = traits;
  const said = [
    retried && 'tried again',
    billed && 'may be billed',
    common && 'pauses a run',
    commonIfFirst && 'pauses a run whose first questions all meet it',
    healedBy && `ends by ${healedBy === 'wait' ? 'a wait' : healedBy}`,
  ];
  return said.filter(Boolean).join('; ');
}

async function methodPart(method: OwnMethod<unknown>): Promise<string[]> {
  const { name, title, source, steps, figures, options } = method;
  const calls = await countMethodCalls(method);
  const facts = [
    `- Most model calls of a question: ${calls && callsText(calls)}`,
    `- Steps that call a model: ${steps?.join(', ')}`,
    `- Reported: ${figures}`,
  ];
  const [, ...fields] = section(name, options);
  return [`## \`${name}\``, `${title}. ${source}.`, facts.join('\n'), ...fields];
}

function section(title: string, schema: z.ZodType, what = 'field'): string[] {
  const whole = fieldOf(schema);
  const fields = fieldsWithin(whole).filter(({ field }) => !field.properties || field.flag);
  if (fields.length === 0) return [];
  const rows = fields.map(({ path, field }) => [
    `\`${path.join('.')}\``,
    field.description,
    describeAllowed(field),
    usual({ path, field }, whole),
    field.flag && `\`${field.flag}\``,
  ]);
  return [`## ${title}`, table([what, 'meaning', 'takes', 'default', 'flag'], rows)];
}

function usual({ path, field }: FieldAt, whole: Field): string {
  if (field.otherwise !== undefined) return field.otherwise;
  if (field.default !== undefined) return `\`${JSON.stringify(field.default)}\``;
  return path.length === 1 && whole.required?.includes(path[0] ?? '') ? 'required' : '';
}

function commandPart(command: CommandUnknownOpts, above = 'durable-rag'): string[] {
  const name = `${above} ${command.name()}`;
  const operands = command.registeredArguments.map((one) => ` <${one.name()}>`).join('');
  const rows = command.options.map(({ flags, description, argChoices }) => [
    `\`${flags}\``,
    argChoices ? `${description}: ${argChoices.join(', ')}` : description,
  ]);
  return [
    `## \`${name}${operands}\``,
    command.description(),
    ...(rows.length > 0 ? [table(['flag', 'meaning'], rows)] : []),
    ...command.commands.flatMap((one) => commandPart(one, name)),
  ];
}
