/** How often an instruction in a passage wins, by the five methods and the base reader. */
import path from 'node:path';
import { closeRuntime, installRuntime } from '../cli/runtime.js';
import { createClient } from '../client/create-client.js';
import { searchesNothing } from '../core/options/idle-retrieval.js';
import { homeFolder } from '../stores/home.js';
import { fileResults } from '../stores/runs/file-results.js';
import { obtainEmbeddingModel } from '../temporal-dev/embedding-model.js';
import { readConfig } from '../workers/config.js';
import { runWorker } from '../workers/run-worker.js';
import { type MethodName, methods } from '../workflows/methods.js';
import { benchFlags } from './flags.js';
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

interface Settings {
  data: string | undefined;
  questions: number;
  methods: string;
  out: string;
}

async function run(settings: Settings) {
  const asked = settings.methods.split(',') as MethodName[];
  const unknown = asked.find((name) => methods[name] === undefined);
  if (unknown !== undefined) throw new Error(`There is no method "${unknown}".`);
  const questions =
    settings.data === undefined
      ? ownQuestions().slice(0, settings.questions)
      : await questionsOf(settings.data, settings.questions);
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
      store: fileResults<Said>(path.join(settings.out, 'answers')),
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

const { flags, number, refuse } = benchFlags(USAGE, {
  data: undefined,
  questions: '50',
  methods: METHODS.join(','),
  out: path.join(homeFolder(process.env), 'injection'),
});
if (!process.env.OPENAI_BASE_URL && !process.env.OPENAI_API_KEY) refuse();
const questions = number(flags.questions);
await installRuntime(quietReporter);
const text = await run({ ...flags, questions, out: path.resolve(flags.out) });
await closeRuntime();
const day = new Date().toISOString().slice(0, 10);
console.log(`${readConfig(process.env).defaultModel}, ${day}.\n\n${text}`);
