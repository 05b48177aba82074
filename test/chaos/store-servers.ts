/** The servers that responses can be kept in, and how to keep them from taking writes. */
import {
  findPostgres,
  findRedis,
  startPostgres,
  startRedis,
  type TestServer,
} from '../stores/servers.js';
import { postgresTakesWrites, redisTakesWrites, type TakeWrites } from '../stores/take-writes.js';

export interface StoreServer {
  /** Starts one, or says what there is to be installed. */
  start(): Promise<TestServer | string>;
  takeWrites: TakeWrites;
}

export const STORE_SERVERS: Record<string, StoreServer> = {
  Redis: {
    async start() {
      const binary = findRedis();
      return binary
        ? startRedis(binary, 'secret')
        : 'needs redis-server (apt install redis-server)';
    },
    takeWrites: redisTakesWrites,
  },
  PostgreSQL: {
    async start() {
      const bin = findPostgres();
      return bin ? startPostgres(bin, 'secret') : 'needs PostgreSQL (apt install postgresql)';
    },
    takeWrites: postgresTakesWrites,
  },
};
