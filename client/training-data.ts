/** Writes Chain-of-Note's fine-tuning files from a stored run. */
import { join } from 'node:path';
import { fillPrompt } from '../activities/runtime/model-request.js';
import { Failure } from '../core/failure.js';
import { promptsFor } from '../core/step-models.js';
import {
  countNotes,
  exportNotes,
  type NotesCounts,
  type NotesFormat,
  type PromptOf,
} from '../evaluation/runs/export-notes.js';
import type { RunSource } from '../evaluation/runs/run-source.js';
import { takeNotes } from '../steps/chain-of-note.js';
import { writeAtomically } from '../stores/runs/atomic-file.js';
import { PlannedTranscripts } from '../stores/transcripts.js';
import type { Results } from './open-results.js';

/** Numbers of training examples written and left out, and the paths of the files. */
export interface TrainingSummary extends NotesCounts {
  /**
   * Paths of the files with chat lines; `weighted` also marks the ranges on which the loss is
   * computed.
   */
  files: { chat: string; weighted: string };
}

type PromptParts = Pick<Results, 'prompts' | 'texts'>;

/**
 * Writes the training examples of a Chain-of-Note run into a folder as `train.jsonl` and
 * `train-weighted.jsonl`, and returns their numbers and paths. Each file is written completely or
 * not at all.
 *
 * @throws Failure BadInput for a run of another method, or for a missing passage.
 */
export async function writeTrainingData(
  run: RunSource,
  folder: string,
  parts: PromptParts,
): Promise<TrainingSummary> {
  const counts = await countNotes(run);
  const files = {
    chat: join(folder, 'train.jsonl'),
    weighted: join(folder, 'train-weighted.jsonl'),
  };
  const write = (file: string, format: NotesFormat) =>
    writeAtomically(file, async (append) => {
      for await (const line of exportNotes(run, format, counts, promptRenderer(parts))) {
        await append(`${line}\n`);
      }
    });
  await write(files.chat, 'chat');
  await write(files.weighted, 'chat-weighted');
  return { ...counts, files };
}

/**
 * Returns a function that renders the text of Chain-of-Note's single prompt for a question, with
 * its passages but without examples, as training data needs it.
 */
export function promptRenderer({ prompts, texts }: PromptParts): PromptOf {
  // The prompt has no demonstrations and no transcript.
  const transcripts = new PlannedTranscripts();
  const ports = { prompts, transcripts, demonstrationSets: { pairs: async () => [] } };
  return async (run, question, passages) => {
    const ids = passages.map(({ id }) => id);
    const found = await texts(run, ids);
    const shown = passages.map(({ id, title }) => {
      const text = found.get(id);
      if (text !== undefined) return { id, title, text };
      throw new Failure(
        'BadInput',
        `The run ${run.run} needs the passage ${id}, which no longer exists.`,
      );
    });
    const input = { question, passages: ids, examples: false };
    const how = { prompts: promptsFor(takeNotes.name, run.input.prompts), attempt: 0 };
    return (await fillPrompt(takeNotes, input, how, shown, ports)).content;
  };
}
