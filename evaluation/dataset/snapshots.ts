/** Keeps the questions of data sets as they were read: by a hash of their content, and by name. */
import { createHash, randomUUID } from 'node:crypto';
import { canonicalJson } from '../../core/canonical-json.js';
import { command } from '../../core/command.js';
import type { DataSource, DatasetRecord, Snapshot } from '../../core/dataset-record.js';
import { Failure } from '../../core/failure.js';
import { NAME_PATTERN, NAME_RULE } from '../../core/name.js';
import { nearest } from '../../core/options/nearest.js';
import type { KeyValueStore } from '../../stores/key-value-store.js';
import type { QuestionsRead, ReadNotes } from './read-dataset.js';

/** A stored data set with its names. */
export interface ListedSnapshot extends Snapshot {
  /** Names that currently refer to it. */
  names: string[];
  /** ISO time at which it was put last. */
  at: string;
}

/** The stored form of a snapshot, besides its pages. */
interface Kept extends Snapshot {
  /** Id of the put that wrote the pages; other puts never touch them. */
  put: string;
  pages: number;
  at: string;
}

const HASH = 'sha256:';

/** Returns how inputs refer to a snapshot. */
export function refOf({ sha256 }: Pick<Snapshot, 'sha256'>): string {
  return HASH + sha256;
}

/** Returns the hash in a reference; a name is returned unchanged. */
export function hashOf(ref: string): string {
  return ref.startsWith(HASH) ? ref.slice(HASH.length) : ref;
}

/** Characters of a page; a question that is longer has one of its own. */
const PAGE = 1_000_000;

/** Longest duration of a put, in milliseconds: until then it owns pages without a snapshot. */
const LONGEST_PUT = 86_400_000;

/** Returns the snapshot that these questions would make; stores nothing. */
export async function surveyOf(
  records: QuestionsRead,
  file: string,
  source?: DataSource,
): Promise<Snapshot> {
  return shown({ ...(await write(records, async () => {})), file, ...(source && { source }) });
}

/** The store of data sets: see `snapshots`. */
export type Snapshots = ReturnType<typeof snapshots>;

/** Returns the snapshots in a key-value store, shared by all who store them and the workers. */
export function snapshots(store: KeyValueStore) {
  /**
   * Notes that it was stored again, and from which file; returns false if it does not exist or is
   * being deleted.
   */
  async function renewed(
    { sha256, skipped }: Pick<Kept, 'sha256' | 'skipped'>,
    source?: DataSource,
  ): Promise<boolean> {
    const before = await store.get(snapshotKey(sha256));
    if (before === undefined) return false;
    const kept = { ...JSON.parse(before), skipped, ...(source && { source }) };
    const after = JSON.stringify({ ...kept, at: new Date().toISOString() });
    return store.compareAndSet(snapshotKey(sha256), before, after);
  }

  async function found(sha256: string): Promise<Kept> {
    const text = await store.get(snapshotKey(sha256));
    if (text !== undefined) return JSON.parse(text);
    throw missing(`the content ${HASH}${sha256}`);
  }

  /** Returns the values of all keys with a prefix, by the rest of the key. */
  async function withPrefix(beginning: string): Promise<Map<string, string>> {
    const held = new Map<string, string>();
    for await (const { key } of store.list(beginning)) {
      const text = await store.get(key);
      if (text !== undefined) held.set(key.slice(beginning.length), text);
    }
    return held;
  }

  const names = () => withPrefix('name:');

  async function all(): Promise<Kept[]> {
    return [...(await withPrefix('snapshot:')).values()].map((text) => JSON.parse(text));
  }

  return {
    /**
     * Stores questions completely or not at all. If the same ones are already stored, only the time
     * is updated.
     *
     * @param read Returns the questions; called once to check and hash them, and once more to store
     * them.
     * @param source Where the file was fetched from, if it was.
     * @throws Errors of `read`; nothing is stored then.
     */
    async put(read: () => QuestionsRead, file: string, source?: DataSource): Promise<Snapshot> {
      const checked = await write(read(), async () => {});
      if (await renewed(checked, source)) return shown(await found(checked.sha256));
      const put = randomUUID();
      const written = await write(read(), (page, i) => store.set(pageKey(put, i), page));
      const at = new Date().toISOString();
      const snapshot = { ...written, file, ...(source && { source }), put, at };
      await store.set(snapshotKey(snapshot.sha256), JSON.stringify(snapshot));
      return shown(snapshot);
    },
    /** Makes a name refer to a snapshot. @throws Failure BadInput for a bad name. */
    async name(name: string, sha256: string): Promise<void> {
      if (!NAME_PATTERN.test(name)) throw new Failure('BadInput', `name: ${NAME_RULE}`);
      await store.set(`name:${name}`, sha256);
    },
    /**
     * Returns a snapshot.
     *
     * @param ref A name, or `sha256:` and a hash.
     * @throws Failure UnknownText if there is none.
     */
    async find(ref: string): Promise<Snapshot> {
      if (ref.startsWith(HASH)) return shown(await found(hashOf(ref)));
      const sha256 = NAME_PATTERN.test(ref) ? await store.get(`name:${ref}`) : undefined;
      if (sha256 === undefined) throw missingName(ref, await names());
      return shown(await found(sha256));
    },
    /**
     * Yields the questions in their order. @throws Failure UnknownText if they are not stored any
     * more.
     */
    async *read(sha256: string): AsyncGenerator<DatasetRecord> {
      const { put, pages } = await found(sha256);
      for (let i = 0; i < pages; i++) {
        const page = await store.get(pageKey(put, i));
        if (page === undefined) throw missing(`the content ${HASH}${sha256}`);
        for (const line of page.split('\n')) yield JSON.parse(line) as DatasetRecord;
      }
    },
    /** All of them, the newest first. */
    async list(): Promise<ListedSnapshot[]> {
      const named = [...(await names())];
      return (await all())
        .sort((a, b) => (a.at > b.at ? -1 : 1))
        .map((one) => ({
          ...shown(one),
          names: named.flatMap(([name, sha256]) => (sha256 === one.sha256 ? [name] : [])),
          at: one.at,
        }));
    },
    /** Removes a name; its snapshot stays. @throws Failure UnknownText if there is none. */
    async remove(name: string): Promise<void> {
      const key = `name:${name}`;
      if (!NAME_PATTERN.test(name) || (await store.get(key)) === undefined) {
        throw missingName(name, await names());
      }
      await store.delete(key);
    },
    /**
     * Deletes snapshots that have no name, are not used, and were stored before a time; also the
     * remains of unfinished puts.
     *
     * @param before Milliseconds since 1970.
     * @param used Hashes in use.
     * @param dryRun Only counts.
     * @returns The number of snapshots.
     */
    async prune(before: number, used: ReadonlySet<string>, dryRun = false): Promise<number> {
      const held = new Set([...used, ...(await names()).values()]);
      const there = await all();
      const gone = there.filter(({ sha256, at }) => !held.has(sha256) && Date.parse(at) < before);
      if (dryRun) return gone.length;
      // The snapshot is deleted before its pages, so that none exists without all of them.
      for (const { sha256 } of gone) await store.delete(snapshotKey(sha256));
      const puts = new Set(gone.map(({ put }) => put));
      const living = new Set(there.map(({ put }) => put).filter((put) => !puts.has(put)));
      const stale = Math.min(before, Date.now() - LONGEST_PUT);
      for await (const { key, writtenAt } of store.list('page:')) {
        const [, put = ''] = key.split(':');
        const isLeft = !living.has(put) && writtenAt < stale;
        if (puts.has(put) || isLeft) await store.delete(key);
      }
      return gone.length;
    },
  };
}

