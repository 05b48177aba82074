/** The manifest of a built index, and the place of its files. */
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

/** Raised when an older index can no longer be read. */
export const INDEX_FORMAT = 2;

export const manifestSchema = z.object({
  format: z.number(),
  name: z.string(),
  engine: z.enum(['lancedb', 'elasticsearch']),
  /** The build: the folder under builds/, or the end of the index's name. */
  build: z.string(),
  passages: z.number(),
  /** Passages whose id an earlier one has; they got a number appended, as in "id-2". */
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

/** The record of a built index, stored beside it as manifest.json or with its mapping. */
export type IndexManifest = z.infer<typeof manifestSchema>;

/** Returns the manifest of a file that has just been indexed. */
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

/** Separates the name of a corpus from the version of its content; no name has it. */
const PIN = '@';

/**
 * Returns the version of a corpus: a hash of everything that decides which passages a search finds,
 * equal for two builds of the same file in the same way. First 12 hex digits of a SHA-256.
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
 * Returns the name of a corpus with its version, valid for every worker with that content. A corpus
 * without an index of ours has no version, and keeps its name.
 *
 * @param description Description by the index.
 */
export function pinnedCorpus(name: string, description: Record<string, unknown>): string {
  const manifest = manifestSchema.safeParse({ name, ...description });
  return manifest.success ? `${name}${PIN}${corpusVersion(manifest.data)}` : name;
}

export interface CorpusName {
  name: string;
  /** The version; undefined for the build that is served under the name. */
  version: string | undefined;
}

/** Returns the parts of a name that `pinnedCorpus` may have given. */
export function splitCorpusName(pinned: string): CorpusName {
  const at = pinned.indexOf(PIN);
  return at < 0
    ? { name: pinned, version: undefined }
    : { name: pinned.slice(0, at), version: pinned.slice(at + 1) };
}

/** Returns an index's paths: `NAME/manifest.json` points to `NAME/builds/BUILD`. */
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
 * Refuses a name that could leave the folder or clash on another file system.
 *
 * @throws Failure BadInput for anything but small letters, digits, dot, underscore and dash,
 * beginning with a letter or digit, at most 100 of them.
 */
export function checkIndexName(name: string): void {
  if (/^[a-z0-9][a-z0-9._-]{0,99}$/.test(name)) return;
  throw new Failure(
    'BadInput',
    `${JSON.stringify(name)} cannot name a corpus: use small letters, digits, '.', '_' and '-', ` +
      'beginning with a letter or digit, at most 100 characters.',
  );
}

/**
 * Returns the manifest of an index; undefined if there is none.
 *
 * @throws Failure UnknownCorpus if it cannot be read or has another format.
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
 * Returns a text that changes whenever the manifest is replaced; undefined if there is none. Costs
 * one file stat.
 */
export async function manifestStamp(folder: string, name: string): Promise<string | undefined> {
  const found = await stat(indexPaths(folder, name).manifest, { bigint: true }).catch(
    undefinedIfMissing,
  );
  return found && `${found.ino}-${found.mtimeNs}-${found.size}`;
}

/** Returns the manifests of all builds that are whole, the one that is served among them. */
export async function keptBuilds(folder: string, name: string): Promise<IndexManifest[]> {
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

/** Puts a manifest in place in one step: readers see the old one or the new one. */
export async function writeManifest(file: string, manifest: IndexManifest): Promise<void> {
  await writeAtomically(file, (write) => write(`${JSON.stringify(manifest, undefined, 2)}\n`));
}

/** Returns the names under a folder that have a manifest, sorted. */
export async function indexNames(folder: string): Promise<string[]> {
  const entries = (await readdir(folder, { withFileTypes: true }).catch(undefinedIfMissing)) ?? [];
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  const built = await Promise.all(names.map((name) => manifestStamp(folder, name)));
  return names.filter((_, position) => built[position] !== undefined).sort();
}
