import { z } from 'zod';
import { Failure } from '../../core/failure.js';
import { type Retrying, retryWithBackoff } from '../retry-with-backoff.js';
import { inBatches } from '../with-vectors.js';
import type { ElasticsearchConnection } from './connection.js';
import { named } from './failures.js';

/** A passage to be indexed. */
export interface DocumentRow {
  /** Line order in the corpus; breaks ties. */
  position: number;
  id: string;
  /** The id in the corpus file, if that of the row is another; see `CorpusEntry`. */
  document: string | undefined;
  title: string;
  /** The searched text: the title, a line break and the text. */
  body: string;
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

interface WriteOptions<T> extends Retrying {
  /** Base name of the corpus file, for messages. */
  source: string;
  /** Called with the last row up to which all are written. */
  onWritten(row: T): void;
}

/**
 * Writes rows under their ids, so that a row that is sent again replaces itself. Rows that the
 * server refuses for the moment are sent again.
 *
 * @throws Failure BadInput with the place of a document that the server refuses.
 */
export async function writeDocuments<T extends DocumentRow>(
  connection: ElasticsearchConnection,
  index: string,
  rows: AsyncIterable<T>,
  options: WriteOptions<T>,
): Promise<void> {
  const window: Promise<void>[] = [];
  let indexed: Promise<void> = Promise.resolve();
  try {
    for await (const batch of inBatches(rows, BATCH)) {
      options.signal.throwIfAborted();
      if (window.length === WINDOW) await window.shift();
      const written = writeBatch(connection, index, batch, options);
      indexed = Promise.all([indexed, written]).then(([, last]) => options.onWritten(last));
      // It is awaited later; until then a rejection must not count as unhandled.
      indexed.catch(() => {});
      window.push(indexed);
    }
    await indexed;
  } finally {
    await Promise.allSettled(window);
  }
}

/** Returns the last row. */
async function writeBatch<T extends DocumentRow>(
  connection: ElasticsearchConnection,
  index: string,
  batch: readonly T[],
  options: WriteOptions<T>,
): Promise<T> {
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
  const last = batch.at(-1);
  if (last === undefined) throw new Error('An empty batch was written.');
  return last;

  function failureOf(item: z.infer<typeof itemsSchema>[number]['index'], row: T): Failure {
    const { type = '', reason = '', caused_by } = item.error ?? {};
    const why = caused_by ? `${reason}: ${caused_by.reason}` : reason;
    const failure = named({ status: item.status, type, reason: why }, connection.address);
    if (item.status !== 400) return failure;
    return new Failure(
      'BadInput',
      `${options.source} ${row.place} (id ${row.id}) was refused by Elasticsearch: ${why || type}`,
    );
  }
}
