/** What questions of the same method and options have taken in runs that are kept. */
import type { Batch } from '../../../methods/batch/input.js';
import { canonicalJson } from '../../../methods/canonical-json.js';
import type { RunStore } from '../../../results/run-store.js';

/** Answers of a run looked at. */
const ANSWERS = 200;

/** Means of a question. */
export interface SeenBefore {
  run: string;
  questions: number;
  calls: number;
  promptTokens: number;
  completionTokens: number;
}

/** The newest run of the same method and options with answers that were paid for. */
export async function seenBefore(
  { method, options }: Batch,
  runs: RunStore,
): Promise<SeenBefore | undefined> {
  const wanted = canonicalJson(options);
  for (const { run, input } of await runs.list()) {
    if (input.method !== method || canonicalJson(input.options) !== wanted) continue;
    const seen = await meanOf(run, runs);
    if (seen) return seen;
  }
  return undefined;
}

async function meanOf(run: string, runs: RunStore): Promise<SeenBefore | undefined> {
  const total = { calls: 0, prompt: 0, completion: 0 };
  let [looked, counted] = [0, 0];
  for await (const { question } of runs.questions(run)) {
    const usage = (await runs.get(run, question.id))?.result?.usage;
    // One that the response cache served in part says too little.
    if (usage && usage.calls > 0 && usage.cachedCalls === 0) {
      counted++;
      total.calls += usage.calls;
      total.prompt += usage.promptTokens;
      total.completion += usage.completionTokens;
    }
    if (++looked === ANSWERS) break;
  }
  if (counted === 0) return undefined;
  return {
    run,
    questions: counted,
    calls: total.calls / counted,
    promptTokens: total.prompt / counted,
    completionTokens: total.completion / counted,
  };
}
