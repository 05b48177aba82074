/** Backups of a site while it works, by the programs that its parts come with. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestServer } from '../stores/servers.js';
import type { ElasticsearchNode } from '../support/elasticsearch-node.js';
import { DATABASES } from './server-config.js';
import { onPostgres, STORE_DATABASE } from './site.js';

/** The places that backups go to, which outlive the site. */
export interface Backups {
  /** Of PostgreSQL's dumps. */
  dumps: string;
  /** Of Elasticsearch's snapshots, which runs as another user. */
  snapshots: string;
}

/** In this order: what a later one says is known to those after it. */
const TEMPORAL = [DATABASES.temporal, DATABASES.visibility];
const ALL = [...TEMPORAL, STORE_DATABASE];

/** Temporal, then the store with the results: nothing that Temporal says is done is missing. */
export async function backUp(
  { postgres, search }: { postgres: TestServer; search: ElasticsearchNode },
  { dumps, snapshots }: Backups,
  bin: string,
): Promise<void> {
  for (const database of ALL) {
    const from = new URL(database, postgres.url).href;
    await runProgram(bin, 'pg_dump', ['-Fc', '-f', join(dumps, database), from]);
  }
  await ask(search, 'PUT', '/_snapshot/backup', { type: 'fs', settings: { location: snapshots } });
  const body = { indices: '*', include_global_state: false };
  await ask(search, 'PUT', '/_snapshot/backup/one?wait_for_completion=true', body);
}

/** Into servers that have nothing yet. */
export async function restore(
  { postgres, search }: { postgres: TestServer; search: ElasticsearchNode },
  { dumps, snapshots }: Backups,
  bin: string,
): Promise<void> {
  for (const database of ALL) {
    await onPostgres(postgres.url, `CREATE DATABASE ${database}`);
    const into = new URL(database, postgres.url).href;
    await runProgram(bin, 'pg_restore', ['--exit-on-error', '-d', into, join(dumps, database)]);
  }
  await ask(search, 'PUT', '/_snapshot/backup', { type: 'fs', settings: { location: snapshots } });
  await ask(search, 'POST', '/_snapshot/backup/one/_restore?wait_for_completion=true', {});
}

/** One that PostgreSQL's folder has, or else the system's. */
async function runProgram(bin: string, name: string, args: string[]): Promise<void> {
  const inside = join(bin, name);
  await promisify(execFile)(existsSync(inside) ? inside : name, args);
}

async function ask({ url }: ElasticsearchNode, method: string, path: string, body: unknown) {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url + path, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
}
