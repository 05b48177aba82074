/** Makes the plugin from options and the environment. */

import type { ConnectionLike } from '@temporalio/client';
import type { WorkerPlugin } from '@temporalio/worker';
import { withSteps } from '../interpreters/find-own-steps.js';
import { ENCRYPTION_KEYS, readKeyring } from '../stores/encryption/keyring.js';
import { codecsOf } from '../stores/encryption/payload-codec.js';
import { homeFolder, makePrivateFolder } from '../stores/home.js';
import { parseStoreUrl } from '../stores/store-url.js';
import { buildPorts } from './build-ports.js';
import { readConfig, type WorkerConfig } from './config.js';
import { announceStores } from './join-queue.js';
import { metricsObserver } from './observe/meter.js';
import { joinInterceptors, observerInterceptors } from './observe/observing.js';
import { DurableRagPlugin } from './plugin.js';
import { registerSearchAttributes } from './search-attributes.js';
import type { DurableRagOptions } from './worker-options.js';
import {
  buildIdOf,
  bundleWorkflows,
  ENCODED_FAILURES,
  givenBundle,
  workflowBundle,
} from './workflow-bundle.js';

/**
 * Returns a plugin that adds the workflows, activities, data converter and interceptors of all
 * methods to your worker. The worker's task queue takes the questions. The plugin runs further
 * workers beside it, for searches and for model calls; the latter use the queue of the same name
 * with `-llm` appended. If `only` or DURABLE_RAG_ONLY names roles, only workers of these run.
 *
 * It must be the last plugin. It is for one worker, and closes everything that it has opened when
 * that worker ends.
 *
 * @throws Failure BadInput at once for bad encryption keys; when the worker is made, a Failure that
 * names the variable to change if a part cannot be used.
 * @example
 * const worker = await Worker.create({
 *   connection,
 *   taskQueue: 'durable-rag',
 *   plugins: [durableRag({ model: myModel, defaultModel: 'mine-1' })],
 * });
 * await worker.run();
 */
export function durableRag(options: DurableRagOptions = {}): WorkerPlugin {
  return createPlugin(options).plugin;
}

/**
 * Returns the plugin of `durableRag` as `plugin`, with two functions: `probeStore` tests whether
 * its store can be written to, and `buildId` returns the build id of its workflows.
 */
export function createPlugin(options: DurableRagOptions) {
  let probeStore = () => Promise.reject<void>(new Error('The worker has not been made.'));
  const {
    env = process.env,
    workflowBundle: given,
    codec,
    interceptors,
    only,
    versioned,
    warn = console.warn,
    ...own
  } = options;
  const { methods = [] } = own;
  const codecs = codecsOf(codec, readKeyring(own.encryptionKeys ?? env[ENCRYPTION_KEYS]));
  const bundle = async () => {
    const beside = { encoded: codecs !== undefined, interceptors: interceptors?.workflowModules };
    if (given !== undefined) return givenBundle(given, beside);
    const isOurs = methods.length === 0 && !codecs && !beside.interceptors;
    return isOurs ? workflowBundle(warn) : bundleWorkflows({ methods, ...beside });
  };
  const plugin = new DurableRagPlugin({
    ...(codecs && {
      dataConverter: { payloadCodecs: codecs, failureConverterPath: ENCODED_FAILURES },
    }),
    interceptors: joinInterceptors(observerInterceptors(metricsObserver), interceptors),
    warn,
    bundle,
    async open({ connection, namespace, taskQueue }) {
      const parts = await withSteps(own);
      const config = { ...readConfig(env, parts), taskQueue };
      // Data kept elsewhere needs no home folder; if one is needed, its users report errors.
      const home = homeFolder(env);
      for (const folder of [home, ...keptIn(config, own)]) {
        await makePrivateFolder(folder, home, warn).catch(() => {});
      }
      const scope = await namespaceId(connection, namespace);
      const { ports, stores, close } = await buildPorts(config, parts, scope);
      probeStore = () => ports.responses.probe();
      const queue = { connection, namespace, taskQueue };
      const leave = await announceStores(queue, stores, warn).catch(async (error: unknown) => {
        await close();
        throw error;
      });
      const trouble = await registerSearchAttributes(connection, namespace);
      if (trouble !== undefined) {
        warn(
          `The search attributes could not be registered: ${trouble}. Questions carry none; everything else works.`,
        );
      }
      return {
        ports: { ...ports, searchAttributes: trouble === undefined },
        concurrency: config.concurrency,
        roles: only ?? config.roles,
        versioned: versioned ?? config.versioned,
        graceSeconds: config.graceSeconds,
        async close() {
          leave();
          await close();
        },
      };
    },
  });
  return {
    plugin,
    /** Rejects if no response could be stored, and before the worker is made. */
    probeStore: () => probeStore(),
    buildId: async () => buildIdOf(await bundle()),
  };
}

/** Returns the paths of the store and the results, as far as they are folders. */
function keptIn(
  { storeUrl, results }: Pick<WorkerConfig, 'results' | 'storeUrl'>,
  own: Pick<DurableRagOptions, 'results' | 'store'>,
): string[] {
  const store = own.store ? undefined : parseStoreUrl(storeUrl);
  return [
    ...(store?.kind === 'folder' ? [store.path] : []),
    ...(own.results === undefined && results.kind === 'folder' ? [results.path] : []),
  ];
}

/** Returns the id of the namespace; its name if the server does not return an id. */
async function namespaceId(connection: ConnectionLike, namespace: string): Promise<string> {
  try {
    const { namespaceInfo } = await connection.workflowService.describeNamespace({ namespace });
    return namespaceInfo?.id || namespace;
  } catch {
    // The worker may lack the right to ask; then namespaces of the same name share.
    return namespace;
  }
}
