import { canonicalJson } from '../../core/canonical-json.js';
import type { RunSpec } from '../../core/run/input.js';
import type { RunStore } from '../../stores/runs/run-store.js';

/** Answers of a run looked at. */
const ANSWERS = 200;

export type SeenBefore = NonNullable<Awaited<ReturnType<typeof meanOf>>>;

/**
 * The newest run with answers that were paid for, of the same content of the data set and asked in
 * the same way with passages from the same place: questions of another data set, or passages of
 * another length, would say nothing of what these take.
 *
 * @param sha256 Of the data set.
 */
export async function seenBefore(
  spec: RunSpec,
  sha256: string,
  runs: RunStore,
): Promise<SeenBefore | undefined> {
  const wanted = askedAs(spec);
  for (const { run, dataset, input } of await runs.list()) {
    if (dataset.sha256 !== sha256 || askedAs(input) !== wanted) continue;
    const seen = await meanOf(run, runs);
    if (seen) return seen;
  }
  return undefined;
}

/** What decides how long the prompts and answers of a question are, besides the question. */
function askedAs(spec: RunSpec): string {
  const { method, options, models, extraBody, outputs, prompts, limits } = spec;
  const { corpus, mode, ownPassages, noise } = spec;
  const passages = { corpus, mode, ownPassages, noise };
  const asked = { method, options, models, extraBody, outputs, prompts };
  return canonicalJson({ ...asked, reasks: limits.reasks, passages });
}

/** Means of a question; undefined where none was paid for. */
async function meanOf(run: string, runs: RunStore) {
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
