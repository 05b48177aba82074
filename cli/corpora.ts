/** `durable-rag corpora`: lists the indexed corpora. */

import { command } from '../core/command.js';
import { table } from '../evaluation/runs/columns.js';
import type { IndexManifest } from '../retrieval/manifest.js';
import type { CliContext } from './context.js';
import type { CommandOutput } from './print-output.js';
import { withSearch } from './with-search.js';

/**
 * Returns the output of `corpora`: as JSON an array with the manifest of each index, as text a
 * table.
 */
export async function listCorpora(context: CliContext): Promise<CommandOutput> {
  const manifests = await withSearch(context, (engine) => engine.corpora.list());
  return { value: manifests, text: describeCorpora(manifests) };
}

/** Returns a table with one row for each corpus. */
function describeCorpora(manifests: readonly IndexManifest[]): string {
  if (manifests.length === 0) {
    return `No corpus is indexed yet. Build one: ${command('index', 'corpus.jsonl', '--into', 'NAME')}`;
  }
  return table([
    ['corpus', 'engine', 'passages', 'analyzer', 'embedding model', 'built'],
    ...manifests.map((manifest) => [
      manifest.name,
      manifest.engine,
      manifest.passages.toLocaleString('en-US'),
      analyzerOf(manifest),
      manifest.embedding?.model ?? '-',
      manifest.builtAt.slice(0, 10),
    ]),
  ]);
}

/**
 * Returns the analyzer and BM25 parameters: "english, k1 0.9, b 0.4". An older LanceDB index has
 * fixed parameters: "English, stemmed".
 */
function analyzerOf({ tokenizer }: IndexManifest): string {
  const { analyzer, k1, b, language, stem } = tokenizer;
  const words = analyzer ?? `${language ?? '-'}${stem ? ', stemmed' : ''}`;
  return k1 === undefined ? `${words}` : `${words}, k1 ${k1}, b ${b}`;
}
