/** The calls that were made, one a line; what is in the file is not asked again. */
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { modelSteps } from '../../steps/table.js';

export type StepName = keyof typeof modelSteps;

/** One call of a step, with all that it takes to read its output again. */
export interface Recorded {
  model: string;
  step: StepName;
  /** The data set's name and the question's id there. */
  question: string;
  /** Hash of the prompt's files. */
  hash: string;
  /** Which asking: an unreadable output was asked again. */
  attempt: number;
  input: unknown;
  prompt: string;
  text: string;
  cut: boolean;
  logprob?: number | undefined;
  promptTokens: number;
  cachedPromptTokens: number;
  completionTokens: number;
  /** Everything that decides the output, so that the same is not asked twice. */
  request: string;
}

/** The calls of a model that a folder has; a line that a kill left unfinished counts as none. */
export async function readRecorded(folder: string, model: string): Promise<Recorded[]> {
  const text = await readFile(fileOf(folder, model), 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  });
  return text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line) as Recorded];
    } catch {
      return [];
    }
  });
}

/** Begins with a line end, so that an unfinished line spoils none but itself. */
export async function addRecorded(folder: string, one: Recorded): Promise<void> {
  await mkdir(folder, { recursive: true });
  await appendFile(fileOf(folder, one.model), `\n${JSON.stringify(one)}`);
}

function fileOf(folder: string, model: string): string {
  return path.join(folder, `${model}.jsonl`);
}
