/**
 * Checks the input of a clustering job and stores its train questions in pages, each under an id.
 */

import { refuseSecrets } from '../../core/options/extra-body.js';
import { sampler } from '../../core/sampler.js';
import { withUsual } from '../../core/step-models.js';
import type { CollectedQuestions } from '../../workflows/activities/clusters.js';
import { parseClusterInput } from '../../workflows/cluster-job.js';
import { type DatasetPorts, readingOf, snapshotOf } from '../run/dataset-of.js';
import type { Ports } from '../runtime/ports.js';
import type { TrainQuestion } from './pages.js';

/** Questions in a page: few enough to keep the history of one page far below Temporal's limit. */
const PAGE = 200;

/**
 * Returns the checked job and the stored pages of its train questions.
 *
 * @throws Failure BadInput naming the field; UnknownText for a data set that is not in the store.
 */
export async function collectTrainQuestions(
  input: unknown,
  {
    texts,
    defaultModel,
    usual,
    secrets = [],
    tenants,
    ...ports
  }: DatasetPorts & Pick<Ports, 'defaultModel' | 'secrets' | 'tenants' | 'texts' | 'usual'>,
  signal: AbortSignal,
): Promise<CollectedQuestions> {
  const job = withUsual(parseClusterInput(input), usual);
  refuseSecrets(job, secrets);
  const { sample, sampleSeed } = job;
  const snapshot = await snapshotOf({ ...job, requireAnswers: false }, ports);
  const { questions: total, sha256, file: source } = snapshot;
  const take = sampler(`${sampleSeed}/sample`, sample ?? total, total);

  const pages: CollectedQuestions['pages'] = [];
  let page: TrainQuestion[] = [];
  async function keep(): Promise<void> {
    if (page.length === 0) return;
    pages.push({ id: await texts.put(JSON.stringify(page)), questions: page.length });
    page = [];
  }
  for await (const { question, answers } of readingOf(sha256, ports.datasets, signal)({})) {
    if (take()) page.push({ question, answers });
    if (page.length === PAGE) await keep();
  }
  await keep();

  const questions = pages.reduce((sum, kept) => sum + kept.questions, 0);
  return {
    job,
    questions,
    pages,
    source,
    sha256,
    defaultModel,
    ...(job.tenant !== undefined && { tenant: tenants.shareOf(job.tenant) }),
  };
}
