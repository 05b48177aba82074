/** The host and port at which a server listens. */
export interface HttpAddress {
  host: string;
  port: number;
}

const LARGEST_PORT = 65_535;

/**
 * Parses an address to listen at: a port ("9464", on this machine only), or a host and a port
 * ("0.0.0.0:9464", "[::]:9464"). Returns its `host` and `port`; undefined for any other text, and
 * for a port above 65535. Port 0 means any free port.
 */
export function httpAddress(text: string): HttpAddress | undefined {
  const [, bracketed, name, digits] =
    /^(?:\[([\da-f:.]+)\]:|([^\s:/[\]]+):)?(\d+)$/i.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > LARGEST_PORT) return undefined;
  return { host: bracketed ?? name ?? '127.0.0.1', port };
}
