/**
 * Entry point for other search services: `import { httpRetriever } from 'durable-rag/retrievers'`.
 */
export { type HttpRetrieverOptions, httpRetriever } from './http/http-retriever.js';
export type { PostgresClient } from './postgres/connect.js';
export {
  type PostgresRetriever,
  type PostgresRetrieverOptions,
  postgresRetriever,
} from './postgres/postgres-retriever.js';
export type { PassageColumns } from './postgres/table-columns.js';
