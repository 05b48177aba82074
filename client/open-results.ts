import { hostname } from 'node:os';
import { passageTexts } from '../activities/run/passage-texts.js';
import { createPromptLibrary } from '../activities/runtime/prompts.js';
import { metricRegistry, rubricsIn } from '../evaluation/metrics/registry.js';
import { importedTexts } from '../retrieval/imported-texts.js';
import { openSearch } from '../retrieval/open-search.js';
import { withOwnCorpora } from '../retrieval/own-corpora.js';
import { passageStore } from '../retrieval/supplied-passages.js';
import { registeredSteps } from '../steps/rubric.js';
import { contentStore } from '../stores/content-store.js';
import type { KeyValueStore } from '../stores/key-value-store.js';
import { leases, withLease } from '../stores/lease.js';
import type { RunNameLock, RunStore } from '../stores/runs/run-store.js';
import { Transcripts } from '../stores/transcripts.js';
import { readConfig } from '../workers/config.js';
import {
  openNamespace,
  openRunStore,
  PASSAGES_NAMESPACE,
  TEXTS_NAMESPACE,
} from '../workers/store-namespaces.js';
import type { OwnParts } from '../workers/worker-options.js';

/**
 * The stores of the workers as `openResults` opens them: the stored runs, the readers of passage
 * texts, imported texts and passages that came with questions, the transcripts, the lock on run
 * names and the prompt sets; and `close`.
 */
export type Results = Awaited<ReturnType<typeof openResults>>;

/**
 * Opens the stored runs, corpora, passages, texts and prompts that the workers of this environment
 * use (DURABLE_RAG_HOME, DURABLE_RAG_RESULTS and so on). They must be closed.
 *
 * @param own The same options as the workers have in place of variables.
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
    const store = await openNamespace(config, PASSAGES_NAMESPACE, own.store);
    opened.push(store);
    const written = await openNamespace(config, TEXTS_NAMESPACE, own.store);
    opened.push(written);
    const search = await openSearch(config);
    opened.push(search);
    const corpora = withOwnCorpora(search.corpora, own.corpora);
    const metrics = rubricsIn(metricRegistry(own.metrics));
    const { prompts: texts } = registeredSteps({ ...own, metrics });
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
      /** Transcripts of methods that take turns. */
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

/** Returns the lock on run names, shared by all commands that use the store. */
function runNaming(store: KeyValueStore): RunNameLock {
  const holder = `${hostname()}/${process.pid}`;
  return { holding: (run, work) => withLease(leases(store), `run/${run}`, holder, work) };
}
