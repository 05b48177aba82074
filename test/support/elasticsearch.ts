/** The Elasticsearch of the test run, started when the first test file asks for it. */
import { randomUUID } from 'node:crypto';
import { afterAll, expect, inject, test } from 'vitest';
import {
  connectElasticsearch,
  type ElasticsearchConnection,
} from '../../retrieval/elasticsearch/connection.js';
import type { ElasticsearchAnswer } from './elasticsearch-setup.js';

/**
 * The address of a running Elasticsearch, which all test files share: give indices names of their
 * own. Undefined where none can be had; then a skipped test says how to get one.
 */
export async function sharedElasticsearch(): Promise<string | undefined> {
  const response = await fetch(inject('elasticsearchDoor'));
  const answer = (await response.json()) as ElasticsearchAnswer;
  if ('url' in answer) return answer.url;
  // A skipped test must not look like a green one where the part is expected.
  test.runIf(process.env.CI === 'true')('is there', () => expect.fail(answer.missing));
  test.skip(`to run the tests of Elasticsearch: ${answer.missing}`, () => {});
  return undefined;
}

/** A connection that is closed when the test file ends. */
export async function elasticsearchConnection(url: string): Promise<ElasticsearchConnection> {
  const connection = await connectElasticsearch({ url });
  afterAll(() => connection.close());
  return connection;
}

/** A corpus name that no other test has. */
export function corpusName(base = 'test'): string {
  return `${base}.${randomUUID().slice(0, 8)}`;
}
