/** Checks a job's input, and keeps its train questions in pages, which it then knows by id. */
import { basename } from 'node:path';
import { surveyDataset } from '../../evaluation/dataset/read-dataset.js';
import { readQuestions } from '../../evaluation/question-file.js';
import { type ClusterJob, parseClusterInput } from '../../methods/cluster-job.js';
import { sampler } from '../../methods/sampler.js';
import { allowedDataset } from '../runtime/allowed-dataset.js';
import type { Ports } from '../runtime/ports.js';
import type { TrainQuestion } from './pages.js';

/** So that the history of one page stays far below what Temporal allows. */
const PAGE = 200;

export interface CollectedQuestions {
  /** With every default filled in. */
  job: ClusterJob;
  questions: number;
  /** Ids of the pages, in the order of the file. */
  pages: { id: string; questions: number }[];
  /** Base name of the file. */
  source: string;
  /** SHA-256 of the uncompressed content of the data set; hexadecimal. */
  sha256: string;
  /** The model that writes documents where the job names none. */
  defaultModel: string;
}

/**
 * @throws Failure BadInput naming the field, of a bad data set the line as well; Permission for one
 *   that is not the worker's to read.
 */
export async function collectTrainQuestions(
  input: unknown,
  { texts, defaultModel, files }: Pick<Ports, 'defaultModel' | 'files' | 'texts'>,
  signal: AbortSignal,
): Promise<CollectedQuestions> {
  const job = parseClusterInput(input);
  const { dataset: named, sample, sampleSeed } = job;
  const dataset = await allowedDataset(named, files);
  const { questions: total, sha256 } = await surveyDataset(dataset, { scorable: false, signal });
  const take = sampler(`${sampleSeed}/sample`, sample ?? total, total);

  const pages: CollectedQuestions['pages'] = [];
  let page: TrainQuestion[] = [];
  async function keep(): Promise<void> {
    if (page.length === 0) return;
    pages.push({ id: await texts.put(JSON.stringify(page)), questions: page.length });
    page = [];
  }
  for await (const { question, answers = [] } of readQuestions(dataset, signal)) {
    if (take()) page.push({ question, answers });
    if (page.length === PAGE) await keep();
  }
  await keep();

  const questions = pages.reduce((sum, kept) => sum + kept.questions, 0);
  return {
    job,
    questions,
    pages,
    source: basename(named),
    sha256,
    defaultModel,
  };
}
