/** The first questions of a development set in the evaluation data. */
import path from 'node:path';
import type { DatasetRecord } from '../../core/dataset-record.js';
import { readDataset } from '../../evaluation/dataset/read-dataset.js';

/** @param data the folder of the evaluation data. */
export async function firstQuestions(
  data: string,
  name: string,
  count: number,
  isWanted: (record: DatasetRecord) => boolean = () => true,
): Promise<DatasetRecord[]> {
  const found: DatasetRecord[] = [];
  const file = path.join(data, 'dev', `${name}.jsonl.gz`);
  for await (const record of readDataset(file, { as: 'durable-rag' })) {
    if (isWanted(record)) found.push(record);
    if (found.length === count) break;
  }
  return found;
}
