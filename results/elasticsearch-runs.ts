/** Runs in Elasticsearch, which workers on several machines share. */
import { createHash } from 'node:crypto';
import { RUN_NAME } from '../methods/batch/input.js';
import { Failure } from '../methods/failure.js';
import type { ElasticsearchConnection } from '../retrieval/elasticsearch/connection.js';
import { openDocuments, type StoredDocument } from '../stores/elasticsearch-documents.js';
import type { RunAnswer, RunManifest, RunQuestion, RunStore } from './run-store.js';

/** The manifest as it is kept. */
interface KeptManifest {
  manifest: RunManifest;
  /** How many are written; of an earlier start that was killed there may be more. */
  questions: number;
}

/** Questions at a time; of those read more at each time, since often only the first is wanted. */
const PAGE = 500;
const FIRST_PAGE = 1;

/**
 * Opens the runs under the aliases `durable-rag-runs-manifests`, `-questions` and `-answers`, which
 * are made if they are not there. All is read by id, and so as it was last written.
 *
 * @param prefix Of the aliases.
 * @throws Failure when Elasticsearch cannot be used.
 */
export async function openElasticsearchRuns(
  connection: ElasticsearchConnection,
  prefix = 'durable-rag-runs',
): Promise<RunStore> {
  const [manifests, questions, answers] = await Promise.all([
    openDocuments(connection, `${prefix}-manifests`, ['run', 'createdAt']),
    openDocuments(connection, `${prefix}-questions`, ['run']),
    openDocuments(connection, `${prefix}-answers`, ['run', 'question']),
  ]);

  async function readManifest(run: string): Promise<KeptManifest | undefined> {
    if (!RUN_NAME.test(run)) {
      throw new Failure('BadInput', `${JSON.stringify(run)} is no name of a run.`);
    }
    const [content] = await manifests.read([run]);
    return content === undefined ? undefined : parse<KeptManifest>(content, run);
  }

  /** How many there were. */
  async function writeQuestions(run: string, items: AsyncIterable<RunQuestion>): Promise<number> {
    let count = 0;
    let page: StoredDocument[] = [];
    for await (const question of items) {
      const content = JSON.stringify(question);
      page.push({ id: questionId(run, count++), labels: { run }, content });
      if (page.length < PAGE) continue;
      await questions.write(page);
      page = [];
    }
    await questions.write(page);
    return count;
  }

  return {
    async begin(run, items, manifest) {
      if (await readManifest(run)) return;
      const count = await writeQuestions(run, items);
      const kept: KeptManifest = { manifest: manifest(), questions: count };
      const { createdAt } = kept.manifest;
      // Whoever was faster wrote the same questions: starts of one run do not overlap.
      await manifests.add({ id: run, labels: { run, createdAt }, content: JSON.stringify(kept) });
    },
    async change(run, manifest, items) {
      const before = (await readManifest(run))?.questions ?? 0;
      const count = items ? await writeQuestions(run, items) : before;
      const kept: KeptManifest = { manifest: manifest(), questions: count };
      const { createdAt } = kept.manifest;
      await manifests.write([
        { id: run, labels: { run, createdAt }, content: JSON.stringify(kept) },
      ]);
    },
    manifest: async (run) => (await readManifest(run))?.manifest,

    async list() {
      const contents = await manifests.list([{ createdAt: 'desc' }, { run: 'asc' }]);
      return contents.flatMap((content) => {
        try {
          return [parse<KeptManifest>(content, '').manifest];
        } catch {
          return [];
        }
      });
    },

    async *questions(run, from = 0) {
      const count = (await readManifest(run))?.questions ?? 0;
      let place = from;
      for (let size = FIRST_PAGE; place < count; size = Math.min(4 * size, PAGE)) {
        const ids = Array.from({ length: Math.min(size, count - place) }, (_, i) =>
          questionId(run, place + i),
        );
        for (const content of await questions.read(ids)) {
          yield { question: parse<RunQuestion>(content, run), next: ++place };
        }
      }
    },

    async put(run, answer) {
      const labels = { run, question: answer.id };
      await answers.write([
        { id: answerId(run, answer.id), labels, content: JSON.stringify(answer) },
      ]);
    },

    async get(run, id) {
      const [content] = await answers.read([answerId(run, id)]);
      return content === undefined ? undefined : parse<RunAnswer>(content, run);
    },

    async remove(run) {
      await readManifest(run).catch(nothingIfDamaged);
      await answers.removeAll('run', run);
      await manifests.remove(run, true);
      await questions.removeAll('run', run);
    },
  };
}

/** A damaged run can be deleted; a name that is none is refused. */
function nothingIfDamaged(error: unknown): void {
  if (!(error instanceof Failure && error.message.includes('damaged'))) throw error;
}

/** Names of runs hold no slash. */
function questionId(run: string, place: number): string {
  return `${run}/${place}`;
}

/** Ids in Elasticsearch have 512 bytes at most; those of questions have no limit. */
function answerId(run: string, question: string): string {
  return `${run}/${createHash('sha256').update(question).digest('hex')}`;
}

/** @throws Failure BadInput where somebody else wrote or deleted what is kept of a run. */
function parse<T>(content: string | undefined, run: string): T {
  try {
    return JSON.parse(content ?? '') as T;
  } catch (cause) {
    const what = `What Elasticsearch has of the run ${run} is damaged. Start one of another name.`;
    throw new Failure('BadInput', what, { cause });
  }
}
