/** The host and port at which a server listens. */
export interface HttpAddress {
  host: string;
  port: number;
}

const LARGEST_PORT = 65_535;

/**
 * Parses an address to listen at: "9464" (this machine only), "0.0.0.0:9464" or "[::]:9464".
 * Returns undefined for any other text. Port 0 means any free port.
 */
export function httpAddress(text: string): HttpAddress | undefined {
  const [, bracketed, name, digits] =
    /^(?:\[([\da-f:.]+)\]:|([^\s:/[\]]+):)?(\d+)$/i.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > LARGEST_PORT) return undefined;
  return { host: bracketed ?? name ?? '127.0.0.1', port };
}
