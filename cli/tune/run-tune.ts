/** `tune run` and `advise`: what a tune would take, its course, and what came of it. */
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { StudyHandle } from '../../client/study.js';
import { command } from '../../core/command.js';
import type { RunSpec } from '../../core/run/input.js';
import { tunePlan } from '../../core/tune/runs.js';
import { parseTune, type TuneInput } from '../../core/tune/tune.js';
import { readDataset } from '../../evaluation/dataset/read-dataset.js';
import { refOf } from '../../evaluation/dataset/snapshots.js';
import { winnerOf } from '../../evaluation/tune/tune-table.js';
import { type PlannedTune, planTune } from '../../interpreters/plan-tune.js';
import { writeAtomically } from '../../stores/runs/atomic-file.js';
import { closing } from '../closing.js';
import type { CliContext } from '../context.js';
import { fileAt } from '../dataset-flag.js';
import { EXIT } from '../exit-codes.js';
import type { Output } from '../output.js';
import { withPlanPorts } from '../run/plan-ports.js';
import { type Session, workerSession } from '../session.js';
import { followed, outputOf } from '../study/run-study.js';
import { readOptionsIn } from '../study/study-file.js';
import { withWorker } from '../with-worker.js';
import { describeTune } from './describe-tune.js';
import { keptTune } from './kept-tune.js';
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
