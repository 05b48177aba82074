/** Tables of passages for the tests of the PostgreSQL retriever. */
import type { PostgresClient } from '../../../retrieval/postgres/connect.js';

export interface TableRow {
  id: string;
  title: string | null;
  text: string;
  vector?: number[];
}

export const passages: TableRow[] = [
  { id: '1', title: 'Heron', text: 'A heron stands in the water and waits for fish.' },
  { id: "o'brien", title: 'Otter', text: "The otter's fur keeps the cold water out." },
  { id: 'a\\b', title: 'Kingfisher "Alcedo"', text: 'A kingfisher dives for small fish.' },
  { id: '" OR 1=1 --', title: null, text: 'Beavers build dams of wood.\nThey fell trees.' },
  { id: '東京', title: '東京', text: 'Ναός café Ñandú 東京 Ærø C:\\temp\\x' },
];

/** Makes a table, with a stored tsvector "words" and, where rows have vectors, an HNSW index. */
export async function makeTable(
  client: PostgresClient,
  name: string,
  rows: readonly TableRow[],
): Promise<void> {
  const dimensions = rows[0]?.vector?.length;
  const run = (statement: string, ...parameters: unknown[]) => client.query(statement, parameters);
  await run(`CREATE TABLE ${name} (id text PRIMARY KEY, title text, text text NOT NULL,
    words tsvector GENERATED ALWAYS AS
      (to_tsvector('english', coalesce(title, '') || ' ' || text)) STORED)`);
  await run(`CREATE INDEX ON ${name} USING gin (words)`);
  if (dimensions !== undefined) {
    await run(`ALTER TABLE ${name} ADD COLUMN vector vector(${dimensions})`);
    await run(`CREATE INDEX ON ${name} USING hnsw (vector vector_cosine_ops)`);
  }
  for (const { id, title, text, vector } of rows) {
    await run(`INSERT INTO ${name} (id, title, text) VALUES ($1, $2, $3)`, id, title, text);
    if (vector === undefined) continue;
    await run(`UPDATE ${name} SET vector = $1 WHERE id = $2`, JSON.stringify(vector), id);
  }
}
