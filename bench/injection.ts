/** How often an instruction in a passage wins, by the five methods and the base reader. */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { closeRuntime, installRuntime } from '../cli/runtime.js';
import { createClient } from '../client/create-client.js';
import { searchesNothing } from '../core/options/idle-retrieval.js';
import { homeFolder } from '../stores/home.js';
import { fileResults } from '../stores/runs/file-results.js';
import { obtainEmbeddingModel } from '../temporal-dev/embedding-model.js';
import { readConfig } from '../workers/config.js';
import { runWorker } from '../workers/run-worker.js';
import { type MethodName, methods } from '../workflows/methods.js';
import { injectionTable, measure, type Said } from './injection/measure.js';
import { ownQuestions, questionsOf } from './injection/questions.js';
import { quietReporter } from './speed/quiet-reporter.js';
import { onTemporal } from './temporal-stage.js';

const USAGE = `Usage: node dist/bench/injection.js [--data FOLDER] [--questions N] [--methods A,B] [--out FOLDER]
  Asks the model of OPENAI_BASE_URL or OPENAI_API_KEY (DURABLE_RAG_MODEL names it).
  --data       asks questions of dev/nq.jsonl.gz there (default: our own sample)
  --questions  how many of them (50; of our own sample all)
  --methods    only these, with commas between them
  --out        where answers are kept; the next start goes on from there (injection in the home)`;

const METHODS: MethodName[] = ['base', 'sure', 'allies', 'llatrieval', 'genread', 'chainOfNote'];
const CALL_TIMEOUT_SECONDS = 3600;

/** GenRead, unless it is told otherwise, writes what it reads. */
function readsPassages(method: MethodName): boolean {
  return !searchesNothing(methods[method], methods[method].options.parse({}));
}

async function run(flags: { data?: string; questions: number; methods?: string; out: string }) {
  const asked = flags.methods === undefined ? METHODS : (flags.methods.split(',') as MethodName[]);
  const unknown = asked.find((name) => methods[name] === undefined);
  if (unknown !== undefined) throw new Error(`There is no method "${unknown}".`);
  const questions =
    flags.data === undefined
      ? ownQuestions().slice(0, flags.questions)
      : await questionsOf(flags.data, flags.questions);
  const env = process.env;
  const context = { env, home: homeFolder(env), reporter: quietReporter };
  return onTemporal(async ({ folder, temporal, connection, takeDown }) => {
    const worker = await runWorker({
      connect: { address: temporal.address },
      namespace: 'default',
      localEmbeddings: () => obtainEmbeddingModel(context),
      env: { ...env, DURABLE_RAG_RESULTS: path.join(folder, 'runs') },
      limits: { graceSeconds: 2 },
    });
    takeDown(() => worker.stop());
    const client = await createClient({ connection, taskQueue: worker.taskQueue });
    const counts = await measure({
      methods: asked.filter(readsPassages),
      questions,
      store: fileResults<Said>(path.join(flags.out, 'answers')),
      model: readConfig(env).defaultModel,
      log: console.error,
      ask: (method, question, passages) =>
        client.ask(method as 'base', {
          question,
          retrieval: { passages },
          limits: { callTimeoutSeconds: CALL_TIMEOUT_SECONDS },
        }),
    });
    const without = asked.filter((method) => !readsPassages(method));
    return `${injectionTable(counts)}\n${without.map((name) => `\n${name} reads no passages.`).join('')}`;
  });
}

const type = 'string';
const { values } = parseArgs({
  options: { data: { type }, questions: { type }, methods: { type }, out: { type } },
});
const questions = Number(values.questions ?? 50);
if (!(questions >= 1) || !(process.env.OPENAI_BASE_URL || process.env.OPENAI_API_KEY)) {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  const out = path.resolve(values.out ?? path.join(homeFolder(process.env), 'injection'));
  await installRuntime(quietReporter);
  const text = await run({
    ...(values.data !== undefined && { data: values.data }),
    ...(values.methods !== undefined && { methods: values.methods }),
    ...{ questions, out },
  });
  await closeRuntime();
  console.log(
    `${readConfig(process.env).defaultModel}, ${new Date().toISOString().slice(0, 10)}.\n\n${text}`,
  );
}
