/** Measures whether a long batch stays as it began: time, CPU, memory, bytes, and histories. */
import { METHODS, type Measured, measureBatch } from './batch/measure.js';
import { tenths } from './batch/report.js';
import { benchFlags } from './flags.js';
import { measuredOn } from './machine.js';
import { onStage } from './speed/stage.js';

const USAGE = `Usage: node dist/bench/batch.js [--method sure|base] [--questions N] [--concurrency N]
  --method        sure (seven calls a question) or base (one)
  --questions     how many are asked (10000)
  --concurrency   how many at a time (50)`;

const { flags, number, refuse } = benchFlags(USAGE, {
  method: 'sure',
  questions: '10000',
  concurrency: '50',
});
const method = isMeasured(flags.method) ? flags.method : refuse();
const [questions, concurrency] = [number(flags.questions), number(flags.concurrency)];
await onStage(async (stage) => {
  const batch = await measureBatch(stage, { method, questions, concurrency });
  const { failed, calls, seconds } = batch;
  console.log(`
${questions.toLocaleString('en-US')} questions by ${method} with a mock model that answers at once, ${calls.toLocaleString('en-US')} calls, ${concurrency} at a time: ${(seconds / 60).toFixed(1)} minutes, ${failed} failed.
${measuredOn(`Temporal server ${stage.serverVersion}`)}

${tenths(batch)}`);
});

function isMeasured(name: string): name is Measured {
  return name in METHODS;
}
