/** Reads the fixtures of reference values. */
import path from 'node:path';
import type { z } from 'zod';
import { datasetFile } from '../../../evaluation/dataset/beir.js';
import { readJsonLines } from '../../../files/records/json-lines.js';

const FOLDER = path.resolve(import.meta.dirname, '../fixtures');

/** The rows of a fixture, each checked. */
export async function fixture<S extends z.ZodType>(name: string, row: S): Promise<z.output<S>[]> {
  const rows: z.output<S>[] = [];
  for await (const { value } of readJsonLines(datasetFile(path.join(FOLDER, `${name}.jsonl.gz`)))) {
    rows.push(row.parse(value));
  }
  return rows;
}

/** A description of each number that is not the expected one. */
export function differences(
  row: unknown,
  actual: readonly number[],
  expected: readonly number[],
  tolerance = 1e-8,
): string[] {
  const far = expected.some((value, i) => !(Math.abs(value - (actual[i] ?? NaN)) <= tolerance));
  return far ? [`${JSON.stringify(row)}: ${actual.join(' ')}`] : [];
}
