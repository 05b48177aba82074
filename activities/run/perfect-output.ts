/** What a step would have given a question of a run, had it read perfectly. */
import type { RecordRef } from '../../core/run/run.js';
import { perfectOutput, shownIds } from '../../steps/perfect.js';
import type { RunQuestion } from '../../stores/runs/run-store.js';
import type { Ports } from '../runtime/ports.js';
import { readPassages } from '../runtime/render-prompt.js';
import { corpusName, manifestOf, questionOf } from './run-of.js';

type OraclePorts = Pick<Ports, 'corpora' | 'passages' | 'runs' | 'steps'>;

/** Returns the output for a question of a kept run, by `perfectOutputOf`. @throws Failure UnknownRun. */
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
 * Returns what the oracle of a step gives by the accepted answers and what the call shows; undefined
 * where it has none, or does not decide the call.
 *
 * @param corpus That it searches, where its passages did not come with it.
 * @throws Failure UnknownPassage for a passage that is no longer there.
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
