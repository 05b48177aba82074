/** The folder of a training-data job: its questions, its results, its examples. */
import { join } from 'node:path';
import { differences } from '../../methods/differences.js';
import { Failure } from '../../methods/failure.js';
import type { KeptQuestion } from '../../methods/training-job.js';
import type { PassageRef } from '../../methods/vocabulary.js';
import { fileResults, type ResultStore } from '../../results/file-results.js';
import { readJson, writeJson } from '../../results/json-file.js';
import { recordFile } from '../../results/record-file.js';

/** A question as the folder keeps it: passages that came with it by reference. */
export interface JobQuestion {
  id: string;
  question: string;
  passages?: PassageRef[];
}

/** What must be the same for two starts to be of one job, and how many questions it has. */
export interface Manifest {
  settings: Record<string, unknown>;
  questions: number;
}

export interface JobFolder {
  results: ResultStore<KeptQuestion>;
  /** Where the examples go. */
  files: { chat: string; weighted: string };
  /**
   * The manifest, once all questions are in the folder.
   *
   * @throws Failure BadInput when it is of other settings, naming those that differ, or damaged.
   */
  begun(settings: Manifest['settings']): Promise<Manifest | undefined>;
  /** Writes the questions, then the manifest. */
  begin(manifest: Manifest, questions: AsyncIterable<JobQuestion>): Promise<void>;
  /** The questions from a place in the file on, each with the place after it. */
  questions(offset: number): AsyncGenerator<{ question: JobQuestion; next: number }>;
}

const DAMAGED = 'Delete the folder and start the job again, or name another folder.';

export function jobFolder(folder: string): JobFolder {
  const manifestFile = join(folder, 'manifest.json');
  const questionFile = recordFile<JobQuestion>(join(folder, 'questions.jsonl'), DAMAGED);
  return {
    results: fileResults(join(folder, 'results')),
    files: {
      chat: join(folder, 'train.jsonl'),
      weighted: join(folder, 'train-weighted.jsonl'),
    },

    async begun(settings) {
      const manifest = await readJson<Manifest>(manifestFile, DAMAGED);
      if (manifest === undefined) return undefined;
      const differing = differences(manifest.settings, settings);
      if (differing.length === 0) return manifest;
      throw new Failure(
        'BadInput',
        `out: ${folder} holds the data of a job with other settings (${differing.join('; ')}); name another folder.`,
      );
    },

    async begin(manifest, questions) {
      await questionFile.write(questions);
      await writeJson(manifestFile, manifest, 2);
    },

    async *questions(offset) {
      for await (const { record, next } of questionFile.read(offset)) {
        yield { question: record, next };
      }
    },
  };
}
