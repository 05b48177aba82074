/** Runs once before all tests: a door behind which an Elasticsearch starts when a test first asks. */
import { createServer } from 'node:http';
import type { TestProject } from 'vitest/node';
import { SetupError } from '../../temporal-dev/setup-error.js';
import { type ElasticsearchNode, startElasticsearchNode } from './elasticsearch-node.js';
import { forAll, WITH_USERS } from './elasticsearch-users.js';
import { listening } from './listening.js';

declare module 'vitest' {
  export interface ProvidedContext {
    elasticsearchDoor: string;
  }
}

/** What the door answers. */
export type ElasticsearchAnswer = { url: string } | { missing: string };

/** Most test runs need no Elasticsearch, and starting one takes half a minute. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let starting: Promise<ElasticsearchNode> | undefined;
  const door = createServer((_, response) => {
    starting ??= startElasticsearchNode(WITH_USERS);
    starting
      .then(
        ({ url }): ElasticsearchAnswer => ({ url: forAll(url) }),
        (error: unknown): ElasticsearchAnswer => {
          if (!(error instanceof SetupError)) throw error;
          return { missing: error.message };
        },
      )
      .then((answer) => response.end(JSON.stringify(answer)))
      .catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  const { address, close } = await listening(door);
  project.provide('elasticsearchDoor', `http://${address}`);
  return async () => {
    await close();
    const node = await starting?.catch(() => undefined);
    await node?.remove();
  };
}
