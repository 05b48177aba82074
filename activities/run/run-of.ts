/** Reads a run and its questions for the activities. */

import { command } from '../../core/command.js';
import { Failure } from '../../core/failure.js';
import type { RecordRef } from '../../core/run/run.js';
import { pinnedCorpus } from '../../retrieval/manifest.js';
import type { RunManifest, RunQuestion, RunStore } from '../../stores/runs/run-store.js';

/**
 * Returns the manifest of a run.
 *
 * @throws Failure UnknownRun if this worker's store has none; another worker's may have it.
 */
export async function manifestOfRun(run: string, runs: RunStore): Promise<RunManifest> {
  const manifest = await runs.manifest(run);
  if (manifest !== undefined) return manifest;
  throw new Failure(
    'UnknownRun',
    `This worker has no run ${run}. If it was deleted while it was running, its recorded answers are lost: ${command('cancel', run)}, and then the eval command of the run, begins it again. If it is stored elsewhere, put it back, or set DURABLE_RAG_RESULTS for this worker as for the others (a folder that all machines share, or store), and the run then continues by itself.`,
  );
}

/**
 * Returns a question of a run.
 *
 * @throws Failure BadInput if the store does not have it at its recorded place.
 */
export async function questionOf({ run, id, at }: RecordRef, runs: RunStore): Promise<RunQuestion> {
  for await (const { question } of runs.questions(run, at)) {
    if (question.id === id) return question;
    break;
  }
  throw new Failure('BadInput', `The run ${run} has no question ${JSON.stringify(id)} at ${at}.`);
}

/** A question of a run, together with the manifest of the run. */
export interface QuestionInRun {
  manifest: RunManifest;
  question: RunQuestion;
}

/**
 * Returns a question with the manifest of its run.
 *
 * @throws Failure UnknownRun; BadInput if the store does not have the question at its recorded
 * place.
 */
export async function questionInRun(record: RecordRef, runs: RunStore): Promise<QuestionInRun> {
  return {
    manifest: await manifestOfRun(record.run, runs),
    question: await questionOf(record, runs),
  };
}

/**
 * Returns the name of the corpus that a run searches, pinned to its content when the run began;
 * null if the run searches none.
 */
export function corpusName({
  input,
  corpus,
}: Pick<RunManifest, 'corpus' | 'input'>): string | null {
  return corpus && input.corpus !== undefined ? pinnedCorpus(input.corpus, corpus) : null;
}
