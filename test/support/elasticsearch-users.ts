/** Who is known to the Elasticsearch of the test run. */
import { pbkdf2Sync } from 'node:crypto';
import type { ElasticsearchServerOptions } from '../../temporal-dev/elasticsearch-server.js';

/** What the documentation says that searching and indexing need. */
const ROLES = `reader:
  indices:
    - names: ['birds*']
      privileges: ['read', 'view_index_metadata']
indexer:
  indices:
    - names: ['birds*']
      privileges: ['read', 'create_index', 'index', 'manage']
`;

export const passwordOf = (user: string) => `password-of-${user}`;

/** An address, for who may do everything. */
export function forAll(url: string): string {
  return url.replace('//', `//all:${passwordOf('all')}@`);
}

/** As `elasticsearch-users` writes it. */
function hashed(user: string): string {
  const salt = Buffer.alloc(32, user);
  const hash = pbkdf2Sync(passwordOf(user), salt, 10_000, 32, 'sha512');
  return `${user}:{PBKDF2}10000$${salt.toString('base64')}$${hash.toString('base64')}\n`;
}

export const WITH_USERS: Pick<ElasticsearchServerOptions, 'settings' | 'files'> = {
  settings: [
    'xpack.security.enabled: true',
    'xpack.security.autoconfiguration.enabled: false',
    'xpack.security.http.ssl.enabled: false',
  ],
  files: {
    users: ['all', 'ina', 'rea'].map(hashed).join(''),
    users_roles: 'superuser:all\nindexer:ina\nreader:rea\n',
    'roles.yml': ROLES,
  },
};
