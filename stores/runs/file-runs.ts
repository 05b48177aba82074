import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure, undefinedIfMissing } from '../../core/failure.js';
import { NAME_PATTERN } from '../../core/name.js';
import { fileResults } from './file-results.js';
import { jsonLinesFile, readJson, writeJson } from './json-file.js';
import {
  checkedRunName,
  isManifest,
  type Mark,
  marksById,
  type RunAnswer,
  type RunManifest,
  type RunQuestion,
  type RunStore,
  sortNewestFirst,
} from './run-store.js';

const DAMAGED = 'Delete the folder of the run and start it again, or start one of another name.';

/**
 * Returns a store that keeps runs as files in a folder, which need not exist. Each file is written
 * atomically.
 */
export function fileRuns(folder: string): RunStore {
  function filesOf(run: string) {
    const home = join(folder, checkedRunName(run));
    return {
      home,
      manifest: join(home, 'manifest.json'),
      questions: jsonLinesFile<RunQuestion>(join(home, 'questions.jsonl'), DAMAGED),
      answers: fileResults<RunAnswer>(join(home, 'answers')),
      marks: fileResults<Mark>(join(home, 'marks')),
    };
  }

  return {
    async begin(run, questions, manifest) {
      const files = filesOf(run);
      if (await readManifest(files.manifest)) return;
      await files.questions.write(questions);
      // A concurrent start wrote the same questions: starts of one run do not overlap.
      if (await readManifest(files.manifest)) return;
      await writeJson(files.manifest, manifest(), 2);
    },
    async change(run, manifest, questions) {
      const files = filesOf(run);
      if (questions) await files.questions.write(questions);
      await writeJson(files.manifest, manifest(), 2);
    },
    manifest: async (run) => readManifest(filesOf(run).manifest),

    async list() {
      const names =
        (await readdir(folder).catch(undefinedIfMissing))?.filter((one) =>
          NAME_PATTERN.test(one),
        ) ?? [];
      const read = names.map((run) => readManifest(filesOf(run).manifest).catch(() => undefined));
      const found = (await Promise.all(read)).filter((manifest) => manifest !== undefined);
      return sortNewestFirst(found);
    },

    async *questions(run, from = 0) {
      for await (const { record, next } of filesOf(run).questions.read(from)) {
        yield { question: record, next };
      }
    },
    put: async (run, answer) => filesOf(run).answers.put(answer.id, answer),
    get: async (run, id) => filesOf(run).answers.get(id),
    mark: async (run, mark) => filesOf(run).marks.put(mark.id, mark),
    marks: async (run) => marksById(await filesOf(run).marks.all()),
    async remove(run) {
      const { home, manifest } = filesOf(run);
      await rm(join(home, 'answers'), { recursive: true, force: true });
      await rm(manifest, { force: true });
      await rm(home, { recursive: true, force: true });
    },
  };
}

async function readManifest(file: string): Promise<RunManifest | undefined> {
  const manifest = await readJson<unknown>(file, DAMAGED);
  if (manifest === undefined || isManifest(manifest)) return manifest;
  throw new Failure('Damaged', `The file ${file} is damaged: it is no manifest. ${DAMAGED}`);
}
