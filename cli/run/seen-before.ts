import { canonicalJson } from '../../core/canonical-json.js';
import type { RunSpec } from '../../core/run/input.js';
import type { RunStore } from '../../stores/runs/run-store.js';

/** Maximum number of answers of a run that are read. */
const ANSWERS = 200;

/**
 * What the questions of an earlier run used: its name (`run`), the number of its questions that
 * were paid for in full (`questions`), and their means of `calls`, `promptTokens` and
 * `completionTokens`.
 */
export type EarlierUsage = NonNullable<Awaited<ReturnType<typeof meanOf>>>;

/**
 * Returns the mean usage of a question in the newest stored run with the same data set, setup and
 * source of passages, which predicts the usage of a run; undefined without such a run. Only its
 * first 200 questions are read, and answers with calls from the response cache are left out; a run
 * without any others is passed over.
 *
 * @param sha256 Hash of the data set.
 */
export async function earlierUsage(
  spec: RunSpec,
  sha256: string,
  runs: RunStore,
): Promise<EarlierUsage | undefined> {
  const wanted = askedAs(spec);
  for (const { run, dataset, input } of await runs.list()) {
    if (dataset.sha256 !== sha256 || askedAs(input) !== wanted) continue;
    const seen = await meanOf(run, runs);
    if (seen) return seen;
  }
  return undefined;
}

/**
 * Returns a key of everything besides the question that decides the length of prompts and answers.
 */
function askedAs(spec: RunSpec): string {
  const { method, options, models, extraBody, outputs, prompts, limits } = spec;
  const { corpus, mode, ownPassages, noise } = spec;
  const passages = { corpus, mode, ownPassages, noise };
  const asked = { method, options, models, extraBody, outputs, prompts };
  return canonicalJson({ ...asked, reasks: limits.reasks, passages });
}

/** Returns the mean usage of a run's questions; undefined if none was paid for in full. */
async function meanOf(run: string, runs: RunStore) {
  const total = { calls: 0, prompt: 0, completion: 0 };
  let [read, counted] = [0, 0];
  for await (const { question } of runs.questions(run)) {
    const usage = (await runs.get(run, question.id))?.result?.usage;
    // An answer that came partly from the response cache would lower the mean.
    if (usage && usage.calls > 0 && usage.cachedCalls === 0) {
      counted++;
      total.calls += usage.calls;
      total.prompt += usage.promptTokens;
      total.completion += usage.completionTokens;
    }
    if (++read === ANSWERS) break;
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
