/** Runs in memory, as JSON, so that what does not survive it shows. */
import type { RunAnswer, RunManifest, RunQuestion, RunStore } from '../../results/run-store.js';

interface Run {
  manifest: string;
  questions: string[];
}

export function memoryRuns(): RunStore {
  const runs = new Map<string, Run>();
  const answers = new Map<string, string>();
  const keyOf = (run: string, id: string) => JSON.stringify([run, id]);
  const read = <T>(text: string | undefined) =>
    text === undefined ? undefined : (JSON.parse(text) as T);
  return {
    async begin(run, questions, manifest) {
      if (runs.has(run)) return;
      const written: string[] = [];
      for await (const question of questions) written.push(JSON.stringify(question));
      if (runs.has(run)) return;
      runs.set(run, { questions: written, manifest: JSON.stringify(manifest()) });
    },
    async change(run, manifest, questions) {
      const there = runs.get(run);
      if (!there) throw new Error(`There is no run ${run}.`);
      if (questions) {
        const written: string[] = [];
        for await (const question of questions) written.push(JSON.stringify(question));
        there.questions = written;
      }
      there.manifest = JSON.stringify(manifest());
    },
    manifest: async (run) => read<RunManifest>(runs.get(run)?.manifest),
    async list() {
      const found = [...runs.values()].map((run) => JSON.parse(run.manifest) as RunManifest);
      return found.sort((a, b) => (a.createdAt > b.createdAt ? -1 : 1));
    },
    async *questions(run, from = 0) {
      for (const [i, text] of (runs.get(run)?.questions ?? []).slice(from).entries()) {
        yield { question: JSON.parse(text) as RunQuestion, next: from + i + 1 };
      }
    },
    async put(run, answer) {
      answers.set(keyOf(run, answer.id), JSON.stringify(answer));
    },
    get: async (run, id) => read<RunAnswer>(answers.get(keyOf(run, id))),
    async remove(run) {
      runs.delete(run);
      for (const key of answers.keys()) if (JSON.parse(key)[0] === run) answers.delete(key);
    },
  };
}
