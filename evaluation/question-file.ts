/** Streams the questions of a data set for jobs that need no more than their texts. */
import { readDataset } from './dataset/read-dataset.js';

/** A question as the jobs on training data use it. */
export interface DatasetQuestion {
  id: string;
  question: string;
  answers?: string[] | undefined;
  passages?: { title: string; text: string }[] | undefined;
}

/**
 * The questions of a file in their order, of any shape that `readDataset` knows; answers may be
 * missing.
 *
 * @throws Failure BadInput as `readDataset`.
 */
export async function* readQuestions(
  file: string,
  signal?: AbortSignal,
): AsyncGenerator<DatasetQuestion> {
  for await (const record of readDataset(file, { signal, scorable: false })) {
    const { id, question, answers, passages } = record;
    yield {
      id,
      question,
      ...(answers.length > 0 && { answers }),
      ...(passages && { passages: passages.map(({ title, text }) => ({ title, text })) }),
    };
  }
}
