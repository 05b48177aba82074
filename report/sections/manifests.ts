/** Renders the manifests of the runs, with everything needed to repeat them. Pure. */

import type { DataSource } from '../../core/dataset-record.js';
import type { MethodRegistry } from '../../core/method-registry.js';
import { hasFields, outputsText, promptsText } from '../../core/step-models.js';
import type { RunsEvaluation } from '../../evaluation/runs/evaluate-runs.js';
import { forkText } from '../../evaluation/runs/fork-text.js';
import { buildsText, count, plural } from '../../evaluation/runs/number-text.js';
import type { RunFigures } from '../../evaluation/runs/run-figures.js';
import { methodText, modelsText } from '../../evaluation/runs/run-labels.js';
import type { RunManifest } from '../../stores/runs/run-store.js';
import { html, type Markup } from '../html.js';
import { titledSection } from './figure-parts.js';

/**
 * Returns, as `Markup`, a section with the settings and versions of each run, empty but for its
 * heading if there are no runs.
 */
export function manifestSection(
  { runs }: RunsEvaluation,
  methods: MethodRegistry,
): Markup | undefined {
  const panels = runs.map(
    (run) =>
      html`<details class="manifest"><summary>${run.manifest.run}<small>${forkLabel(run)}${sourceOf(run.manifest, methods)}</small></summary>
<dl>${rowsOf(run).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl></details>`,
  );
  const all = html`${panels}`;
  const folded = html`<details class="part"><summary><h3>${count(runs.length)} runs</h3></summary>${all}</details>`;
  return titledSection(
    'manifests',
    'How the runs were made',
    '',
    runs.length > SHOWN ? folded : all,
  );
}

/** Number of runs above which they are folded. */
const SHOWN = 6;

function sourceOf({ input: { method } }: RunManifest, methods: MethodRegistry): string {
  return methods.get(method)?.source ?? method;
}

function forkLabel({ manifest }: RunFigures): string {
  const forked = forkText(manifest);
  return forked === undefined ? '' : `fork of ${forked} · `;
}

function sourceText({ address, revision, bytes, sha256 }: DataSource): string {
  const at = revision === null ? '' : `, revision ${revision}`;
  return `${address}${at}, ${count(bytes)} bytes, sha256 ${sha256}`;
}

function rowsOf({ manifest, builds, steps }: RunFigures): [string, string][] {
  const { input, dataset, corpus, prompts, models, normaliser, versions, createdAt } = manifest;
  const hashes = Object.entries(prompts).map((entry) => entry.join(' '));
  const { predictions } = manifest;
  if (predictions) {
    const { file, sha256, fields } = predictions;
    const read = Object.entries(fields).map((pair) => pair.join('='));
    return [
      ['answers made by', methodText(manifest)],
      ['models', modelsText(models)],
      ['imported from', `${file}, sha256 ${sha256}, ${read.join(', ')}`],
      ['data set', dataText(dataset)],
      ['judge', input.judge ? JSON.stringify(input.judge) : 'none'],
      ['everything else', 'unknown'],
      ['normaliser', normaliser],
      ['versions', `durable-rag ${versions.durableRag}, Node ${versions.node}`],
      ['imported', createdAt],
    ];
  }
  const texts: [string, unknown][] = [
    ['method', input.method],
    ['options', input.options],
    ['command', input.command],
    ['forked of', forkText(manifest)],
    ['provider', manifest.provider],
    ['models', models],
    ['extra body fields', hasFields(input.extraBody) ? input.extraBody : undefined],
    ['served by', hostsText(steps) || undefined],
    ['unsupported parameters', manifest.unsupported],
    ['form of the outputs', outputsText(input.outputs)],
    ['data set', dataText(dataset)],
    ['data set fetched from', dataset.source && sourceText(dataset.source)],
    ['questions', `${dataset.rule}: ${count(manifest.questions)}`],
    ['corpus', corpus === null ? 'the passages that come with the questions' : corpus],
    ['search', input.mode ?? 'bm25'],
    ['noise', input.noise ?? 'none'],
    ['noise found', manifest.noise],
    ['judge', input.judge ?? 'none'],
    ['seed', input.seed],
    ['sample seed', input.sampleSeed],
    ['response cache', input.cache ? 'read' : 'not read'],
    ['normaliser', normaliser],
    ['prompts', `${promptsText(input.prompts)}: ${hashes.join(', ')}`],
    ['versions', `durable-rag ${versions.durableRag}, Node ${versions.node}`],
    ['code of the method', manifest.code?.version],
    ['builds of the workflows', buildsText(builds) || undefined],
    ['first start', createdAt],
  ];
  return texts.flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, typeof value === 'string' ? value : JSON.stringify(value)]],
  );
}

function dataText({ file, questions, sha256 }: RunFigures['manifest']['dataset']): string {
  return `${file}, ${plural(questions, 'question')}, sha256 ${sha256}`;
}

/** Returns the hosts behind a router that served a run, sorted, as text; '' if unknown. */
function hostsText(steps: RunFigures['steps']): string {
  return [...new Set(steps.flatMap(({ hosts }) => hosts))].sort().join(', ');
}
