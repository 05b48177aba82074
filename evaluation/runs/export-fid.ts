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

/** Counts of the questions that are missing in an exported file. */
export interface FidCounts {
  /** Number of questions that failed and therefore have no passages. */
  failed: number;
}

/** Number of questions without passages at the beginning after which the export gives up. */
const PATIENCE = 1000;

/**
 * Yields the FiD examples (`fidExample`) of a run as lines of JSON, without line feeds: one for
 * each ended question that did not fail, in the order of the data set. It has all passages and
 * documents from which the question was answered; a question that found nothing has no contexts,
 * which the reader accepts.
 *
 * @param counts Object to which the number of failed questions is added.
 * @throws Failure BadInput if no question of the run, or none of its first 1,000, has passages or
 * documents, and if the text of a passage no longer exists.
 */
export async function* exportFid(
  run: RunSource,
  textsOf: TextsOf,
  counts: FidCounts,
  methods: MethodRegistry,
): AsyncGenerator<string> {
  let held: string[] | undefined = [];
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
    const example = fidExample(result, source, methods);
    const line = JSON.stringify(example);
    // Nothing is written until a question has contexts, so that no useless file is created.
    if (held && example.ctxs.length === 0 && held.length < PATIENCE) {
      held.push(line);
      continue;
    }
    if (held?.length === PATIENCE) break;
    yield* held ?? [];
    held = undefined;
    yield line;
  }
  if (held === undefined) return;
  throw new Failure(
    'BadInput',
    `The run ${run.manifest.run} has nothing to read: its questions (${run.manifest.input.method}) retrieved no passages and generated no documents.`,
  );
}
