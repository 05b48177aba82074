import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setting } from '../core/settings.js';
import { ELASTICSEARCH } from './artifacts.js';
import type { Child, User } from './child.js';
import {
  answersAsElasticsearch,
  obtainElasticsearch,
  startElasticsearchServer,
} from './elasticsearch-server.js';
import type { FetchContext } from './fetch.js';
import { stdoutOf } from './find-program.js';
import { SetupError } from './setup-error.js';
import { portAnswers } from './tcp-ports.js';

/**
 * Makes sure that an Elasticsearch can be used: the configured one (not checked here), one that
 * already answers on the port, or one started here. Returns the server process if one was started,
 * otherwise undefined.
 *
 * @throws {SetupError} if another program uses the port, or if no server could be downloaded or
 * started.
 */
export async function findElasticsearch(context: FetchContext): Promise<Child | undefined> {
  const { env, home, reporter, signal } = context;
  if (env.ELASTICSEARCH_URL || env.ELASTICSEARCH_CLOUD_ID) return undefined;
  const port = setting(env, 'DURABLE_RAG_ELASTICSEARCH_PORT');
  const url = `http://127.0.0.1:${port}`;
  if (await portAnswers(port)) {
    if (!(await answersAsElasticsearch(url))) {
      throw new SetupError(
        `Port ${port} is in use by something that is not Elasticsearch. Stop it, or set ` +
          'DURABLE_RAG_ELASTICSEARCH_PORT to a free port, or ELASTICSEARCH_URL to your server.',
      );
    }
    reporter.part('Elasticsearch', `${url} (was already running)`);
    return undefined;
  }
  const place = await unprivilegedPlace(home);
  const parts = await obtainElasticsearch({ ...context, home: place.home });
  await grantAccess(place);
  const server = await startElasticsearchServer(
    parts,
    {
      port,
      // Data belongs to one server at a time, and a port has just one.
      folder: join(place.home, 'elasticsearch', `${ELASTICSEARCH.version}-port-${port}`),
      logFile: join(home, 'logs', `elasticsearch-${port}.log`),
      user: place.user,
    },
    { env, signal },
  );
  const where = place.home === home ? '' : `, its data in ${place.home}`;
  const running = `${ELASTICSEARCH.version} on Java ${parts.java.version}`;
  reporter.part('Elasticsearch', `${url}, ${running}${where}`);
  return server;
}

/** User to run as in place of root; it exists on every system and owns no files. */
const USER = 'nobody';
/** Folder in place of root's home, which other users cannot enter. */
const OPEN_HOME = '/var/lib/durable-rag';

/** The home folder and user for a program that refuses to run as root. */
interface UnprivilegedPlace {
  /** The home folder, or another folder in its place. */
  home: string;
  /** User to run as; undefined if this process is not root. */
  user: User | undefined;
}

/**
 * Returns the home folder (`home`) and the user (`user`, as ids) for a program that refuses to run
 * as root: the given home and undefined, or, if this process runs as root, another folder and the
 * user "nobody". Creates nothing.
 */
export async function unprivilegedPlace(home: string): Promise<UnprivilegedPlace> {
  if (process.getuid?.() !== 0) return { home, user: undefined };
  const [uid, gid] = await Promise.all(['-u', '-g'].map((which) => stdoutOf('id', [which, USER])));
  return { home: OPEN_HOME, user: { uid: Number(uid), gid: Number(gid) } };
}

/**
 * Gives the user access to the fetched programs and to its data folder, which root has created.
 */
async function grantAccess({ home, user }: UnprivilegedPlace): Promise<void> {
  if (user === undefined) return;
  const data = join(home, 'elasticsearch');
  await mkdir(data, { recursive: true });
  await stdoutOf('chmod', ['-R', 'a+rX', join(home, 'artifacts')]);
  await stdoutOf('chmod', ['a+x', home, data]);
}
