/** The Elasticsearch of the test run, started when the first test file asks for it. */
import { randomUUID } from 'node:crypto';
import { afterAll } from 'vitest';
import {
  connectElasticsearch,
  type ElasticsearchConnection,
} from '../../retrieval/elasticsearch/connection.js';
import { isHere } from './is-here.js';
import { onDemand } from './on-demand.js';

/**
 * The address of a running Elasticsearch, which all test files share: give indices names of their
 * own. Undefined where none can be had; then a skipped test says how to get one.
 */
export async function sharedElasticsearch(): Promise<string | undefined> {
  const answer = await onDemand('elasticsearch');
  if ('missing' in answer) isHere(undefined, answer.missing);
  return 'url' in answer ? answer.url : undefined;
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
