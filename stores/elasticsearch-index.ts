/** The index of documents in Elasticsearch, and its alias. */
import { z } from 'zod';
import type { ElasticsearchConnection } from '../retrieval/elasticsearch/connection.js';

/** A keyword may have 32,766 bytes, at most 4 a character; of a longer one only the index is without. */
const LONGEST_LABEL = 8191;
/** The fields of an index, by the name it has behind the alias. */
const mappingSchema = z.record(
  z.string(),
  z.object({ mappings: z.object({ properties: z.record(z.string(), z.unknown()).default({}) }) }),
);

/**
 * Makes the index, or adds the labels that one of an earlier version lacks. Looked up first: both
 * need a right that reading and writing an index does not.
 */
export async function makeIndex(
  connection: ElasticsearchConnection,
  alias: string,
  labels: readonly string[],
  later: readonly string[],
): Promise<void> {
  const isThere = () =>
    connection.request((client, options) => client.indices.exists({ index: alias }, options));
  const label = { type: 'keyword' as const, ignore_above: LONGEST_LABEL };
  const fields = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, label]));
  if (await isThere()) {
    if (later.length > 0) await addFields(connection, alias, fields(later));
    return;
  }
  // Kept and not looked into, so that it may have any size and any fields.
  const content = { type: 'object' as const, enabled: false };
  const index = {
    index: `${alias}-1`,
    aliases: { [alias]: {} },
    settings: { auto_expand_replicas: '0-1' },
    mappings: {
      dynamic: 'strict' as const,
      properties: { ...fields([...labels, ...later]), content },
    },
  };
  try {
    await connection.request((client, options) => client.indices.create(index, options));
  } catch (failure) {
    // Two workers that start together can both find none.
    if (!(await isThere())) throw failure;
  }
}

async function addFields(
  connection: ElasticsearchConnection,
  alias: string,
  fields: Record<string, { type: 'keyword'; ignore_above: number }>,
): Promise<void> {
  const mapping = await connection.request((client, options) =>
    client.indices.getMapping({ index: alias }, options),
  );
  const indices = Object.values(mappingSchema.parse(mapping));
  const isKnown = (name: string) =>
    indices.every(({ mappings }) => Object.hasOwn(mappings.properties, name));
  const properties = Object.fromEntries(Object.entries(fields).filter(([name]) => !isKnown(name)));
  if (Object.keys(properties).length === 0) return;
  await connection.request((client, options) =>
    client.indices.putMapping({ index: alias, properties }, options),
  );
}
