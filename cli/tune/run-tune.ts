/** `tune run`, `tune table` and `advise`: what a tune would take, its course, and what came of it. */
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { OfflinePorts } from '../../activities/runtime/ports.js';
import { promptFileOf } from '../../activities/runtime/template.js';
import { planOfTune, type ReadTune, readTune } from '../../activities/tune/read-tune.js';
import type { StudyHandle } from '../../client/study.js';
import { command } from '../../core/command.js';
import type { RunSpec } from '../../core/run/input.js';
import { promptsFor } from '../../core/step-models.js';
import { tunePlan } from '../../core/tune/runs.js';
import { parseTune, type TuneInput } from '../../core/tune/tune.js';
import { readDataset } from '../../evaluation/dataset/read-dataset.js';
import { refOf } from '../../evaluation/dataset/snapshots.js';
import type { TableFormat } from '../../evaluation/study/render-table.js';
import { paidBackText, renderTune, winnerOf } from '../../evaluation/tune/tune-table.js';
import { type PlannedTune, planTune } from '../../interpreters/plan-tune.js';
import { writeAtomically } from '../../stores/runs/atomic-file.js';
import { closing } from '../closing.js';
import type { CliContext } from '../context.js';
import { fileAt } from '../dataset-flag.js';
import { EXIT } from '../exit-codes.js';
import type { Output } from '../output.js';
import { print } from '../print.js';
import { withPlanPorts } from '../run/plan-ports.js';
import { type Session, workerSession } from '../session.js';
import { followed, outputOf } from '../study/run-study.js';
import { readOptionsIn } from '../study/study-file.js';
import { withWorker } from '../with-worker.js';
import { describeTune } from './describe-tune.js';
import { storeTune, type TuneFile } from './tune-file.js';

/** Tells what a tune would take and could show. Nothing is stored or asked. */
export async function dryRunTune(read: TuneFile, context: CliContext): Promise<Output> {
  const tune = parseTune(read.input);
  const planned = await plannedTune(read, context);
  return { value: { tune: tune.name, ...planned }, text: describeTune(tune, planned).join('\n') };
}

function plannedTune({ input, datasets }: TuneFile, context: CliContext): Promise<PlannedTune> {
  return withPlanPorts(context, undefined, async (ports) => {
    const names = new Map<string, string>();
    for (const { label, file, options } of datasets ? readOptionsIn(datasets, context) : []) {
      const found = await fileAt(file, context);
      const read = () => readDataset(found.file, options);
      // The ports write nothing but into memory.
      names.set(label, refOf(await ports.datasets.put(read, found.file, found.source)));
    }
    return planTune(tunePlan(input, names), ports);
  });
}

/**
 * Starts a tune, or joins it, follows it to its end, and tells what came of it.
 *
 * @throws Failure BadInput before anything is asked, if so many questions cannot decide it.
 */
export async function runTune(
  read: TuneFile,
  { detach = false }: { detach?: boolean | undefined },
  context: CliContext,
): Promise<Output> {
  const tune = parseTune(read.input);
  const planned = await plannedTune(read, context);
  for (const line of describeTune(tune, planned)) context.reporter.part('Plan', line.trim());
  const { names, stored } = await storeTune(read, context);
  const find = ({ client }: Session) => client.tune(read.input, names);
  const work = async (handle: StudyHandle, session: Session): Promise<Output> => {
    const progress = detach ? await handle.progress() : await followed(handle, session, context);
    if (progress.state !== 'finished') return outputOf(progress);
    return outcomeOf(tune.name, read.input, context);
  };
  if (!detach) return withWorker({ what: 'tune', find, stored }, context, work);
  return closing(workerSession(context), async (session) => work(await find(session), session));
}

/** Tells what came of a tune, and writes the input of what was shown. */
async function outcomeOf(name: string, input: TuneInput, context: CliContext): Promise<Output> {
  const { read, lines, prompts } = await keptTune(name, context);
  const { table, pipelines } = read;
  const winner = winnerOf(table);
  const more: string[] = [];
  if (winner) {
    const spec = pipelines.get(winner.candidate);
    const file = `${name}.input.json`;
    const before = `${name}.start.input.json`;
    if (spec) await writePipeline(file, spec);
    const start = pipelines.get('start');
    if (start) await writePipeline(before, start);
    // A file for both commands cannot say where to search: each has another field for it.
    const { corpus, mode } = { ...start };
    const search = [...(corpus ? ['--corpus', corpus] : []), ...(mode ? ['--mode', mode] : [])];
    const use = (one: string) => command('eval', '--input', one, '--dataset', '...', ...search);
    more.push(`To use it: ${use(file)}, or ${command('ask', '--input', file, ...search, '...')}`);
    more.push(`To go back: ${use(before)}`);
    for (const [file, text] of prompts) await writeText(`${name}.prompts/${file}.txt`, text);
    if (prompts.size > 0)
      more.push(`Its new prompts, which are kept in the store: ${name}.prompts`);
  }
  const value = { ...table, spentUsd: read.spentUsd, winner: winner?.candidate ?? null, input };
  return { value, text: [...lines, ...more].join('\n'), code: EXIT.ok };
}

async function keptTune(
  name: string,
  context: CliContext,
  format: TableFormat = 'text',
): Promise<{ read: ReadTune; lines: string[]; prompts: ReadonlyMap<string, string> }> {
  const { read, prompts } = await withPlanPorts(context, undefined, async (ports) => {
    const read = await readTune(await planOfTune(name, ports), ports);
    return { read, prompts: await newPrompts(read, ports) };
  });
  const winner = winnerOf(read.table);
  const paid = winner && paidBackText(read.table, winner, read.spentUsd);
  const shown = renderTune(read.table, format).trimEnd();
  return { read, lines: [shown, ...(paid && format === 'text' ? [paid] : [])], prompts };
}

/** Returns the prompts of what was shown that were written for the tune, by the names of their files. */
async function newPrompts(
  { table, pipelines, plan }: ReadTune,
  { prompts }: Pick<OfflinePorts, 'prompts'>,
): Promise<ReadonlyMap<string, string>> {
  const winner = winnerOf(table);
  const sets = winner && pipelines.get(winner.candidate)?.prompts;
  const written = (plan.proposed ?? []).flatMap((round) => round.written);
  const texts = new Map<string, string>();
  for (const { step, file, set } of sets ? written : []) {
    if (!sets || promptsFor(step, sets) !== set) continue;
    texts.set(file, promptFileOf(await prompts.load(set, file)));
  }
  return texts;
}

/** Prints the table of a kept tune. */
export async function showTune(
  name: string,
  { format }: { format: TableFormat },
  context: CliContext,
): Promise<Output> {
  const { lines } = await keptTune(name, context, context.json ? 'json' : format);
  print(lines.join('\n'));
  return {};
}

/** Fields of a run that are a pipeline, wherever its questions come from. */
const PIPELINE = ['method', 'options', 'models', 'outputs', 'prompts', 'extraBody'] as const;

async function writePipeline(file: string, spec: RunSpec): Promise<void> {
  const fields = PIPELINE.flatMap((name) => (spec[name] === undefined ? [] : [[name, spec[name]]]));
  await writeText(file, `${JSON.stringify(Object.fromEntries(fields), null, 2)}\n`);
}

async function writeText(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeAtomically(file, (write) => write(text));
}
