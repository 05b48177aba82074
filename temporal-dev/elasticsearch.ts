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
import { outputOf } from './find-program.js';
import { SetupError } from './setup-error.js';
import { portAnswers } from './tcp-ports.js';

/**
 * Finds an Elasticsearch: the one that the environment configures (checked when it is opened), one
 * that already answers on the port, or one started here, which is returned.
 *
 * @throws {SetupError} if the port belongs to something else or no server could be obtained.
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
  const place = await ordinaryPlace(home);
  const parts = await obtainElasticsearch({ ...context, home: place.home });
  await letIn(place);
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

/** Every system has it, and it owns nothing. */
const USER = 'nobody';
/** Folder for data of root that must not be in its home, which no one else may enter. */
const OPEN_HOME = '/var/lib/durable-rag';

interface OrdinaryPlace {
  /** The home, or another folder in its stead. */
  home: string;
  /** Undefined if this process is not root, so that it needs no other user. */
  user: User | undefined;
}

/** Returns the place and user for a program that refuses to run as root. */
export async function ordinaryPlace(home: string): Promise<OrdinaryPlace> {
  if (process.getuid?.() !== 0) return { home, user: undefined };
  const [uid, gid] = await Promise.all(['-u', '-g'].map((which) => outputOf('id', [which, USER])));
  return { home: OPEN_HOME, user: { uid: Number(uid), gid: Number(gid) } };
}

/**
 * Lets the user read the fetched programs in the home folder and write its data there; by default,
 * only root can access what root makes.
 */
async function letIn({ home, user }: OrdinaryPlace): Promise<void> {
  if (user === undefined) return;
  const data = join(home, 'elasticsearch');
  await mkdir(data, { recursive: true });
  await outputOf('chmod', ['-R', 'a+rX', join(home, 'artifacts')]);
  await outputOf('chmod', ['a+x', home, data]);
}
