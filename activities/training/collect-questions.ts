/** Puts the questions of a training-data job into its folder, once. */
import { createHash } from 'node:crypto';
import { type DatasetQuestion, readQuestions } from '../../evaluation/question-file.js';
import { sampler } from '../../methods/sampler.js';
import { parseTrainingInput, type TrainingJob } from '../../methods/training-job.js';
import type { Ports } from '../ports.js';
import { type JobQuestion, jobFolder } from './job-folder.js';

/** A job whose questions are in its folder. */
export interface CollectedJob {
  /** With every default filled in. */
  job: TrainingJob;
  questions: number;
}

/**
 * Checks the input and the whole data set, chooses the sample, stores the passages that come with questions, and
 * writes the questions down. A folder that has them already is left as it is.
 *
 * @throws Failure BadInput for a bad input or data set, and for a folder of another job.
 */
export async function collectQuestions(
  input: unknown,
  { passages }: Pick<Ports, 'passages'>,
  signal: AbortSignal,
): Promise<CollectedJob> {
  const job = parseTrainingInput(input);
  const { dataset, sample, passages: k, corpus, seed, models, prompts } = job;
  const folder = jobFolder(job.out);
  const { total, sha256 } = await survey(dataset, signal);
  const settings = { sha256, sample, passages: k, corpus, seed, models, prompts };
  const begun = await folder.begun(settings);
  if (begun) return { job, questions: begun.questions };

  const questions = Math.min(sample ?? total, total);
  async function* chosen(): AsyncGenerator<JobQuestion> {
    const take = sampler(`${seed}/sample`, questions, total);
    for await (const { id, question, passages: own = [] } of readQuestions(dataset, signal)) {
      if (!take()) continue;
      const refs = own.length > 0 ? await passages.put(own.slice(0, k)) : undefined;
      yield { id, question, ...(refs && { passages: refs }) };
    }
  }
  await folder.begin({ settings, questions }, chosen());
  return { job, questions };
}

/** How many questions there are, and a hash over what is used of them. */
async function survey(
  dataset: string,
  signal: AbortSignal,
): Promise<{ total: number; sha256: string }> {
  const hash = createHash('sha256');
  let total = 0;
  for await (const { id, question, passages } of readQuestions(dataset, signal)) {
    hash.update(JSON.stringify([id, question, passages] satisfies Used));
    total++;
  }
  return { total, sha256: hash.digest('hex') };
}

type Used = [string, string, DatasetQuestion['passages']];
