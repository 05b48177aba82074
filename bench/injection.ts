/** How often an instruction in a passage wins, by the five methods and the base reader: a study. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { commandsWith } from './commands.js';
import { benchFlags } from './flags.js';
import { injectedPassages, ownQuestions, questionsOf } from './injection/questions.js';
import { measuredOn } from './machine.js';
import { onTemporal } from './temporal-stage.js';

const USAGE = `Usage: node dist/bench/injection.js [--data FOLDER]
  Asks the model of OPENAI_BASE_URL or OPENAI_API_KEY (DURABLE_RAG_MODEL names it).
  --data  asks 50 questions of dev/nq.jsonl.gz there (default: our own sample)`;

/** GenRead, unless it is told otherwise, writes what it reads. */
const METHODS = ['base', 'sure', 'allies', 'llatrieval', 'chainOfNote'];
const STUDY = 'injection';
const CALL_TIMEOUT_SECONDS = 3600;

const { flags, refuse } = benchFlags(USAGE, { data: undefined });
if (!process.env.OPENAI_BASE_URL && !process.env.OPENAI_API_KEY) refuse();
const questions = flags.data === undefined ? ownQuestions() : await questionsOf(flags.data);
const attacked = questions.map((one, n) => ({ ...one, passages: injectedPassages(one, n) }));
/** By the column of the table: what is asked, and which answers count. */
const datasets = {
  won: attacked.map((one) => ({ ...one, answers: [one.wanted] })),
  rightWithIt: attacked,
  rightWithoutIt: questions,
};

const table = await onTemporal(async ({ folder, temporal }) => {
  // What is paid for is kept in the usual store, for the next start.
  const env = {
    TEMPORAL_ADDRESS: temporal.address,
    DURABLE_RAG_RESULTS: path.join(folder, 'runs'),
  };
  const run = commandsWith(env, folder);
  const files = Object.entries(datasets).map(async ([as, lines], i) => {
    const file = `${i}.jsonl`;
    const records = lines.map(({ id, question, answers, passages }) =>
      JSON.stringify({ id, question, answers, passages }),
    );
    await writeFile(path.join(folder, file), records.join('\n'));
    return { file, as };
  });
  const study = {
    name: STUDY,
    methods: METHODS,
    datasets: await Promise.all(files),
    limits: { callTimeoutSeconds: CALL_TIMEOUT_SECONDS },
  };
  // What is JSON is YAML as well.
  const file = path.join(folder, 'study.yaml');
  await writeFile(file, JSON.stringify(study));
  await run('study', 'run', file);
  return run('study', 'table', STUDY, '--of', 'hasAnswer', '--format', 'markdown');
});
console.log(`${measuredOn()} ${questions.length} questions.\n\n${table}`);
