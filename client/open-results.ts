import { hostname } from 'node:os';
import { corpusName } from '../activities/run/run-of.js';
import { createPromptLibrary } from '../activities/runtime/prompts.js';
import { FAILURES, Failure } from '../core/failure.js';
import { metricRegistry, rubricsIn } from '../evaluation/metrics/registry.js';
import type { ReadTexts } from '../report/question/passage-texts.js';
import { type ImportedTexts, importedTexts } from '../retrieval/imported-texts.js';
import { openSearch } from '../retrieval/open-search.js';
import { withOwnCorpora } from '../retrieval/own-corpora.js';
import type { Corpora, Retriever } from '../retrieval/retriever.js';
import { passageStore } from '../retrieval/supplied-passages.js';
import { stepsOf } from '../steps/rubric.js';
import { contentStore } from '../stores/content-store.js';
import type { KeyValueStore } from '../stores/key-value-store.js';
import { holding, leases } from '../stores/lease.js';
import type { RunNaming, RunStore } from '../stores/runs/run-store.js';
import { Transcripts } from '../stores/transcripts.js';
import { readConfig } from '../workers/config.js';
import type { OwnParts } from '../workers/options.js';
import { openNamespace, openRunStore, PASSAGES, TEXTS } from '../workers/store-namespaces.js';

/** The runs, corpora and texts of the workers. */
export type Results = Awaited<ReturnType<typeof openResults>>;

/**
 * Opens the results, corpora and passages of this environment's workers (DURABLE_RAG_HOME,
 * DURABLE_RAG_RESULTS and so on).
 *
 * @param own Options that the workers were given instead.
 * @throws Failure that names the variable to change if one of them cannot be opened.
 * @example
 * const results = await openResults();
 * const [run] = await openRuns(results.runs, ['sure-nq']);
 */
export async function openResults(
  env: NodeJS.ProcessEnv = process.env,
  own: Pick<OwnParts, 'corpora' | 'metrics' | 'prompts' | 'results' | 'steps' | 'store'> = {},
) {
  const config = readConfig(env, own);
  const opened: { close(): Promise<void> }[] = [];
  const close = async () => {
    for (const part of opened.splice(0).reverse()) await part.close();
  };
  try {
    const kept = own.results ? undefined : await openRunStore(config, own.store);
    if (kept) opened.push(kept);
    const runs = (own.results ?? kept) as RunStore;
    const store = await openNamespace(config, PASSAGES, own.store);
    opened.push(store);
    const written = await openNamespace(config, TEXTS, own.store);
    opened.push(written);
    const search = await openSearch(config);
    opened.push(search);
    const corpora = withOwnCorpora(search.corpora, own.corpora);
    const metrics = rubricsIn(metricRegistry(own.metrics));
    const { prompts: texts } = stepsOf({ ...own, metrics });
    const prompts = createPromptLibrary(config.prompts, texts);
    const imported = importedTexts(store);
    const given = passageStore(store);
    const passages = passageTexts(corpora, given, imported.get);
    return {
      runs,
      ...passages,
      /** Texts of imported runs. */
      imported,
      /** Passages that came with questions. */
      given,
      /** What methods that take turns have written. */
      transcripts: new Transcripts(contentStore(written)),
      naming: runNaming(store),
      /** Prompt sets of this environment's workers. */
      prompts,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Returns the lock on names of runs, shared by all commands that use the store. */
function runNaming(store: KeyValueStore): RunNaming {
  const holder = `${hostname()}/${process.pid}`;
  return { holding: (run, work) => holding(leases(store), `run/${run}`, holder, work) };
}

type Place = Pick<Retriever, 'get'>;

/**
 * Returns a reader of passage texts. It looks in the texts of an imported run, in the run's corpus,
 * then among passages that came with questions. A corpus is opened once.
 */
export function passageTexts(
  corpora: Corpora,
  supplied: Place,
  imported: ImportedTexts['get'] = async () => new Map(),
) {
  const opened = new Map<string, Promise<Place | undefined>>();
  const gone = new Set<string>();

  function open(name: string): Promise<Place | undefined> {
    const known = opened.get(name);
    if (known !== undefined) return known;
    const opening = corpora.open(name).catch(() => undefined);
    opened.set(name, opening);
    return opening;
  }

  const texts: ReadTexts = async (manifest, ids) => {
    const { run } = manifest;
    // The build that the run read: in another build, an id may belong to another text.
    const name = corpusName(manifest);
    const found = new Map(await imported(run, ids));
    for (const place of [...(name === null ? [] : [() => open(name)]), () => supplied]) {
      const missing = ids.filter((id) => !found.has(id));
      if (missing.length === 0) break;
      for (const [id, text] of await textsFrom(await place(), missing)) found.set(id, text);
    }
    if (ids.some((id) => !found.has(id))) gone.add(run);
    return found;
  };
  return {
    /** Names of the runs that have missing passages. */
    gone: gone as ReadonlySet<string>,
    /** Returns the texts of the passages that the runs have read, as far as they exist. */
    texts,
  };
}

/** Returns the texts that exist, by id: all at once, or one by one if some are missing. */
async function textsFrom(
  place: Place | undefined,
  ids: readonly string[],
): Promise<[id: string, text: string][]> {
  if (!place || ids.length === 0) return [];
  try {
    return (await place.get(ids)).map(({ id, text }) => [id, text]);
  } catch (error) {
    if (!(error instanceof Failure) || !FAILURES[error.type].gone) throw error;
    if (ids.length === 1) return [];
    return (await Promise.all(ids.map((id) => textsFrom(place, [id])))).flat();
  }
}
