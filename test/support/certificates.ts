/** Certificate authorities and server certificates for tests, made with openssl. */
import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A certificate with its key. */
export interface Certified {
  keyFile: string;
  certFile: string;
}

export const keyOf = ({ keyFile }: Certified): Buffer => readFileSync(keyFile);
export const certificateOf = ({ certFile }: Certified): string => readFileSync(certFile, 'utf8');
export const fingerprintOf = (one: Certified): string =>
  new X509Certificate(certificateOf(one)).fingerprint256;

const AUTHORITY = 'basicConstraints=critical,CA:TRUE';

/** Makes them in a folder. @param program The path of openssl. */
export function certificates(program: string, folder: string) {
  let made = 0;
  const run = (...args: string[]) => execFileSync(program, args, { stdio: 'pipe' });
  const next = (): Certified => {
    const base = join(folder, `certificate-${made++}`);
    return { keyFile: `${base}.key`, certFile: `${base}.pem` };
  };
  return {
    /** Signed by itself. @param names As subjectAltName has them. */
    authority(name: string, names?: string): Certified {
      const one = next();
      const files = ['-keyout', one.keyFile, '-out', one.certFile];
      const extensions = ['-subj', `/CN=${name}`];
      if (names !== undefined) extensions.push('-addext', `subjectAltName=${names}`);
      run('req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...files, ...extensions);
      return one;
    },
    /** @param names As subjectAltName has them, or "authority" for one that may sign others. */
    signedBy(issuer: Certified, name: string, names: string): Certified {
      const one = next();
      const [request, extensions] = [`${one.certFile}.csr`, `${one.certFile}.ext`];
      writeFileSync(extensions, names === 'authority' ? AUTHORITY : `subjectAltName=${names}`);
      const asked = ['-keyout', one.keyFile, '-out', request, '-subj', `/CN=${name}`];
      run('req', '-newkey', 'rsa:2048', '-nodes', ...asked);
      const signing = ['-CA', issuer.certFile, '-CAkey', issuer.keyFile, '-CAcreateserial'];
      const files = ['-in', request, '-out', one.certFile, '-extfile', extensions];
      run('x509', '-req', '-days', '2', ...files, ...signing);
      return one;
    },
  };
}
