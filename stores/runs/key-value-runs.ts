import { Failure } from '../../core/failure.js';
import { sha256Of } from '../../core/sha256.js';
import { deleteAll } from '../inventory.js';
import type { KeyValueStore } from '../key-value-store.js';
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

interface KeptManifest {
  manifest: RunManifest;
  /** Number of questions; an interrupted start may have left more of them. */
  questions: number;
}

/** Questions under one key. */
const PAGE = 100;

/** Returns a store that keeps runs in a key-value store, which must have no other entries. */
export function keyValueRuns(store: KeyValueStore): RunStore {
  const manifestKey = (run: string) => `manifest/${checkedRunName(run)}`;
  const pageKey = (run: string, page: number) => `questions/${checkedRunName(run)}/${page}`;
  // Ids of questions have any length; keys do not.
  const answerKey = (run: string, id: string) => `answer/${checkedRunName(run)}/${sha256Of(id)}`;
  const markKey = (run: string, id = '') => `mark/${checkedRunName(run)}/${id && sha256Of(id)}`;

  async function read<T>(run: string, key: string): Promise<T | undefined> {
    const text = await store.get(key);
    if (text === undefined) return undefined;
    try {
      return JSON.parse(text) as T;
    } catch (cause) {
      throw damaged(run, cause);
    }
  }

  async function readManifest(run: string): Promise<KeptManifest | undefined> {
    const kept = await read<Partial<KeptManifest> | null>(run, manifestKey(run));
    if (kept === undefined) return undefined;
    if (isManifest(kept?.manifest)) return kept as KeptManifest;
    throw damaged(run);
  }

  /** Writes questions and returns their number. */
  async function writeQuestions(run: string, items: AsyncIterable<RunQuestion>): Promise<number> {
    let [count, page]: [number, RunQuestion[]] = [0, []];
    const write = () => store.set(pageKey(run, Math.ceil(count / PAGE) - 1), JSON.stringify(page));
    for await (const question of items) {
      count++;
      page.push(question);
      if (page.length < PAGE) continue;
      await write();
      page = [];
    }
    if (page.length > 0) await write();
    return count;
  }

  return {
    async begin(run, items, manifest) {
      if (await readManifest(run)) return;
      const questions = await writeQuestions(run, items);
      const kept: KeptManifest = { manifest: manifest(), questions };
      // A concurrent start wrote the same questions: starts of one run do not overlap.
      await store.setIfAbsent(manifestKey(run), JSON.stringify(kept));
    },
    async change(run, manifest, items) {
      const before = (await readManifest(run))?.questions ?? 0;
      const questions = items ? await writeQuestions(run, items) : before;
      const kept: KeptManifest = { manifest: manifest(), questions };
      await store.set(manifestKey(run), JSON.stringify(kept));
    },
    manifest: async (run) => (await readManifest(run))?.manifest,

    async list() {
      const found: RunManifest[] = [];
      for await (const { key } of store.list('manifest/')) {
        const kept = await readManifest(key.slice('manifest/'.length)).catch(noneIfDamaged);
        if (kept) found.push(kept.manifest);
      }
      return sortNewestFirst(found);
    },

    async *questions(run, from = 0) {
      const count = (await readManifest(run))?.questions ?? 0;
      let page: RunQuestion[] | undefined;
      for (let place = from; place < count; place++) {
        const at = place % PAGE;
        if (at === 0 || page === undefined) {
          page = await read<RunQuestion[]>(run, pageKey(run, Math.floor(place / PAGE)));
        }
        const question = page?.[at];
        if (question === undefined) throw damaged(run);
        yield { question, next: place + 1 };
      }
    },
    put: async (run, answer) => store.set(answerKey(run, answer.id), JSON.stringify(answer)),
    get: async (run, id) => read<RunAnswer>(run, answerKey(run, id)),
    mark: async (run, mark) => store.set(markKey(run, mark.id), JSON.stringify(mark)),
    async marks(run) {
      const found: Mark[] = [];
      for await (const { key } of store.list(markKey(run))) {
        const mark = await read<Mark>(run, key);
        if (mark) found.push(mark);
      }
      return marksById(found);
    },

    async remove(run) {
      await deleteAll(store, `answer/${checkedRunName(run)}/`);
      await deleteAll(store, markKey(run));
      await store.delete(manifestKey(run));
      await deleteAll(store, `questions/${run}/`);
    },
  };
}

function damaged(run: string, cause?: unknown): Failure {
  const what = `The stored data of the run ${run} is damaged. Delete the run and start it again.`;
  return new Failure('Damaged', what, { cause });
}

function noneIfDamaged(error: unknown): undefined {
  if (error instanceof Failure && error.type === 'Damaged') return undefined;
  throw error;
}
