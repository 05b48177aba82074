/** The port over a search engine: corpora are built in it, listed, and searched. */
import type { IndexedCorpora } from './corpora.js';
import type { ElasticsearchBuild } from './elasticsearch/build.js';
import type { IndexManifest } from './manifest.js';

/** What is built, for whichever engine. */
export type EngineBuild = ElasticsearchBuild;

export interface SearchEngine {
  readonly engine: IndexManifest['engine'];
  corpora: IndexedCorpora;
  /** Returns what identifies a server, whatever its address; undefined for a folder. */
  id(): Promise<string | undefined>;
  /**
   * Indexes a corpus file; the index in place is served until the new one is whole.
   *
   * @throws Failure BadInput for what cannot be indexed, BuildInProgress when the same corpus is
   * being built; the signal's reason when aborted.
   */
  build(options: EngineBuild): Promise<IndexManifest>;
  close(): Promise<void>;
}
