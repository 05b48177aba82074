/** Measures what durability costs: time, CPU and history of a question by SuRe. */
import { questions as endlessQuestions } from './speed/corpus.js';
import {
  measureHistory,
  measureLatency,
  measureLoad,
  measurePieces,
} from './speed/measurements.js';
import type { Peer } from './speed/peers.js';
import { type Figures, table } from './speed/report.js';
import { onStage, type Stage } from './speed/stage.js';
import { startTemporalAlone } from './speed/temporal-alone.js';

const SEED = 11;
const LATENCY_MS = 200;
/** Under load: questions of a round, and how many of them are under way. */
const PER_ROUND = 100;
const AT_ONCE = 50;
const ROUNDS = 5;
/** Not counted: V8 compiles a worker's code for its first hundreds of questions. */
const WARM_UPS = 8;

async function measure(stage: Stage): Promise<Figures> {
  const questions = endlessQuestions(SEED);
  const take = (count: number) => Array.from({ length: count }, () => questions.next().value);
  const ours: Peer = {
    name: 'durable-rag',
    worker: stage.worker,
    ask: async (question) => void (await stage.answer(question)),
  };
  const programs = [...stage.peers, ours];
  for (const question of take(20)) {
    for (const { ask } of programs) await ask(question);
  }

  const oneByOne = take(15);
  const latency = await measureLatency(stage, programs, oneByOne, LATENCY_MS);
  const history = await measureHistory(stage, oneByOne);
  const pieces = await measurePieces(stage, take(20), LATENCY_MS);
  // It asks no model, so it has a place among the rates alone.
  const loaded = [...programs, await startTemporalAlone(stage)];
  const rounds = (count: number) => Array.from({ length: count }, () => take(PER_ROUND));
  await measureLoad(stage, loaded, rounds(WARM_UPS), AT_ONCE);
  const before = await stage.peerBytes();
  const load = await measureLoad(stage, loaded, rounds(ROUNDS), AT_ONCE);
  return {
    serverVersion: stage.serverVersion,
    latencyMs: LATENCY_MS,
    atOnce: AT_ONCE,
    programs: loaded.map(({ name }) => name),
    latency,
    history,
    pieces,
    load,
    peerBytes: ((await stage.peerBytes()) - before) / (ROUNDS * PER_ROUND),
  };
}

console.log(table(await onStage(measure)));
