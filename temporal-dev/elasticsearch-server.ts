/** Starts a single Elasticsearch node and waits until it serves. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ELASTICSEARCH } from './artifacts.js';
import type { Child, User } from './child.js';
import { startServing } from './child.js';
import { installEnglishAnalyzer } from './elasticsearch-english.js';
import { type FetchContext, obtainArtifact } from './fetch.js';
import { stdoutOf } from './find-program.js';
import { type Java, obtainJava } from './java.js';

/** Longest wait until the server is ready; it takes half a minute on an idle machine. */
const READY_TIMEOUT_MS = 240_000;
const ANSWER_TIMEOUT_MS = 5_000;

/** Port, folders and settings of an Elasticsearch node. */
export interface ElasticsearchServerOptions {
  port: number;
  /** Folder of its data and settings, used by one server at a time. */
  folder: string;
  logFile: string;
  /** User to run it as; see `unprivilegedPlace`. */
  user?: User | undefined;
  /** Options of Java for heap and compiler. @default a heap of 1 GiB */
  java?: readonly string[];
  /** Additional lines for elasticsearch.yml. @default security is off */
  settings?: readonly string[];
  /** Further files in its configuration folder. */
  files?: Record<string, string>;
}

/** A running Elasticsearch node: its process and its URL. */
export interface ElasticsearchServer extends Child {
  url: string;
}

/**
 * Returns the folder of the pinned Elasticsearch distribution, with its English analyzer
 * (`distribution`), and a Java installation that runs it (`java`). Downloads what is missing.
 *
 * @throws {SetupError} that names what could not be downloaded or compiled.
 */
export async function obtainElasticsearch(context: FetchContext) {
  const java = await obtainJava(context);
  const distribution = dirname(dirname(await obtainArtifact(ELASTICSEARCH, context)));
  await installEnglishAnalyzer(distribution, java, context);
  return { distribution, java };
}

/**
 * Starts an Elasticsearch node on 127.0.0.1, and returns it once it is ready.
 *
 * @throws {SetupError} with the last lines of its log if it does not become ready.
 */
export async function startElasticsearchServer(
  { distribution, java }: Awaited<ReturnType<typeof obtainElasticsearch>>,
  options: ElasticsearchServerOptions,
  { env, signal }: Pick<FetchContext, 'env' | 'signal'>,
): Promise<ElasticsearchServer> {
  const { port, folder, logFile, user } = options;
  signal?.throwIfAborted();
  const config = await writeConfiguration(options, java);
  for (const name of ['', 'config', 'data', 'logs', 'tmp']) {
    await mkdir(join(folder, name), { recursive: true, mode: 0o700 });
  }
  if (user !== undefined) await stdoutOf('chown', ['-RP', `${user.uid}:${user.gid}`, folder]);
  const url = `http://127.0.0.1:${port}`;
  const child = await startServing({
    name: 'Elasticsearch',
    command: '/bin/bash',
    args: [join(distribution, 'bin', 'elasticsearch')],
    user,
    // Without our keys, and without Java settings for other programs.
    env: {
      PATH: env.PATH,
      ES_JAVA_HOME: java.home,
      ES_PATH_CONF: config,
      ES_TMPDIR: join(folder, 'tmp'),
    },
    logFile,
    timeoutMs: READY_TIMEOUT_MS,
    signal,
    isReady: () => answersAsElasticsearch(url),
  });
  return Object.assign(child, { url });
}

/** Writes the node's configuration files, and returns their folder. */
async function writeConfiguration(
  {
    port,
    folder,
    java = ['-Xms1g', '-Xmx1g'],
    settings = [],
    files = {},
  }: ElasticsearchServerOptions,
  { vectors }: Java,
): Promise<string> {
  const config = join(folder, 'config');
  const main = [
    'cluster.name: durable-rag',
    'node.name: durable-rag',
    'network.host: 127.0.0.1',
    `http.port: ${port}`,
    'transport.port: 0',
    'discovery.type: single-node',
    `path.data: ${JSON.stringify(join(folder, 'data'))}`,
    `path.logs: ${JSON.stringify(join(folder, 'logs'))}`,
    'action.auto_create_index: false',
    // Otherwise it would take no documents on a disk that is 90 % full, as those of laptops often are.
    'cluster.routing.allocation.disk.threshold_enabled: false',
    ...(settings.length > 0 ? settings : ['xpack.security.enabled: false']),
  ];
  const javaOptions = [
    ...java,
    '-XX:+ExitOnOutOfMemoryError',
    `-Djava.io.tmpdir=${join(folder, 'tmp')}`,
    ...(vectors ? ['--add-modules=jdk.incubator.vector'] : []),
  ];
  const lines = (all: readonly string[]) => all.map((line) => `${line}\n`).join('');
  const contents = {
    'elasticsearch.yml': lines(main),
    'jvm.options': lines(javaOptions),
    'log4j2.properties': LOGGING,
    ...files,
  };
  await mkdir(config, { recursive: true });
  for (const [name, content] of Object.entries(contents)) {
    await writeFile(join(config, name), content);
  }
  return config;
}

/** Logging configuration: standard output only, which is our log file. */
const LOGGING = `status = error
appender.console.type = Console
appender.console.name = console
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = [%d{ISO8601}][%-5p] %m%n
rootLogger.level = info
rootLogger.appenderRef.console.ref = console
`;

/**
 * Returns whether an Elasticsearch that is ready answers at a URL; true also if it asks for a
 * password. Never rejects.
 */
export async function answersAsElasticsearch(url: string): Promise<boolean> {
  try {
    const health = `${url}/_cluster/health?wait_for_status=yellow&timeout=1s`;
    const answer = await fetch(health, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
    await answer.body?.cancel();
    if (answer.status === 401) {
      return /ApiKey|realm="security"/.test(answer.headers.get('www-authenticate') ?? '');
    }
    return answer.ok && answer.headers.get('x-elastic-product') === 'Elasticsearch';
  } catch {
    return false;
  }
}
