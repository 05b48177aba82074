/** Gathers real outputs of every step from the local models, and reads them with today's parsers. */
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createOpenAiModel } from '../llm/openai/openai-model.js';
import { homeFolder } from '../stores/home.js';
import { findModel } from '../temporal-dev/local-model.js';
import { benchFlags } from './flags.js';
import { type AskingOptions, createAsking } from './readings/asking.js';
import { candidatesFound } from './readings/few-shot.js';
import { scenarios } from './readings/methods.js';
import { readTurns } from './readings/questions.js';
import { readRecorded } from './readings/recorded.js';
import { readAgain, table, toLookAt } from './readings/table.js';
import { quietReporter } from './speed/quiet-reporter.js';

const USAGE = `Usage: node dist/bench/readings.js --data FOLDER [--out FOLDER] [--models 0.5b,1.5b] [--per-step N] [--methods A,B] [--read] [--show N] [--few-shot]
  --data      the evaluation data (or DURABLE_RAG_DATA); its dev/ has the questions
  --out       where every output is kept; the next start goes on from there
  --models    sizes of the local model, in this order
  --per-step  outputs of each step that are wanted of a model
  --methods   only the steps of these, with commas between them
  --read      asks nothing: reads what is there again
  --show      prints every unreadable output, and so many of the read ones a step
  --few-shot  counts SuRe's candidates where examples stand alone, and where they are announced`;

const SIZES = '0.5b,1.5b';
const SCENARIOS = Object.keys(scenarios).join(',');
const CALL_TIMEOUT_MS = 900_000;

interface Settings {
  data: string;
  out: string;
  perStep: number;
  methods: string[];
}

/** Asks one model, turn by turn, until every step has been asked often enough. */
async function gather({ data, perStep, methods }: Settings, options: AskingOptions): Promise<void> {
  const asking = await createAsking(options);
  const turns = await readTurns(data, perStep);
  for (const [number, turn] of turns.entries()) {
    for (const { steps, run } of methods.flatMap((name) => scenarios[name] ?? [])) {
      if (steps.some(asking.wants)) await run(turn, number, asking);
    }
  }
}

/** Lets `work` ask the local model of a size, which is started where it does not run. */
async function withModel<T>(
  { out, perStep }: Settings,
  size: string,
  work: (options: AskingOptions) => Promise<T>,
): Promise<T> {
  // Whatever endpoint the user has set up, this is about the local model.
  const env = {
    ...process.env,
    OPENAI_API_KEY: '',
    OPENAI_BASE_URL: '',
    DURABLE_RAG_LOCAL_MODEL: size,
  };
  const context = { env, home: homeFolder(process.env), reporter: quietReporter };
  const { baseUrl, model = '', child } = await findModel(context);
  try {
    const llm = createOpenAiModel({
      apiKey: undefined,
      baseUrl,
      timeoutMs: CALL_TIMEOUT_MS,
      prices: new Map(),
    });
    const onAsked = ({ step, question }: { step: string; question: string }) =>
      console.error(`${model} ${step} ${question}`);
    return await work({ llm, model, folder: out, perStep, onAsked });
  } finally {
    await child?.stop();
  }
}

/** The recorded outputs of some sizes, read again. */
async function printTable({ out }: Settings, sizes: string[], show?: string): Promise<void> {
  const names = sizes.map((size) => `qwen2.5-coder-${size}-instruct`);
  const recorded = await Promise.all(names.map((name) => readRecorded(out, name)));
  const readings = readAgain(recorded.flat());
  if (show !== undefined) console.log(`${toLookAt(readings, Number(show))}\n`);
  console.log(table(readings));
}

const { flags, number, refuse } = benchFlags(USAGE, {
  data: process.env.DURABLE_RAG_DATA,
  out: path.join(tmpdir(), 'readings'),
  models: SIZES,
  methods: SCENARIOS,
  'per-step': '40',
  show: undefined,
  read: false,
  'few-shot': false,
});
const sizes = flags.models.split(',');
const methods = flags.methods.split(',');
if (!methods.every((name) => name in scenarios)) refuse();
const settings = {
  data: flags.data ?? (flags.read ? '' : refuse()),
  out: path.resolve(flags.out),
  perStep: number(flags['per-step']),
  methods,
};
if (flags['few-shot']) {
  for (const size of sizes) {
    const found = (options: AskingOptions) => candidatesFound(settings.data, options);
    console.log(`${size}:\n\n${await withModel(settings, size, found)}\n`);
  }
} else {
  for (const size of flags.read ? [] : sizes) {
    await withModel(settings, size, (options) => gather(settings, options));
  }
  await printTable(settings, sizes, flags.show);
}
