/** Maps the errors of a PostgreSQL server or its connection to failures. */

import { errorCodeOf, Failure, type FailureType, innermostMessage } from '../../core/failure.js';
import { scrub, scrubError } from '../../llm/scrub.js';
import { TimedOut } from '../../llm/with-timeout.js';

/**
 * The parts of an error message about a PostgreSQL table: the names of its server and table, and
 * the secret values that are removed from the message.
 */
export interface PostgresTable {
  /** "PostgreSQL at db.example:5432". */
  server: string;
  table: string;
  /** Values that must not appear in any text. */
  secrets: readonly string[];
}

/** Meanings by SQLSTATE or its beginning; the first match counts. */
const MEANINGS: readonly [RegExp, FailureType, string][] = [
  [/^28/, 'Authentication', 'does not let the user in. Check the url of the retriever'],
  [/^42501$/, 'Permission', 'does not let the user read the table'],
  [/^3D000$/, 'UnknownCorpus', 'has no such database. Check the url of the retriever'],
  [/^(42P01|3F000)$/, 'UnknownCorpus', 'has no such table. Check the table of the retriever'],
  [
    /^(42704|42883|0A000|58P01)$/,
    'Incompatible',
    'lacks what the search needs. Check the language; vectors need pgvector (CREATE EXTENSION vector)',
  ],
  [
    /^(42703|42804|42809)$/,
    'Incompatible',
    'has a table of other columns. Check the columns of the retriever',
  ],
  [/^22000$/, 'BadInput', 'has vectors of another model'],
  // In a look-up: the ids are not numbers, but the table's are.
  [/^22(P02|003)$/, 'UnknownPassage', 'has no passages with such ids'],
  [/^57014$/, 'Timeout', 'did not finish in time'],
  [/^(57P|08)/, 'Connection', 'went away'],
  [/^(53|55P03|40)/, 'Overloaded', 'is overloaded'],
];

/**
 * Returns the failure for any error of a PostgreSQL server or of the connection to it; a failure is
 * returned unchanged.
 */
export function postgresFailure(error: unknown, corpus: PostgresTable): Failure {
  if (error instanceof Failure) return error;
  const why = scrub(innermostMessage(error), corpus.secrets);
  const fail = (type: FailureType, what: string, retryable?: boolean) =>
    new Failure(type, `${corpus.server}, table ${corpus.table}: it ${what} (${why}).`, {
      cause: scrubError(error, corpus.secrets),
      retryable,
    });
  if (error instanceof TimedOut || /timeout/i.test(why))
    return fail('Timeout', 'did not answer in time');
  const [, type, what] = MEANINGS.find(([state]) => state.test(stateOf(error))) ?? [];
  if (type !== undefined && what !== undefined) return fail(type, what);
  // A retry meets the same certificate.
  if (/certificate|self.signed|\bSSL\b|\bTLS\b/i.test(why)) {
    return fail('Connection', 'is not trusted. Check the url of the retriever', false);
  }
  if (isOfConnection(error, why))
    return fail(
      'Connection',
      'cannot be reached. Check that it runs, and the url of the retriever',
    );
  return fail('Unexpected', 'failed');
}

/** Returns the SQLSTATE of a server's error; empty of any other. */
function stateOf(error: unknown): string {
  const code = errorCodeOf(error) ?? '';
  return /^[0-9A-Z]{5}$/.test(code) ? code : '';
}

/**
 * Returns whether an error is one of the connection. Errors of sockets have codes such as
 * ECONNREFUSED; the driver's own have only a text.
 */
function isOfConnection(error: unknown, why: string): boolean {
  const inner = error instanceof AggregateError ? error.errors[0] : error;
  return /^E[A-Z_]+$/.test(errorCodeOf(inner) ?? '') || /connection|not queryable/i.test(why);
}
