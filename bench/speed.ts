/** Measures what durability costs: time, CPU, history and memory of a question by SuRe. */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { questions as endlessQuestions } from './speed/corpus.js';
import { answer, measureHistory, measureLatency, measureLoad } from './speed/measurements.js';
import { type Figures, table } from './speed/report.js';
import { onStage } from './speed/stage.js';

const USAGE = `Usage: node dist/bench/speed.js [--quick]
  --quick  a few questions only, to see that it works`;

const SEED = 11;
const LATENCY_MS = 200;

async function measure(quick: boolean): Promise<Figures> {
  return onStage(async (stage) => {
    const questions = endlessQuestions(SEED);
    const take = (count: number) => Array.from({ length: count }, () => questions.next().value);
    const atStart = await stage.worker.ask('without garbage');
    for (const question of take(quick ? 2 : 20)) {
      await answer(stage, question);
      await stage.plain(question, 10);
    }

    const oneByOne = take(quick ? 3 : 15);
    const latency = await measureLatency(stage, oneByOne, LATENCY_MS);
    const history = await measureHistory(stage, oneByOne);
    const [rounds, perRound, atOnce] = quick ? [1, 20, 10] : [3, 100, 50];
    const load = await measureLoad(
      stage,
      Array.from({ length: rounds }, () => take(perRound)),
      atOnce,
    );
    return {
      machine: { cpu: cpus()[0]?.model ?? 'unknown CPU', cores: cpus().length },
      serverVersion: stage.serverVersion,
      latencyMs: LATENCY_MS,
      latency,
      history,
      load,
      memory: { atStart, atEnd: await stage.worker.ask('without garbage') },
    };
  });
}

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, help: { type: 'boolean' } },
});
if (values.help) console.log(USAGE);
else console.log(table(await measure(values.quick)));
