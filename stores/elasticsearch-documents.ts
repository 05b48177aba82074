/** Documents in an index of Elasticsearch: written and read by id, their content kept as it is. */
import { z } from 'zod';
import { Failure, type FailureType } from '../methods/failure.js';
import type { ElasticsearchConnection } from '../retrieval/elasticsearch/connection.js';
import { makeIndex } from './elasticsearch-index.js';

export interface StoredDocument {
  /** Up to 512 bytes. */
  id: string;
  /** What it can be found and sorted by. */
  labels: Record<string, string>;
  content: string;
}

export interface Documents {
  /** Their contents in the order of the ids, also of those just written; undefined for missing ones. */
  read(ids: readonly string[]): Promise<(string | undefined)[]>;
  /** Resolves once they survive a crash. Those of the same id are replaced. */
  write(documents: readonly StoredDocument[]): Promise<void>;
  /** Writes one where there is none of its id, and so that `list` knows it from now on. */
  add(document: StoredDocument): Promise<void>;
  /** Writes one where there is none of its id, and tells whether it did. */
  create(document: StoredDocument): Promise<boolean>;
  /** Writes one where that of its id has this content, and tells whether it did. */
  replace(before: string, document: StoredDocument): Promise<boolean>;
  /** @param listed Whether `list` has to know that it is gone. */
  remove(id: string, listed?: boolean): Promise<void>;
  /** Removes all of which a label is this. */
  removeAll(label: string, value: string): Promise<void>;
  /** The labels of those one of whose labels begins so, each document once. */
  labels(
    label: string,
    prefix: string,
  ): AsyncIterable<{ id: string; labels: Record<string, string | undefined> }>;
  /** The contents of all that were added, sorted by labels. */
  list(sort: readonly Record<string, 'asc' | 'desc'>[]): Promise<string[]>;
}

/** What Elasticsearch takes in one request, where nobody set it to another size. */
const MOST_BYTES = 100_000_000;
/** In one request: about a megabyte, whatever comes first. */
const PAGE = 500;
const PAGE_CHARS = 1_000_000;

const source = z.object({ content: z.string() });
const error = z.object({ type: z.string().catch(''), reason: z.string().catch('') });
const readSchema = z.object({
  _source: source.optional(),
  _seq_no: z.number().optional(),
  _primary_term: z.number().optional(),
  error: error.optional(),
});
const writtenSchema = z.record(
  z.string(),
  z.object({ status: z.number(), error: error.optional() }),
);
const hitSchema = z.object({
  _id: z.string(),
  _source: z.record(z.string(), z.unknown()),
  sort: z.array(z.string()),
});
const labelsSchema = z.record(z.string(), z.string().optional());
interface Write {
  id: string;
  /** Undefined where it is deleted. */
  source?: string;
  /** Only where the document is still this one. */
  version?: { if_seq_no: number | undefined; if_primary_term: number | undefined };
}

/**
 * Opens the documents under an alias; it is made, with its index, if it is not there.
 *
 * @param labels The names of all labels that documents have had from the first version on.
 * @param later Those that came later, which an index of an earlier version lacks.
 * @throws Failure when Elasticsearch cannot be used.
 */
