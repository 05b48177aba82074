/** Measures whether a long batch stays as it began: time, CPU, memory, bytes, and histories. */
import { parseArgs } from 'node:util';
import {
  type BatchPlan,
  METHODS,
  type Measured,
  type MeasuredBatch,
  measureBatch,
} from './batch/measure.js';
import { byWorkers, tenths } from './batch/report.js';
import { measuredOn } from './machine.js';
import { onStage } from './speed/stage.js';

const USAGE = `Usage: node dist/bench/batch.js [--method sure|base] [--questions N] [--concurrency N] [--workers N[,N...]] [--own-passages N]
  --method        sure (seven calls a question) or base (one)
  --questions     how many are asked (10000)
  --concurrency   how many at a time (50)
  --workers       worker processes (1); of several numbers each is measured in turn, on a server of its own
  --own-passages  how many each question brings (0: the corpus is searched)`;

const { values } = parseArgs({
  options: {
    method: { type: 'string', default: 'sure' },
    questions: { type: 'string', default: '10000' },
    concurrency: { type: 'string', default: '50' },
    workers: { type: 'string', default: '1' },
    'own-passages': { type: 'string', default: '0' },
    help: { type: 'boolean' },
  },
});
const { method } = values;
const workers = values.workers.split(',').map(Number);
const ownPassages = Number(values['own-passages']);
const wholes = [Number(values.questions), Number(values.concurrency), ...workers, ownPassages + 1];
if (values.help || !isMeasured(method) || !wholes.every((n) => Number.isInteger(n) && n > 0)) {
  console.error(USAGE);
  process.exitCode = values.help ? 0 : 2;
} else {
  const plan = {
    method,
    questions: Number(values.questions),
    concurrency: Number(values.concurrency),
    ownPassages,
  };
  const measured: MeasuredBatch[] = [];
  for (const processes of workers) measured.push(await measure({ ...plan, workers: processes }));
  if (measured.length > 1) console.log(`\n${byWorkers(measured)}`);
}

async function measure(plan: BatchPlan): Promise<MeasuredBatch> {
  return await onStage(async (stage) => {
    const batch = await measureBatch(stage, plan);
    const { failed, calls, seconds } = batch;
    console.log(`
${plan.questions.toLocaleString('en-US')} questions by ${plan.method} with a mock model that answers at once, ${calls.toLocaleString('en-US')} calls, ${plan.concurrency} at a time, ${plan.workers} worker processes${plan.ownPassages > 0 ? `, ${plan.ownPassages} passages with each question` : ''}: ${(seconds / 60).toFixed(1)} minutes, ${failed} failed.
${measuredOn(`Temporal server ${stage.serverVersion}`)}

${tenths(batch)}`);
    return batch;
  });
}

function isMeasured(name: string): name is Measured {
  return name in METHODS;
}
