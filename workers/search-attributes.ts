import type { Connection } from '@temporalio/client';
import { messageOf } from '../core/failure.js';
import { SEARCH_ATTRIBUTES } from '../workflows/search-attributes.js';

/** A client's connection or a worker's. */
type OperatorConnection = Pick<Connection, 'operatorService'>;

/** Value of `temporal.api.enums.v1.IndexedValueType`; the client package re-exports no enums. */
const KEYWORD = 2;
/** Maximum number of checks until registered attributes are visible to all parts of the server. */
const SETTLE_TRIES = 50;
/**
 * Maximum number of checks after a refusal: attributes that another worker has just registered are
 * visible soon.
 */
const REFUSED_TRIES = 20;
const SETTLE_EVERY_MS = 100;

/**
 * Registers those of our search attributes that a namespace lacks, and waits until they are
 * visible. Returns undefined if all exist now; otherwise the reason, as a text. Never throws.
 *
 * A dev server registers those of its command line only when it creates its database, so this is
 * needed after every start.
 */
export async function registerSearchAttributes(
  connection: OperatorConnection,
  namespace: string,
): Promise<string | undefined> {
  try {
    const missing = await missingAttributes(connection, namespace);
    if (missing.length === 0) return undefined;
    // Another worker that starts now adds them as well, and the server accepts one of both.
    const refusal = await connection.operatorService
      .addSearchAttributes({
        namespace,
        searchAttributes: Object.fromEntries(missing.map((name) => [name, KEYWORD])),
      })
      .then(() => undefined, messageOf);
    const tries = refusal === undefined ? SETTLE_TRIES : REFUSED_TRIES;
    for (let attempt = 0; attempt < tries; attempt++) {
      if ((await missingAttributes(connection, namespace)).length === 0) return undefined;
      await new Promise((done) => setTimeout(done, SETTLE_EVERY_MS));
    }
    return refusal ?? 'the server accepted them but does not list them';
  } catch (error) {
    return messageOf(error);
  }
}

async function missingAttributes(
  connection: OperatorConnection,
  namespace: string,
): Promise<string[]> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  return SEARCH_ATTRIBUTES.filter((name) => customAttributes?.[name] === undefined);
}
