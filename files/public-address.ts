/**
 * Distinguishes private network addresses from public ones, so that no redirect leads into a
 * private network.
 */
import { lookup as resolve } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { AddressRefused } from './download.js';

const PRIVATE = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  PRIVATE.addSubnet(network, bits, 'ipv4');
}
for (const [network, bits] of [
  ['::', 127],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  PRIVATE.addSubnet(network, bits, 'ipv6');
}

/**
 * Returns whether an IP address is a loopback, private or otherwise non-public address; false for a
 * host name.
 */
export function isPrivate(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && PRIVATE.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

/**
 * A guard of one download, which refuses redirects that lead to a private address, from https to
 * another protocol, or to a protocol other than http and https. The addresses of the host that the
 * user named are allowed, even if they are private.
 */
export class RedirectGuard {
  readonly #named: string;
  readonly #own = new Set<string>();

  /** @param named The host that the user named. */
  constructor(named: string) {
    this.#named = hostOf(named);
    if (isIP(this.#named) !== 0) this.#own.add(this.#named);
  }

  /**
   * Checks the target of a redirect. Host names are checked later, by `lookup`.
   *
   * @throws AddressRefused for a literal private address, for http after https, and for another
   * protocol than these.
   */
  async check(to: URL, wasSecure: boolean): Promise<void> {
    if (to.protocol !== 'https:' && (wasSecure || to.protocol !== 'http:')) {
      throw new AddressRefused(`it redirects to ${to.protocol}//${to.host}, which is not https`);
    }
    const host = hostOf(to.hostname);
    if (isIP(host) !== 0) this.#refuse(host, host);
  }

  /**
   * Resolves a host name like `dns.lookup`, but fails with AddressRefused for a private address,
   * unless the host is the named one or shares its address.
   */
  readonly lookup: LookupFunction = (host, options, done) => {
    resolve(host, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '');
      try {
        for (const { address } of found) {
          if (host === this.#named) this.#own.add(address);
          else this.#refuse(host, address);
        }
      } catch (refusal) {
        return done(refusal as Error, '');
      }
      const [first] = found;
      return options.all ? done(null, found) : done(null, first?.address ?? '', first?.family);
    });
  };

  #refuse(host: string, address: string): void {
    if (!isPrivate(address) || this.#own.has(address)) return;
    throw new AddressRefused(`it redirects to ${host}, an address of a private network`);
  }
}

/** Returns a host without the brackets that URLs put around IPv6 addresses. */
function hostOf(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}
