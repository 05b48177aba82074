/**
 * Runs once before all tests: a server that makes what test files share when one first asks for it.
 * Most test runs need none of it, and each part takes seconds to make.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { packageRoot } from '../../stores/package-root.js';
import { SetupError } from '../../temporal-dev/setup-error.js';
import { type Packed, pack } from '../package/packed.js';
import { forAll, startElasticsearchNode, WITH_USERS } from './elasticsearch-node.js';
import { listening } from './listening.js';

declare module 'vitest' {
  export interface ProvidedContext {
    onDemand: string;
  }
}

/** What the server answers by path. */
export interface OnDemand {
  /** The address of a running Elasticsearch, or why there is none. */
  elasticsearch: { url: string } | { missing: string };
  /** This package as npm would publish it. */
  packed: Packed;
}

type Answer = OnDemand[keyof OnDemand];

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  /** What undoes the parts that were made, once the tests have ended. */
  const undone: (() => Promise<unknown>)[] = [];
  const makers: { [K in keyof OnDemand]: () => Promise<OnDemand[K]> } = {
    async elasticsearch() {
      try {
        const node = await startElasticsearchNode(WITH_USERS);
        undone.push(() => node.remove());
        return { url: forAll(node.url) };
      } catch (error) {
        if (!(error instanceof SetupError)) throw error;
        return { missing: error.message };
      }
    },
    async packed() {
      const into = await mkdtemp(join(tmpdir(), 'durable-rag-packed-'));
      undone.push(() => rm(into, { recursive: true, force: true }));
      return pack(packageRoot(), into);
    },
  };
  const made = new Map<string, Promise<Answer>>();
  const server = createServer((request, response) => {
    const name = (request.url ?? '').slice(1) as keyof OnDemand;
    const answer = made.get(name) ?? makers[name]();
    made.set(name, answer);
    answer
      .then((one) => response.end(JSON.stringify(one)))
      .catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  const { address, close } = await listening(server);
  project.provide('onDemand', `http://${address}`);
  return async () => {
    await close();
    await Promise.allSettled(made.values());
    for (const undo of undone) await undo();
  };
}
