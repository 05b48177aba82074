/** Makes sure that questions can be found by method, data set, run and outcome. */
import type { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../methods/search-attributes.js';

/** A client's connection or a worker's. */
type OperatorConnection = Pick<Connection, 'operatorService'>;

/** `temporal.api.enums.v1.IndexedValueType`: the client package re-exports no enums. */
const KEYWORD = 2;
/** The server takes a moment until what it registered is there for all its parts. */
const SETTLE_TRIES = 50;
const SETTLE_EVERY_MS = 100;

/**
 * Registers the search attributes that a namespace lacks.
 *
 * A dev server registers those of its command line only when it creates its database, so this is
 * needed after every start too. Returns undefined when all are there, else why not.
 */
export async function registerSearchAttributes(
  connection: OperatorConnection,
  namespace: string,
): Promise<string | undefined> {
  try {
    const missing = await missingAttributes(connection, namespace);
    if (missing.length === 0) return undefined;
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(missing.map((name) => [name, KEYWORD])),
    });
    for (let attempt = 0; attempt < SETTLE_TRIES; attempt++) {
      if ((await missingAttributes(connection, namespace)).length === 0) return undefined;
      await new Promise((done) => setTimeout(done, SETTLE_EVERY_MS));
    }
    return 'the server accepted them but does not list them';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function missingAttributes(
  connection: OperatorConnection,
  namespace: string,
): Promise<string[]> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  return SEARCH_ATTRIBUTES.filter((name) => customAttributes?.[name] === undefined);
}
