/** The folder of a training-data job: its questions, its results, its examples. */
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalJson } from '../../methods/canonical-json.js';
import { Failure } from '../../methods/failure.js';
import type { KeptQuestion } from '../../methods/training-job.js';
import type { PassageRef } from '../../methods/vocabulary.js';
import { writeAtomically } from '../../results/atomic-file.js';
import { fileResults, type ResultStore } from '../../results/file-results.js';
import { splitLines } from '../../retrieval/lines.js';

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
   * @throws Failure BadInput when it is of other settings, naming those that differ.
   */
  begun(settings: Manifest['settings']): Promise<Manifest | undefined>;
  /** Writes the questions, then the manifest. */
  begin(manifest: Manifest, questions: AsyncIterable<JobQuestion>): Promise<void>;
  /** The questions from a place in the file on, each with the place after it. */
  questions(offset: number): AsyncGenerator<{ question: JobQuestion; end: number }>;
}

export function jobFolder(folder: string): JobFolder {
  const manifestFile = join(folder, 'manifest.json');
  const questionFile = join(folder, 'questions.jsonl');
  return {
    results: fileResults(join(folder, 'results')),
    files: {
      chat: join(folder, 'train.jsonl'),
      weighted: join(folder, 'train-weighted.jsonl'),
    },

    async begun(settings) {
      const text = await readFile(manifestFile, 'utf8').catch(nothingIfMissing);
      if (text === undefined) return undefined;
      const manifest = JSON.parse(text) as Manifest;
      const names = new Set([...Object.keys(settings), ...Object.keys(manifest.settings)]);
      const differing = [...names].filter(
        (name) => canonicalJson([settings[name]]) !== canonicalJson([manifest.settings[name]]),
      );
      if (differing.length === 0) return manifest;
      throw new Failure(
        'BadInput',
        `out: ${folder} holds the data of a job with other settings (${differing.join(', ')}); name another folder.`,
      );
    },

    async begin(manifest, questions) {
      await writeAtomically(questionFile, async (write) => {
        for await (const question of questions) await write(`${JSON.stringify(question)}\n`);
      });
      await writeAtomically(manifestFile, (write) =>
        write(`${JSON.stringify(manifest, null, 2)}\n`),
      );
    },

    async *questions(offset) {
      let end = offset;
      for await (const { bytes } of splitLines(createReadStream(questionFile, { start: offset }))) {
        end += bytes.length + 1;
        yield { question: JSON.parse(bytes.toString('utf8')) as JobQuestion, end };
      }
    },
  };
}

function nothingIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
