/** The manifest of an index: its schema, its file, and the paths of an index's files. */
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { canonicalJson, parseJson } from '../core/canonical-json.js';
import { command } from '../core/command.js';
import { dataSource } from '../core/dataset-record.js';
import { Failure, undefinedIfMissing } from '../core/failure.js';
import { sha256Of } from '../core/sha256.js';
import { writeAtomically } from '../stores/runs/atomic-file.js';
import type { CorpusReader } from './corpus-reader.js';

/**
 * Version number of the index format, which is incremented if older indexes can no longer be read.
 */
export const INDEX_FORMAT = 2;

/** Schema of the manifest of an index. */
export const manifestSchema = z.object({
  format: z.number(),
  name: z.string(),
  engine: z.enum(['lancedb', 'elasticsearch']),
  /**
   * Id of the build: the name of its folder under builds/, or the end of the Elasticsearch index's
   * name.
   */
  build: z.string(),
  passages: z.number(),
  /**
   * Number of passages whose id an earlier one has, so that a number was appended, as in "id-2".
   */
  repeatedIds: z.number(),
  /** Detected format of the corpus file, such as "TSV without a header". */
  read: z.string(),
  /** Paths of its fields. */
  fields: z.record(z.string(), z.string()),
  /** SHA-256 of the corpus file, unpacked, hexadecimal. */
  sha256: z.string(),
  /** Base name of the corpus file. */
  source: z.string(),
  /** Source of the file, if it was given by address. */
  fetched: dataSource.optional(),
  /** ISO 8601, UTC. */
  builtAt: z.string(),
  /** The tokenizer; with Elasticsearch also the parameters of BM25. */
  tokenizer: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  /** The origin of the vectors, if it has any. */
  embedding: z
    .object({ provider: z.string(), model: z.string(), dimensions: z.number() })
    .optional(),
});

/**
 * The manifest of an index: how and from which file it was built. It is stored as manifest.json, in
 * Elasticsearch in the index's mapping.
 */
export type IndexManifest = z.infer<typeof manifestSchema>;

/**
 * Returns the manifest of an index that has just been built from a file, with the current time. The
 * reader must be at the end of the file.
 */
export function manifestOf(
  reader: CorpusReader,
  built: Omit<
    IndexManifest,
    'builtAt' | 'fields' | 'format' | 'read' | 'repeatedIds' | 'sha256' | 'source'
  >,
): IndexManifest {
  const { source, repeatedIds, format: read, fields } = reader;
  const builtAt = new Date().toISOString();
  const found = { source, read, fields: { ...fields }, repeatedIds, sha256: reader.sha256() };
  return { format: INDEX_FORMAT, ...built, ...found, builtAt };
}

/** Separator between the name of a corpus and the version of its content; no name contains it. */
const PIN = '@';

/**
 * Returns the version of a corpus's content: 12 hexadecimal digits of a hash of everything that
 * decides which passages a search finds. It is equal for two builds of the same file with the same
 * settings.
 */
export function corpusVersion({
  engine,
  sha256,
  fields,
  passages,
  tokenizer,
  embedding,
}: IndexManifest): string {
  const content = { engine, sha256, fields, passages, tokenizer, embedding };
  return sha256Of(canonicalJson(content), 12);
}

/**
 * Returns the name of a corpus with the version of its content, such as "wiki@0123456789ab"; only
 * the name if the corpus has no manifest, as with a custom retriever.
 *
 * @param description The index's manifest, or another description.
 */
export function pinnedCorpus(name: string, description: Record<string, unknown>): string {
  const manifest = manifestSchema.safeParse({ name, ...description });
  return manifest.success ? `${name}${PIN}${corpusVersion(manifest.data)}` : name;
}

/**
 * The two parts of a corpus's name, as `splitCorpusName` returns them: the name itself, and the
 * version of the content.
 */
export interface CorpusName {
  name: string;
  /** The version; undefined for the build that is currently served under the name. */
  version: string | undefined;
}

/**
 * Splits a name that may be one from `pinnedCorpus` into `name` and `version`, which is undefined
 * for a name without one.
 */
