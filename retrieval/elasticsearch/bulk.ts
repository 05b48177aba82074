import { z } from 'zod';
import { forEachLimited } from '../../core/each-of.js';
import { Failure } from '../../core/failure.js';
import { type RetryOptions, retryWithBackoff } from '../retry-with-backoff.js';
import { inBatches } from '../with-vectors.js';
import type { ElasticsearchConnection } from './connection.js';
import { responseFailure } from './failures.js';

/** A passage of a corpus file in the form in which it is written to an Elasticsearch index. */
export interface DocumentRow {
  /** Position in the corpus file, from 0; breaks ties. */
  position: number;
  id: string;
  /** Id in the corpus file, if it differs; see `CorpusEntry`. */
  document: string | undefined;
  title: string;
  /** The searched text: the title, a line break and the text. */
  body: string;
  /** Vector of the body; only in an index with vectors. */
  vector?: number[];
  /** Place in the corpus file, for messages. */
  place: string;
}

/** The size of a request: a few megabytes. */
const BATCH = { rows: 2_000, chars: 4_000_000 };
/** Requests at a time: one is indexed while the next is read and sent. */
const WINDOW = 2;

const itemsSchema = z.array(
  z.object({
    index: z.object({
      status: z.number(),
      error: z
        .object({
          type: z.string(),
          reason: z.string().catch(''),
          caused_by: z.object({ reason: z.string() }).optional().catch(undefined),
        })
        .optional(),
    }),
  }),
);

interface WriteOptions extends RetryOptions {
  /** Base name of the corpus file, for messages. */
  source: string;
}

/**
 * Writes rows to an index as documents with the rows' ids, so that a row that is sent again
 * replaces itself. Rows that the server refuses temporarily are sent again.
 *
 * @throws Failure BadInput with the place of a document that the server refuses for good; another
 * failure of the server at once if a retry cannot help, otherwise after eight attempts; the
 * signal's reason if aborted.
 */
export async function writeDocuments(
  connection: ElasticsearchConnection,
  index: string,
  rows: AsyncIterable<DocumentRow>,
  options: WriteOptions,
): Promise<void> {
  const batches = inBatches(rows, BATCH);
  await forEachLimited(batches, WINDOW, async (batch) => {
    options.signal.throwIfAborted();
    await writeBatch(connection, index, batch, options);
  });
}

async function writeBatch(
  connection: ElasticsearchConnection,
  index: string,
  batch: readonly DocumentRow[],
  options: WriteOptions,
): Promise<void> {
  let left = batch;
  await retryWithBackoff(async () => {
    // Undefined fields are not sent.
    const operations = left.flatMap(({ id, position, document, title, body, vector }) => [
      { index: { _id: id } },
      { position, document, title, body, vector },
    ]);
    // Aborted requests need not be repeated.
    const answer = await connection.request((client) => client.bulk({ index, operations }));
    const refused = itemsSchema.parse(answer.items).flatMap(({ index: item }, k) => {
      const row = left[k];
      const written = item.status < 300;
      return written || row === undefined ? [] : [{ row, failure: failureOf(item, row) }];
    });
    // A document that is refused for good is reported first.
    const first = refused.find(({ failure }) => !failure.retryable) ?? refused[0];
    left = refused.map(({ row }) => row);
    if (first !== undefined) throw first.failure;
  }, options);

  function failureOf(
    item: z.infer<typeof itemsSchema>[number]['index'],
    row: DocumentRow,
  ): Failure {
    const { type = '', reason = '', caused_by } = item.error ?? {};
    const why = caused_by ? `${reason}: ${caused_by.reason}` : reason;
    const failure = responseFailure({ status: item.status, type, reason: why }, connection.address);
    if (item.status !== 400) return failure;
    return new Failure(
      'BadInput',
      `${options.source} ${row.place} (id ${row.id}) was refused by Elasticsearch: ${why || type}`,
    );
  }
}
