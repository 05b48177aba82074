export interface HttpAddress {
  host: string;
  port: number;
}

const LARGEST_PORT = 65_535;

/**
 * Reads "9464", which is of this machine alone, "0.0.0.0:9464" or "[::]:9464"; undefined for what is
 * no address. Port 0 is any that is free.
 */
export function httpAddress(text: string): HttpAddress | undefined {
  const [, bracketed, name, digits] =
    /^(?:\[([\da-f:.]+)\]:|([^\s:/[\]]+):)?(\d+)$/i.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > LARGEST_PORT) return undefined;
  return { host: bracketed ?? name ?? '127.0.0.1', port };
}