export async function openDocuments(
  connection: ElasticsearchConnection,
  alias: string,
  labels: readonly string[],
  later: readonly string[] = [],
): Promise<Documents> {
  await makeIndex(connection, alias, labels, later);

  /** Gives for each whether it was done; it was not where another write was before it. */
  async function bulk(
    action: 'index' | 'create' | 'delete',
    writes: readonly Write[],
    refresh = false,
  ): Promise<boolean[]> {
    const operations = writes.flatMap(({ id, version, source }) => [
      { [action]: { _id: id, ...version } },
      ...(source === undefined ? [] : [source]),
    ]);
    const answer = await connection
      .request((client, options) =>
        // An index that was deleted must not come back by itself, with fields as they happen to be.
        client.bulk({ index: alias, operations, require_alias: true, refresh }, options),
      )
      .catch((failure: unknown) => {
        if (failure instanceof Failure && neverFits(failure.message)) {
          throw tooLarge(failure.message);
        }
        throw failure;
      });
    return z
      .array(writtenSchema)
      .parse(answer.items)
      .map(({ [action]: item }) => {
        if (item === undefined || item.status < 300) return true;
        if (item.status === 409 || (action === 'delete' && !item.error)) return false;
        throw refused(item.status, item.error);
      });
  }

  const writeOf = (document: StoredDocument): Write => ({
    id: document.id,
    source: serialize(document, alias),
  });

  function refused(status: number, { type, reason }: z.output<typeof error> = noError): Failure {
    const fail = (name: FailureType, what: string) =>
      new Failure(
        name,
        `Elasticsearch at ${connection.address} ${what} It said: ${reason || type}`,
      );
    if (neverFits(reason)) return tooLarge(reason);
    if (type === 'index_not_found_exception') {
      return fail('UnknownCorpus', `no longer has ${alias}: a worker makes it when it starts.`);
    }
    if (status === 429 || status >= 500) return fail('Overloaded', 'is overloaded.');
    return fail('BadRequest', `refused a document for ${alias}.`);
  }

  function tooLarge(said: string): Failure {
    return new Failure(
      'BadInput',
      `A document for ${alias} is too large for the memory of Elasticsearch at ${connection.address}. Give it a larger heap, or use a folder (DURABLE_RAG_RESULTS). It said: ${said}`,
    );
  }

  return {
    async read(ids) {
      const { docs } = await connection.request((client, options) =>
        client.mget({ index: alias, ids: [...ids] }, options),
      );
      return z
        .array(readSchema)
        .parse(docs)
        .map(({ _source, error }) => {
          // Here an error has no status: all but a missing index are shards that do not answer.
          if (error) throw refused(503, error);
          return _source?.content;
        });
    },
    async write(documents) {
      for (const page of pages(documents)) await bulk('index', page.map(writeOf));
    },
    async add(document) {
      await bulk('create', [writeOf(document)], true);
    },
    async create(document) {
      return (await bulk('create', [writeOf(document)])).every(Boolean);
    },
    async replace(before, document) {
      for (;;) {
        const { docs } = await connection.request((client, options) =>
          client.mget({ index: alias, ids: [document.id] }, options),
        );
        const [found] = z.array(readSchema).parse(docs);
        if (found?.error) throw refused(503, found.error);
        if (found?._source?.content !== before) return false;
        const version = { if_seq_no: found._seq_no, if_primary_term: found._primary_term };
        const [done] = await bulk('index', [{ ...writeOf(document), version }]);
        // Another write came in between; it may have left the same content.
        if (done) return true;
      }
    },
    async remove(id, listed = false) {
      await bulk('delete', [{ id }], listed);
    },
    async removeAll(label, value) {
      await refresh();
      // Those of a page are no longer found when they are gone: the next page is the first again.
      for (;;) {
        const query = { term: { [label]: { value } } };
        const page = { ...{ index: alias, size: PAGE, query }, _source: false };
        const found = await connection.request((client, options) => client.search(page, options));
        const ids = found.hits.hits.flatMap(({ _id }) => (_id === undefined ? [] : [{ id: _id }]));
        if (ids.length === 0) return;
        await bulk('delete', ids, true);
      }
    },
    async *labels(label, prefix) {
      await refresh();
      const query = { prefix: { [label]: { value: prefix } } };
      const found = search([{ [label]: 'asc' }], { query, _source: [...labels, ...later] });
      for await (const { _id, _source } of found) {
        yield { id: _id, labels: labelsSchema.parse(_source) };
      }
    },

    async list(sort) {
      const contents: string[] = [];
      for await (const { _source } of search(sort, { _source: ['content'] })) {
        contents.push(source.parse(_source).content);
      }
      return contents;
    },
  };

  /** From then on searches find what was written. */
  async function refresh(): Promise<void> {
    await connection.request((client, options) =>
      client.indices.refresh({ index: alias }, options),
    );
  }

  /** What fits, page by page. */
  async function* search(
    sort: readonly Record<string, 'asc' | 'desc'>[],
    request: { _source: string[]; query?: { prefix: Record<string, { value: string }> } },
  ) {
    for (let after: string[] | undefined; ; ) {
      const page = {
        ...{ index: alias, size: PAGE, sort: [...sort], ...request },
        ...(after && { search_after: after }),
        allow_partial_search_results: false,
      };
      const answer = await connection.request((client, options) => client.search(page, options));
      const hits = z.array(hitSchema).parse(answer.hits.hits);
      yield* hits;
      if (hits.length < PAGE) return;
      after = hits.at(-1)?.sort;
    }
  }
}

const noError = { type: '', reason: '' };

function* pages(documents: readonly StoredDocument[]): Generator<StoredDocument[]> {
  let page: StoredDocument[] = [];
  let chars = 0;
  for (const document of documents) {
    page.push(document);
    chars += document.content.length;
    if (page.length < PAGE && chars < PAGE_CHARS) continue;
    yield page;
    page = [];
    chars = 0;
  }
  if (page.length > 0) yield page;
}

/** Whether a request was refused that alone is more than the server ever has room for. */
function neverFits(said: string): boolean {
  const sizes = /(primary|coordinating)_operation_bytes=(\d+), max_\1_bytes=(\d+)/.exec(said);
  return sizes !== null && Number(sizes[2]) > Number(sizes[3]);
}

/** @throws Failure BadInput for one that is too large. */
function serialize({ labels, content }: StoredDocument, alias: string): string {
  const text = JSON.stringify({ ...labels, content });
  const bytes = Buffer.byteLength(text);
  if (bytes <= MOST_BYTES) return text;
  throw new Failure(
    'BadInput',
    `A document for ${alias} in Elasticsearch has ${Math.ceil(bytes / 1e6)} MB, and may have ${MOST_BYTES / 1e6}: ${JSON.stringify(labels)}. A folder (DURABLE_RAG_RESULTS) takes any size.`,
  );
}
