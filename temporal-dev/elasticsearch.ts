/** The Elasticsearch of the local stack: the one configured, the one running, or one started here. */
import { join } from 'node:path';
import { portSetting } from '../stores/port-setting.js';
import { LOCAL_ELASTICSEARCH_PORT } from '../workers/search-config.js';
import { ELASTICSEARCH } from './artifacts.js';
import type { Child } from './child.js';
import {
  answersAsElasticsearch,
  obtainElasticsearch,
  startElasticsearchServer,
} from './elasticsearch-server.js';
import type { FetchContext } from './fetch.js';
import { letIn, ordinaryPlace } from './ordinary-user.js';
import { portAnswers } from './ports.js';
import { SetupError } from './setup-error.js';

export interface LocalElasticsearch {
  /** Whether this process started it, and so stops it. */
  started: boolean;
  stop(): Promise<void>;
  /** Set when started here. */
  exited?: Child['exited'];
  lastLines?: Child['lastLines'];
}

/** For where no Elasticsearch is needed. */
export const noElasticsearch: LocalElasticsearch = { started: false, stop: async () => {} };

/**
 * An Elasticsearch to work with, in this order: what the environment configures (which is looked
 * at by whoever opens it), one that already answers on the port, or one started here.
 *
 * @throws {SetupError} when the port belongs to something else or no server could be had.
 */
export async function findElasticsearch(context: FetchContext): Promise<LocalElasticsearch> {
  const { env, home, reporter, signal } = context;
  if (env.ELASTICSEARCH_URL || env.ELASTICSEARCH_CLOUD_ID) return noElasticsearch;
  const port = portSetting(env, 'DURABLE_RAG_ELASTICSEARCH_PORT', LOCAL_ELASTICSEARCH_PORT);
  const url = `http://127.0.0.1:${port}`;
  if (await portAnswers(port)) {
    if (!(await answersAsElasticsearch(url))) {
      throw new SetupError(
        `Port ${port} is in use by something that is not Elasticsearch. Stop it, or set ` +
          'DURABLE_RAG_ELASTICSEARCH_PORT to a free port, or ELASTICSEARCH_URL to your server.',
      );
    }
    reporter.part('Elasticsearch', `${url} (was already running)`);
    return noElasticsearch;
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
  reporter.part('Elasticsearch', `${url}, ${server.version} on Java ${parts.java.version}${where}`);
  const { stop, exited, lastLines } = server;
  return { started: true, stop, exited, lastLines };
}
