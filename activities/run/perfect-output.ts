/** The output that a step would give if it read perfectly. */
import type { RecordRef } from '../../core/run/run.js';
import { perfectOutput, shownIds } from '../../steps/perfect.js';
import type { RunQuestion } from '../../stores/runs/run-store.js';
import type { Ports } from '../runtime/ports.js';
import { readPassages } from '../runtime/render-prompt.js';
import { corpusName, manifestOf, questionOf } from './run-of.js';

type OraclePorts = Pick<Ports, 'corpora' | 'passages' | 'runs' | 'steps'>;

/**
 * Returns the perfect output for a question of a stored run; see `perfectOutputOf`. @throws Failure
 * UnknownRun.
 */
export async function recordedPerfectOutput(
  record: RecordRef,
  step: string,
  input: unknown,
  ports: OraclePorts,
): Promise<{ output?: unknown }> {
  const manifest = await manifestOf(record.run, ports.runs);
  const question = await questionOf(record, ports.runs);
  const output = await perfectOutputOf({ step, input }, question, corpusName(manifest), ports);
  return output === undefined ? {} : { output };
}

/**
 * Returns the output of a step's oracle, by the accepted answers and the call's passages; undefined
 * if the step has no oracle, or if the oracle does not decide this call.
 *
 * @param corpus Corpus that the call searches if its passages did not come with it.
 * @throws Failure UnknownPassage if a passage is gone.
 */
export async function perfectOutputOf(
  call: { step: string; input: unknown },
  { answers, answerGroups, stored }: RunQuestion,
  corpus: string | null,
  ports: Omit<OraclePorts, 'runs'>,
): Promise<unknown> {
  const read = await readPassages(shownIds(call, ports.steps), stored ? null : corpus, ports);
  const texts = new Map(read.map(({ id, text }) => [id, text]));
  return perfectOutput(call, { answers, answerGroups }, texts, ports.steps);
}
