/** Where a worker serves its health and metrics. Pure. */
import { Failure } from '../../core/failure.js';

/** The variable behind `durable-rag worker --http`. */
export const HTTP_ADDRESS = 'DURABLE_RAG_HTTP';

export interface HttpAddress {
  host: string;
  port: number;
}

const LARGEST_PORT = 65_535;

/**
 * Reads "9464", which is of this machine alone, "0.0.0.0:9464" or "[::]:9464"; undefined where
 * nothing is set. Port 0 is any that is free.
 *
 * @throws Failure BadInput.
 */
export function httpAddress(text: string | undefined): HttpAddress | undefined {
  if (text === undefined || text === '') return undefined;
  const [, bracketed, name, digits] =
    /^(?:\[([\da-f:.]+)\]:|([^\s:/[\]]+):)?(\d+)$/i.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > LARGEST_PORT) {
    throw new Failure(
      'BadInput',
      `${HTTP_ADDRESS} (--http) must be a port, or a host and a port such as 0.0.0.0:9464, and is "${text}".`,
    );
  }
  return { host: bracketed ?? name ?? '127.0.0.1', port };
}
