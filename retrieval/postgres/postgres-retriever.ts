import { toUSVString } from 'node:util';
import { z } from 'zod';
import { Failure } from '../../core/failure.js';
import { ENCODING_ADVICE, serverUrl } from '../../core/server-url.js';
import type { SearchMode } from '../../core/vocabulary.js';
import type { EmbeddingModel } from '../../llm/embedding-model.js';
import { withTimeout } from '../../llm/with-timeout.js';
import { shownUrl } from '../../stores/store-failure.js';
import { engineRetriever } from '../engine-retriever.js';
import type { Retriever } from '../retriever.js';
import { lazyPool, type PostgresClient } from './connect.js';
import { type PostgresTable, postgresFailure } from './failures.js';
import { type PassageColumns, statements } from './table-columns.js';

interface CommonOptions {
  /** Name of the table, with its schema and a point if it is not on the search path. */
  table: string;
  columns?: PassageColumns;
  /** Name of a text search configuration of the server. @default 'english' */
  language?: string;
  /** The model with which the table's vectors were made, for dense and hybrid search. */
  embeddings?: EmbeddingModel;
  /** Timeout of a statement, in milliseconds. @default 30000 */
  timeoutMs?: number;
}

/**
 * The options of a retriever over a PostgreSQL table: the table and its columns, and a URL or a
 * client.
 */
export type PostgresRetrieverOptions = CommonOptions &
  (
    | {
        /** URL of the server and database: postgres://user:password@host/database. */
        url: string | URL;
      }
    | {
        /** Your own client instead of a URL: a pool of pg, or a PGlite. */
        client: PostgresClient;
      }
  );

/** A retriever over a PostgreSQL table, whose connections can be closed. */
export interface PostgresRetriever extends Retriever {
  /** Closes the retriever's connections; your own client stays open. */
  close(): Promise<void>;
}

const refSchema = z.object({ id: z.string(), title: z.string(), score: z.number() });
const passageSchema = z.object({ id: z.string(), title: z.string(), text: z.string() });

/** Lookups of more ids than this are made in several statements. */
const IDS_AT_ONCE = 1000;

/**
 * Returns a retriever over a PostgreSQL table with one passage per row. It connects at the first
 * search or lookup.
 *
 * Mode `bm25` uses PostgreSQL's full text search, with words weighted by inverse document
 * frequency; `dense` and `hybrid` need a pgvector column and the model that filled it.
 *
 * @throws Failure BadInput if the URL cannot be read.
 * @example
 * const wiki = postgresRetriever({
 *   url: 'postgres://me@db.example/corpora',
 *   table: 'wiki',
 *   columns: { search: 'words' },
 * });
 * durableRag({ corpora: { wiki } });
 */
export function postgresRetriever(options: PostgresRetrieverOptions): PostgresRetriever {
  const { table, columns = {}, language = 'english', embeddings, timeoutMs = 30_000 } = options;
  const sql = statements({ table, columns, language });
  const { client, corpus, close } = readTarget(options, timeoutMs);

  async function rows<T>(
    schema: z.ZodType<T>,
    [statement, ...parameters]: [string, ...unknown[]],
    signal = new AbortController().signal,
  ): Promise<T[]> {
    try {
      const { rows } = await withTimeout(timeoutMs, signal, (both) =>
        until(both, client.query(statement, parameters)),
      );
      return rows.map((row) => schema.parse(row));
    } catch (error) {
      signal.throwIfAborted();
      throw postgresFailure(error, corpus);
    }
  }

  const retriever = engineRetriever({
    corpus: table,
    idsAtOnce: IDS_AT_ONCE,
    // NUL is the one character that PostgreSQL's texts do not take.
    isId: (id) => !id.includes('\0'),
    byWords: (query, count, signal) =>
      rows(refSchema, [sql.byWords, toUSVString(query).replaceAll('\0', ' '), count], signal),
    async byVector(query, mode, signal) {
      const model = checkVectors(mode, columns, embeddings, corpus);
      const [vector = []] = (await model.embed([query], signal)).vectors;
      return (count) => rows(refSchema, [sql.byVector, JSON.stringify(vector), count], signal);
    },
    read: (ids) => rows(passageSchema, [sql.lookup, ids]),
  });
  return { ...retriever, close };
}

/** Waits for a promise until the signal: pg cannot take a statement back. */
async function until<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/**
 * Returns the model that embeds queries.
 *
 * @throws Failure BadInput if there is none, or if the table has no vectors.
 */
function checkVectors(
  mode: SearchMode,
  columns: PassageColumns,
  embeddings: EmbeddingModel | undefined,
  { table }: PostgresTable,
): EmbeddingModel {
  if (embeddings && columns.vector !== undefined) return embeddings;
  throw new Failure(
    'BadInput',
    `Table ${table} cannot be searched in mode "${mode}": give its retriever columns.vector and ` +
      'the embeddings that it was filled with.',
  );
}

function readTarget(
  options: PostgresRetrieverOptions,
  timeoutMs: number,
): { client: PostgresClient; corpus: PostgresTable; close(): Promise<void> } {
  const { table, columns } = options;
  if ('client' in options) {
    const corpus = { server: 'PostgreSQL', table, secrets: [] };
    return { client: options.client, corpus, close: async () => {} };
  }
  const url = serverUrl(String(options.url));
  if (!url || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw new Failure(
      'BadInput',
      `The url of a PostgreSQL retriever cannot be read. Give one like postgres://user:password@host/database, and ${ENCODING_ADVICE}.`,
    );
  }
  const client = lazyPool(url, timeoutMs, columns?.vector !== undefined);
  const secrets = [decodeURIComponent(url.password), url.searchParams.get('password') ?? ''];
  return {
    client,
    corpus: { server: `PostgreSQL at ${shownUrl(url)}`, table, secrets: secrets.filter(Boolean) },
    close: () => client.close(),
  };
}