/** Hands on the questions in pages, a line each. */
async function write(
  records: QuestionsRead,
  page: (text: string, i: number) => Promise<void>,
): Promise<Omit<Kept, 'at' | 'file' | 'put' | 'source'>> {
  const hash = createHash('sha256');
  const kinds: Snapshot['kinds'] = {};
  let [questions, unranked, pages] = [0, 0, 0];
  let [lines, length]: [string[], number] = [[], 0];
  async function end(): Promise<void> {
    if (lines.length > 0) await page(lines.join('\n'), pages++);
    [lines, length] = [[], 0];
  }
  let noted: ReadNotes | undefined;
  async function* noting(): AsyncGenerator<DatasetRecord> {
    noted = (yield* records) ?? undefined;
  }
  for await (const record of noting()) {
    const line = canonicalJson(record);
    hash.update(`${line}\n`);
    questions++;
    if (record.passagesRanked === false) unranked++;
    kinds[record.answerKind] = (kinds[record.answerKind] ?? 0) + 1;
    if (length + line.length > PAGE) await end();
    lines.push(line);
    length += line.length;
  }
  await end();
  const { skipped = 0, numbered = 0 } = noted ?? {};
  return {
    sha256: hash.digest('hex'),
    questions,
    kinds,
    pages,
    ...counted({ unranked, skipped, numbered }),
  };
}

function shown({ sha256, file, questions, kinds, source, ...counts }: Snapshot): Snapshot {
  return { sha256, file, questions, kinds, ...counted(counts), ...(source && { source }) };
}

/** Returns the counts that are not 0. */
function counted({
  unranked = 0,
  skipped = 0,
  numbered = 0,
}: Partial<Snapshot>): Pick<Snapshot, 'numbered' | 'skipped' | 'unranked'> {
  return {
    ...(unranked > 0 && { unranked }),
    ...(skipped > 0 && { skipped }),
    ...(numbered > 0 && { numbered }),
  };
}

function snapshotKey(sha256: string): string {
  return `snapshot:${sha256}`;
}

function pageKey(put: string, i: number): string {
  return `page:${put}:${i}`;
}

function missingName(name: string, names: ReadonlyMap<string, string>): Failure {
  const meant = nearest(name, [...names.keys()]);
  return missing(`the name ${JSON.stringify(name)}${meant ? ` (did you mean ${meant}?)` : ''}`);
}

function missing(what: string): Failure {
  return new Failure(
    'UnknownText',
    `There is no data set with ${what} in the store: put its file there with "${command('datasets', 'put')}", on a machine that has the same store as the workers (DURABLE_RAG_STORE).`,
  );
}
