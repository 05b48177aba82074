/** The contract of search engines on LanceDB, and what is LanceDB's own. */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openSearch } from '../../retrieval/open-search.js';
import { corpusName } from '../support/elasticsearch.js';
import { retrievalContract } from './contract.js';
import { retrieverOver, temporaryFolder } from './helpers.js';

const folder = await temporaryFolder();

retrievalContract({
  open: (embeddings) => openSearch({ corpora: folder }, embeddings),
  corpusName,
  flag: '',
  deleteCorpus: (name) => rm(path.join(folder, name), { recursive: true }),
});

test('accents do not matter', async () => {
  const retriever = await retrieverOver([{ id: 'a', text: 'Ναός café Ñandú' }]);
  expect(await retriever.search('cafe nandu', 1)).toHaveLength(1);
});

test('settings of Elasticsearch are refused', async () => {
  const engine = await openSearch({ corpora: folder });
  const build = engine.build({ file: 'corpus.jsonl', into: 'test', analysis: { k1: 1.2 } });
  await expect(build).rejects.toThrow("--k1 is a setting of Elasticsearch: LanceDB's cannot be");
});
