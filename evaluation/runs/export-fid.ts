/** Exports a run in the format of the Fusion-in-Decoder reader. */
import { Failure } from '../../core/failure.js';
import type { MethodRegistry } from '../../core/method-registry.js';
import { answerSources } from '../../core/passages-read.js';
import type { RunManifest } from '../../stores/runs/run-store.js';
import { fidExample } from '../fid.js';
import { joinRuns, type RunSource } from './run-source.js';

/**
 * A function that returns the texts of passages by id. Passages that no longer exist are left out.
 */
type TextsOf = (run: RunManifest, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** The number of failed questions, which an exported FiD file leaves out. */
export interface FidCounts {
  /** Number of questions that failed and therefore have no passages. */
  failed: number;
}

/**
 * Yields the FiD examples (`fidExample`) of a run as lines of JSON, without line feeds: one for
 * each ended question that did not fail, in the order of the data set. It has all passages and
 * documents from which the question was answered; a question that found nothing has no contexts,
 * which the reader accepts.
 *
 * @param counts Object to which the number of failed questions is added.
 * @throws Failure BadInput if no question of the run has passages or documents, before the first
 * line, and if the text of a passage no longer exists.
 */
export async function* exportFid(
  run: RunSource,
  textsOf: TextsOf,
  counts: FidCounts,
  methods: MethodRegistry,
): AsyncGenerator<string> {
  if (!(await hasContexts(run, methods))) {
    throw new Failure(
      'BadInput',
      `The run ${run.manifest.run} has nothing to read: its questions (${run.manifest.input.method}) retrieved no passages and generated no documents.`,
    );
  }
  for await (const { question, answers } of joinRuns([run])) {
    const result = answers[0]?.result;
    if (!result?.chain) {
      if (answers[0]) counts.failed++;
      continue;
    }
    const read = answerSources(result, methods);
    const ids = typeof read === 'object' ? read.passages.map(({ id }) => id) : [];
    const texts = await textsOf(run.manifest, ids);
    const passages = [...texts].map(([id, text]) => ({ id, text }));
    const source = { id: question.id, answers: question.answers, passages };
    yield JSON.stringify(fidExample(result, source, methods));
  }
}

/** Returns whether any question of a run has passages or documents. */
async function hasContexts(run: RunSource, methods: MethodRegistry): Promise<boolean> {
  for await (const { answers } of joinRuns([run])) {
    const result = answers[0]?.result;
    const read = result ? answerSources(result, methods) : undefined;
    if (typeof read === 'object' && read.passages.length + read.documents.length > 0) return true;
  }
  return false;
}
