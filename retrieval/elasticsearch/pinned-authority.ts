import { isIP } from 'node:net';
import { connect, type DetailedPeerCertificate } from 'node:tls';

/**
 * Reads a server's certificates and returns the one with this fingerprint, in PEM. This proves
 * nothing yet, since certificates are public. Only a connection with this certificate as its single
 * authority proves that it signed the server's own.
 *
 * @param url Address of the server, https.
 * @param fingerprint SHA-256 in hexadecimal digits, with or without colons.
 * @throws Error that says why there is none.
 */
export async function pinnedAuthority(
  url: URL,
  fingerprint: string,
  timeoutMs: number,
): Promise<string> {
  const wanted = hexOf(fingerprint);
  for (const certificate of await certificatesOf(url, timeoutMs)) {
    if (hexOf(certificate.fingerprint256) === wanted) return toPem(certificate.raw);
  }
  throw new Error('none of the certificates that it sends has the fingerprint');
}

function certificatesOf(url: URL, timeoutMs: number): Promise<DetailedPeerCertificate[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port: Number(url.port || 443),
      ...(isIP(host) ? {} : { servername: host }),
      rejectUnauthorized: false,
      timeout: timeoutMs,
    });
    socket.once('secureConnect', () => {
      resolve(chainOf(socket.getPeerCertificate(true)));
      socket.destroy();
    });
    socket.once('timeout', () => {
      reject(new Error('it did not answer in time'));
      socket.destroy();
    });
    socket.once('error', reject);
  });
}

/**
 * Returns the chain from the server's own certificate upwards; the last one is self-signed, or its
 * issuer was not sent.
 */
function chainOf(own: DetailedPeerCertificate): DetailedPeerCertificate[] {
  const chain = new Set<DetailedPeerCertificate>();
  let next: DetailedPeerCertificate | undefined = own;
  while (next?.raw !== undefined && !chain.has(next)) {
    chain.add(next);
    next = next.issuerCertificate;
  }
  return [...chain];
}

function hexOf(fingerprint: string): string {
  return fingerprint.replaceAll(':', '').toLowerCase();
}

function toPem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