export function splitCorpusName(pinned: string): CorpusName {
  const at = pinned.indexOf(PIN);
  return at < 0
    ? { name: pinned, version: undefined }
    : { name: pinned.slice(0, at), version: pinned.slice(at + 1) };
}

/**
 * Returns the paths of a LanceDB index's files: its folder (`home`), `manifest`, `owner` and
 * `builds`; those of a build are functions of its id (`build`, its folder, and `buildManifest`).
 * None of them need exist. `NAME/manifest.json` names the served build, which is in
 * `NAME/builds/BUILD`.
 */
export function indexPaths(folder: string, name: string) {
  const home = path.join(folder, name);
  const builds = path.join(home, 'builds');
  return {
    home,
    builds,
    build: (id: string) => path.join(builds, id),
    buildManifest: (id: string) => path.join(builds, id, 'manifest.json'),
    manifest: path.join(home, 'manifest.json'),
    owner: path.join(home, 'builder.json'),
  };
}

/**
 * Checks that a corpus's name is valid as a folder on every file system; throws if it is not.
 *
 * @throws Failure BadInput for anything but lower-case letters, digits, dot, underscore and dash,
 * beginning with a letter or digit, at most 100 of them.
 */
export function checkIndexName(name: string): void {
  if (/^[a-z0-9][a-z0-9._-]{0,99}$/.test(name)) return;
  throw new Failure(
    'BadInput',
    `${JSON.stringify(name)} cannot name a corpus: use lower-case letters, digits, '.', '_' and '-', ` +
      'beginning with a letter or digit, at most 100 characters.',
  );
}

/**
 * Returns the manifest of the index that is served under a name; undefined if there is none.
 *
 * @throws Failure UnknownCorpus if it is damaged or has another format.
 */
export async function readManifest(
  folder: string,
  name: string,
): Promise<IndexManifest | undefined> {
  const text = await readFile(indexPaths(folder, name).manifest, 'utf8').catch(undefinedIfMissing);
  if (text === undefined) return undefined;
  const [manifest] = manifestIn(text);
  if (manifest) return manifest;
  throw new Failure(
    'UnknownCorpus',
    `The index of corpus ${name} was built by another version or is damaged. ` +
      `Build it again: ${command('index', 'corpus.jsonl', '--into', name)}`,
  );
}

/**
 * Returns a text made from one file stat that changes whenever an index's manifest is replaced;
 * undefined if there is no manifest.
 */
export async function manifestStamp(folder: string, name: string): Promise<string | undefined> {
  const found = await stat(indexPaths(folder, name).manifest, { bigint: true }).catch(
    undefinedIfMissing,
  );
  return found && `${found.ino}-${found.mtimeNs}-${found.size}`;
}

/**
 * Returns the manifests of all complete builds of a corpus in the current index format, the one
 * that is served included, in no particular order.
 */
export async function completeBuilds(folder: string, name: string): Promise<IndexManifest[]> {
  const { builds, buildManifest } = indexPaths(folder, name);
  const ids = (await readdir(builds).catch(undefinedIfMissing)) ?? [];
  const read = ids.map(async (id) => {
    return manifestIn(await readFile(buildManifest(id), 'utf8').catch(undefinedIfMissing));
  });
  return (await Promise.all(read)).flat();
}

/** Returns the manifest in a text; empty if it contains none, or one of another format. */
function manifestIn(text: string | undefined): IndexManifest[] {
  const { data } = manifestSchema.safeParse(parseJson(text));
  return data?.format === INDEX_FORMAT ? [data] : [];
}

/**
 * Writes the manifest of an index to a file atomically: readers see either the old one or the new
 * one.
 */
export async function writeManifest(file: string, manifest: IndexManifest): Promise<void> {
  await writeAtomically(file, (write) => write(`${JSON.stringify(manifest, undefined, 2)}\n`));
}

/** Returns the names of the indexes under a folder, sorted; empty if the folder does not exist. */
export async function indexNames(folder: string): Promise<string[]> {
  const entries = (await readdir(folder, { withFileTypes: true }).catch(undefinedIfMissing)) ?? [];
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const built = await Promise.all(names.map((name) => manifestStamp(folder, name)));
  return names.filter((_, position) => built[position] !== undefined).sort();
}
