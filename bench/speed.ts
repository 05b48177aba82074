/** Measures what durability costs: time, CPU, history and memory of a question by SuRe. */
import { benchFlags } from './flags.js';
import { questions as endlessQuestions } from './speed/corpus.js';
import {
  measureHistory,
  measureLatency,
  measureLoad,
  measurePieces,
} from './speed/measurements.js';
import type { Peer } from './speed/peers.js';
import { type Figures, table } from './speed/report.js';
import { onStage } from './speed/stage.js';
import { startTemporalAlone } from './speed/temporal-alone.js';

const USAGE = `Usage: node dist/bench/speed.js [--quick]
  --quick  a few questions only, to see that it works`;

const SEED = 11;
const LATENCY_MS = 200;

async function measure(quick: boolean): Promise<Figures> {
  return onStage(async (stage) => {
    const questions = endlessQuestions(SEED);
    const take = (count: number) => Array.from({ length: count }, () => questions.next().value);
    const atStart = await stage.worker.ask('without garbage');
    const ours: Peer = {
      name: 'durable-rag',
      worker: stage.worker,
      ask: async (question) => void (await stage.answer(question)),
    };
    const programs = [...stage.peers, ours];
    for (const question of take(quick ? 2 : 20)) {
      for (const { ask } of programs) await ask(question);
    }

    const oneByOne = take(quick ? 3 : 15);
    const latency = await measureLatency(stage, programs, oneByOne, LATENCY_MS);
    const history = await measureHistory(stage, oneByOne);
    const pieces = await measurePieces(stage, take(quick ? 3 : 20), LATENCY_MS);
    const [warmUps, rounds, perRound, atOnce] = quick ? [1, 1, 20, 10] : [8, 5, 100, 50];
    // It asks no model, so it has a place among the rates alone.
    const loaded = [...programs, await startTemporalAlone(stage)];
    // Not counted: V8 compiles a worker's code for its first hundreds of questions.
    const warmUp: Figures['warmUp'] = [];
    for (let round = 0; round < warmUps; round++) {
      warmUp.push(await measureLoad(stage, loaded, [take(perRound)], atOnce));
    }
    const asked = Array.from({ length: rounds }, () => take(perRound));
    const before = await stage.peerBytes();
    const load = await measureLoad(stage, loaded, asked, atOnce);
    const peerBytes = ((await stage.peerBytes()) - before) / (rounds * perRound);
    return {
      serverVersion: stage.serverVersion,
      latencyMs: LATENCY_MS,
      atOnce,
      programs: loaded.map(({ name }) => name),
      latency,
      history,
      pieces,
      perRound,
      warmUp,
      load,
      peerBytes,
      memory: { atStart, atEnd: await stage.worker.ask('without garbage') },
    };
  });
}

const { flags } = benchFlags(USAGE, { quick: false });
console.log(table(await measure(flags.quick)));
