/** The contract of search engines on Elasticsearch. */
import { deleteIndex, findIndices } from '../../../retrieval/elasticsearch/indices.js';
import { openSearch } from '../../../retrieval/open-search.js';
import {
  corpusName,
  elasticsearchConnection,
  sharedElasticsearch,
} from '../../support/elasticsearch.js';
import { retrievalContract } from '../contract.js';

const url = await sharedElasticsearch();
if (url !== undefined) {
  const connection = await elasticsearchConnection(url);
  retrievalContract({
    open: (embeddings) => openSearch({ corpora: '', elasticsearch: { url } }, embeddings),
    corpusName,
    flag: ' --search elasticsearch',
    // Its analyzer leaves them out of the index.
    stopWordsFind: [],
    async deleteCorpus(name) {
      for (const { index } of await findIndices(connection, name)) {
        await deleteIndex(connection, index);
      }
    },
  });
}
