/**
 * What a question would have come to if steps had read perfectly: their outputs are those of their
 * oracles, and all others are taken from what its calls gave. No call is made.
 */
import type { Conclusion } from '../core/result.js';
import type { ModelSteps } from '../steps/define.js';
import { perfectOutput } from '../steps/perfect.js';
import { type Done, type Question, run } from '../workflows/algorithm.js';
import type { OwnMethod } from '../workflows/define-method.js';
import { recorded, replaying } from '../workflows/replaying.js';
import { BLANKS, planning } from './planning.js';
import { algorithmOf } from './replay.js';

/** A question that was answered, with all that its calls were given and gave. */
export interface Answered extends Pick<Question<unknown>, 'question' | 'options'> {
  method: OwnMethod<unknown>;
  calls: readonly Done[];
  /** The accepted answers. */
  answers: readonly string[];
  /** Those that mean one of several things to say; see `Gold`. */
  answerGroups?: readonly (readonly string[])[] | undefined;
  /** Texts of the passages that its steps were shown, by id. */
  texts: ReadonlyMap<string, string>;
  /** Steps of somebody's own. */
  steps?: ModelSteps | undefined;
}

/** How it ends then; or how many calls at most would be needed to tell. */
export type Perfected = { conclusion: Conclusion<unknown> } | { calls: number };

/** Answers a question with perfect outputs of these steps. */
export async function perfected(
  { method, question, options, ...answered }: Answered,
  perfect: ReadonlySet<string>,
): Promise<Perfected> {
  let calls = 0;
  const ahead = planning({ passages: BLANKS, available: Infinity, steps: answered.steps });
  const perform = replaying(recorded(answered.calls), {
    replace(call) {
      const output = perfect.has(call.step)
        ? perfectOutput(call, answered, answered.texts, answered.steps)
        : undefined;
      return output === undefined ? undefined : { output };
    },
    otherwise(call) {
      calls++;
      return ahead.perform(call);
    },
  });
  const interpreter = { perform, flag: () => {} };
  try {
    const { conclusion } = await run(algorithmOf(method), { question, options }, interpreter);
    return calls > 0 ? { calls } : { conclusion };
  } catch (error) {
    // A method may refuse what was planned for a call that nothing is known of.
    if (calls > 0) return { calls };
    throw error;
  }
}
