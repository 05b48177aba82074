/** Measures whether a long batch stays as it began: time, CPU, memory, bytes, and histories. */
import { parseArgs } from 'node:util';
import { METHODS, type Measured, measureBatch } from './batch/measure.js';
import { tenths } from './batch/report.js';
import { measuredOn } from './machine.js';
import { onStage } from './speed/stage.js';

const USAGE = `Usage: node dist/bench/batch.js [--method sure|base] [--questions N] [--concurrency N]
  --method        sure (seven calls a question) or base (one)
  --questions     how many are asked (10000)
  --concurrency   how many at a time (50)`;

const { values } = parseArgs({
  options: {
    method: { type: 'string', default: 'sure' },
    questions: { type: 'string', default: '10000' },
    concurrency: { type: 'string', default: '50' },
    help: { type: 'boolean' },
  },
});
const { method } = values;
const [questions, concurrency] = [Number(values.questions), Number(values.concurrency)];
const wholes = [questions, concurrency];
if (values.help || !isMeasured(method) || !wholes.every((n) => Number.isInteger(n) && n > 0)) {
  console.error(USAGE);
  process.exitCode = values.help ? 0 : 2;
} else {
  await onStage(async (stage) => {
    const batch = await measureBatch(stage, { method, questions, concurrency });
    const { failed, calls, seconds } = batch;
    console.log(`
${questions.toLocaleString('en-US')} questions by ${method} with a mock model that answers at once, ${calls.toLocaleString('en-US')} calls, ${concurrency} at a time: ${(seconds / 60).toFixed(1)} minutes, ${failed} failed.
${measuredOn(`Temporal server ${stage.serverVersion}`)}

${tenths(batch)}`);
  });
}

function isMeasured(name: string): name is Measured {
  return name in METHODS;
}
