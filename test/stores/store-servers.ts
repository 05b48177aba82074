/** The servers that can be a store. */
import { GET } from '../support/is-here.js';
import { findPostgres, findRedis, startPostgres, startRedis } from './servers.js';
import { emptyPostgres, emptyRedis, postgresTakesWrites, redisTakesWrites } from './take-writes.js';

export const STORE_SERVERS = [
  {
    name: 'Redis',
    scheme: 'redis',
    found: findRedis(),
    get: GET.redis,
    start: startRedis,
    takeWrites: redisTakesWrites,
    empty: emptyRedis,
  },
  {
    name: 'PostgreSQL',
    scheme: 'postgres',
    found: findPostgres(),
    get: GET.postgres,
    start: (bin: string) => startPostgres(bin),
    takeWrites: postgresTakesWrites,
    empty: emptyPostgres,
  },
];
