/** Stores the questions of data sets by a hash of their content, and gives names to them. */
import { createHash, randomUUID } from 'node:crypto';
import { canonicalJson } from '../../core/canonical-json.js';
import { command } from '../../core/command.js';
import type { DataSource, DatasetRecord, Snapshot } from '../../core/dataset-record.js';
import { Failure } from '../../core/failure.js';
import { NAME_PATTERN, NAME_RULE } from '../../core/name.js';
import { nearest } from '../../core/options/nearest.js';
import type { KeyValueStore } from '../../stores/key-value-store.js';
import type { QuestionsRead, ReadNotes } from './read-dataset.js';

/** A stored data set with its names and the time at which it was stored. */
export interface ListedSnapshot extends Snapshot {
  /** Names that currently refer to it. */
  names: string[];
  /** Time of the last put (ISO 8601). */
  at: string;
}

/** The stored form of a snapshot, without its pages. */
interface Kept extends Snapshot {
  /** Id of the put that wrote its pages. Other puts never touch them. */
  put: string;
  pages: number;
  at: string;
}

const HASH = 'sha256:';

/**
 * Returns the reference by which run inputs name a stored data set: "sha256:" followed by its
 * hash.
 */
export function snapshotRef({ sha256 }: Pick<Snapshot, 'sha256'>): string {
  return HASH + sha256;
}

/**
 * Returns the hash of a reference "sha256:..."; any other text, such as a name, is returned
 * unchanged.
 */
export function hashInRef(ref: string): string {
  return ref.startsWith(HASH) ? ref.slice(HASH.length) : ref;
}

/** Maximum number of characters of a page. A longer question has a page of its own. */
const PAGE = 1_000_000;

/** Longest duration of a put, in milliseconds. Pages without a snapshot are kept that long. */
const LONGEST_PUT = 86_400_000;

/**
 * Reads all given questions and returns what `put` of `snapshots` would return, without storing
 * it: the `sha256` of their content, the name of the `file`, the number of `questions`, that of
 * each answer kind (`kinds`), and counts of unusual records.
 *
 * @param file Name of the file, for display.
 * @param source Origin of the file, if it was fetched.
 */
export async function previewSnapshot(
  records: QuestionsRead,
  file: string,
  source?: DataSource,
): Promise<Snapshot> {
  return shown({ ...(await write(records, async () => {})), file, ...(source && { source }) });
}

/**
 * The store of data sets that `snapshots` returns: each is kept unchanged under the hash of its
 * content, with names that refer to it.
 */
export type Snapshots = ReturnType<typeof snapshots>;

/**
 * Returns the store of data sets within a key-value store, which clients and workers share: an
 * object of the functions `put`, `name`, `find`, `read`, `list`, `remove` and `prune`.
 */
export function snapshots(store: KeyValueStore) {
  /**
   * Updates the time and source of a stored snapshot; returns false if it does not exist or is being
   * deleted.
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
     * Stores questions completely or not at all, and returns their snapshot. If the same questions are
     * already stored, only the time is updated.
     *
     * @param read Returns the questions. It is called once to check and hash them, and again to store
     * them.
     * @param source Origin of the file, if it was fetched.
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
    /** Makes a name refer to a snapshot. @throws Failure BadInput for an invalid name. */
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
      if (ref.startsWith(HASH)) return shown(await found(hashInRef(ref)));
      const sha256 = NAME_PATTERN.test(ref) ? await store.get(`name:${ref}`) : undefined;
      if (sha256 === undefined) throw missingName(ref, await names());
      return shown(await found(sha256));
    },
    /**
     * Yields the questions in their order. @throws Failure UnknownText if they are no longer stored.
     */
    async *read(sha256: string): AsyncGenerator<DatasetRecord> {
      const { put, pages } = await found(sha256);
      for (let i = 0; i < pages; i++) {
        const page = await store.get(pageKey(put, i));
        if (page === undefined) throw missing(`the content ${HASH}${sha256}`);
        for (const line of page.split('\n')) yield JSON.parse(line) as DatasetRecord;
      }
    },
    /** Returns all snapshots with their names, newest first. */
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
     * @param dryRun Whether they are only counted.
     * @returns The number of deleted snapshots.
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

/** Calls `page` with the questions as JSON lines, in pages, and returns their hash and counts. */
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
    `There is no data set with ${what} in the store: store its file with "${command('datasets', 'put')}", on a machine with the same store as the workers (DURABLE_RAG_STORE).`,
  );
}
