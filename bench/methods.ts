/** Asks every method a few questions of the evaluation data with the local model. */
import { cpus } from 'node:os';
import path from 'node:path';
import { closeRuntime, installRuntime } from '../cli/runtime.js';
import type { DatasetRecord } from '../core/dataset-record.js';
import { searchesNothing } from '../core/options/idle-retrieval.js';
import { OUTPUT_FORMS, type OutputForm } from '../core/step-models.js';
import { openSearch } from '../retrieval/open-search.js';
import { fileResults, type ResultStore } from '../stores/runs/file-results.js';
import { type MethodName, methods } from '../workflows/methods.js';
import { firstQuestions } from './first-questions.js';
import { benchFlags } from './flags.js';
import { type Asked, type Place, placesOf } from './methods/asked.js';
import { type PlannedMethod, planFor } from './methods/plan.js';
import { type MeasuredMethod, table } from './methods/report.js';
import { onStage, type Stage } from './methods/stage.js';
import { indexCorpora } from './recall-data.js';
import { quietReporter } from './speed/quiet-reporter.js';

const USAGE = `Usage: node dist/bench/methods.js --data FOLDER --out FOLDER [--methods A,B] [--questions N] [--outputs FORM]
  --data       the evaluation data (or DURABLE_RAG_DATA); it has corpora/wiki.jsonl.gz and dev/nq.jsonl.gz
  --out        where the index and every answer are kept; the next start goes on from there
  --methods    only these, with commas between them
  --questions  at most so many a method, to see that it works
  --outputs    "text" (as left out) or "schema"`;

const CORPUS = 'wiki';
const DATASET = 'nq';
const CALL_TIMEOUT_SECONDS = 3600;

interface Settings {
  data: string;
  out: string;
  plan: PlannedMethod[];
  outputs: OutputForm;
}

async function measure({ data, out, plan, outputs }: Settings): Promise<MeasuredMethod[]> {
  const corpora = path.join(out, 'corpora');
  await indexCorpora([CORPUS], data, corpora, await openSearch({ corpora }), console.error);
  const most = Math.max(...plan.map((row) => row.questions));
  // Those with a short answer, which is what EM is for.
  const hasShort = ({ answerKind }: DatasetRecord) => answerKind === 'span';
  const questions = await firstQuestions(data, DATASET, most, hasShort);
  const store = fileResults<Asked>(path.join(out, `answers-${outputs}`));
  for (const row of plan) {
    const places = await placesOf(row, questions, store);
    // What failed may have failed for the machine's reasons: it has another chance.
    const missing = places.filter(({ asked }) => (asked?.result.outcome ?? 'failed') === 'failed');
    if (missing.length > 0)
      await onStage(corpora, (stage) => askAll({ ...row, outputs }, missing, store, stage));
  }
  return Promise.all(
    plan.map(async (row) => ({ ...row, places: await placesOf(row, questions, store) })),
  );
}

/** One after the other: two questions at once would wait for each other at the model. */
async function askAll<M extends MethodName>(
  { method, options, outputs }: PlannedMethod<M> & Pick<Settings, 'outputs'>,
  missing: readonly Place[],
  store: ResultStore<Asked>,
  { client, model, modelCpu }: Stage,
): Promise<void> {
  for (const { question, key } of missing) {
    const [cpuBefore, start] = [await modelCpu(), performance.now()];
    const result = await client.ask(method, {
      question: question.question,
      // A corpus is refused where nothing is searched.
      ...(searchesNothing(methods[method], methods[method].options.parse(options))
        ? {}
        : { retrieval: { corpus: CORPUS } }),
      options,
      outputs,
      limits: { callTimeoutSeconds: CALL_TIMEOUT_SECONDS },
    });
    const seconds = (performance.now() - start) / 1000;
    const cpuAfter = await modelCpu();
    const modelCpuSeconds =
      cpuBefore === undefined || cpuAfter === undefined ? undefined : (cpuAfter - cpuBefore) / 1000;
    const day = new Date().toISOString().slice(0, 10);
    await store.put(key, { result, seconds, modelCpuSeconds, model, day });
    console.error(`${method} ${question.id}: ${result.outcome} after ${seconds.toFixed(0)} s`);
  }
}

function heading(measured: readonly MeasuredMethod[]): string {
  const asked = measured.flatMap(({ places }) => places.flatMap((place) => place.asked ?? []));
  const distinct = (of: (one: Asked) => string) => [...new Set(asked.map(of))].sort().join(', ');
  return (
    `Measured with ${distinct(({ model }) => model)} on ${cpus()[0]?.model ?? 'unknown CPU'}, ` +
    `${cpus().length} cores; Node ${process.versions.node}; ${distinct(({ day }) => day)}.`
  );
}

const { flags, number, refuse } = benchFlags(USAGE, {
  data: process.env.DURABLE_RAG_DATA,
  out: undefined,
  methods: undefined,
  questions: '12',
  outputs: 'text',
});
const { data = refuse(), out = refuse() } = flags;
const outputs = OUTPUT_FORMS.find((form) => form === flags.outputs) ?? refuse();
const plan = planFor(flags.methods?.split(','), number(flags.questions));
await installRuntime(quietReporter);
const measured = await measure({ data, out: path.resolve(out), plan, outputs });
await closeRuntime();
console.log(`${heading(measured)}\n\n${table(measured)}`);
