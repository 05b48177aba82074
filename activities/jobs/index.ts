/** The activities of a clustering job. */

import type { QuestionDocument } from '../../core/demonstration-sets.js';
import { hasAnswer } from '../../core/normalize-answer.js';
import { refuseSecrets } from '../../core/options/extra-body.js';
import { sampler } from '../../core/sampler.js';
import { withStepDefaults } from '../../core/step-models.js';
import type { StepOutput } from '../../steps/call.js';
import { generateDocument } from '../../steps/genread.js';
import type { CallBounds } from '../../workflows/activities/calls.js';
import type {
  ClusterActivities,
  CollectedQuestions,
  KeepPairsInput,
  KeptPairs,
  PaidClusterActivities,
} from '../../workflows/activities/clusters.js';
import { parseClusterInput } from '../../workflows/cluster-job.js';
import { type DatasetPorts, readingOf, snapshotOf } from '../run/dataset-of.js';
import { countedEmbedding, embedKept } from '../runtime/embedding-step.js';
import { searching } from '../runtime/free-calls.js';
import type { Ports } from '../runtime/ports.js';
import { providerCall } from '../runtime/provider-call.js';
import { modelActivity } from '../runtime/run-model-step.js';
import { clusterPairs } from './cluster-pairs.js';
import { pairText, readPage, readQuestion, type TrainQuestion } from './pages.js';

const BOUNDS: CallBounds = { timeoutSeconds: 6 * 3600, attempts: 6, refusals: 1 };

export function clusterActivities(ports: Ports): ClusterActivities {
  const { corpora, texts } = ports;
  return {
    collectTrainQuestions: (input) =>
      providerCall(BOUNDS, ({ signal }) => collectTrainQuestions(input, ports, signal)),
    findDocument: ({ page, k, corpus }, bounds) =>
      providerCall(bounds, async () => {
        const question = await readQuestion(texts, { page, k });
        const [passage] = await searching(async () => {
          const retriever = await corpora.open(corpus);
          const found = await retriever.search(question, 1);
          return retriever.get(found.map(({ id }) => id));
        });
        return passage ? texts.put(passage.text.replace(/\s+/g, ' ').trim()) : null;
      }),
    keepPairs: (input) => providerCall(BOUNDS, () => keepPairs(input, ports)),
    clusterPairs: (input) =>
      providerCall(BOUNDS, ({ signal }) => clusterPairs(input, ports, signal)),
  };
}

export function paidClusterActivities(ports: Ports): PaidClusterActivities {
  const { embeddings, tenants, texts } = ports;
  const generate = modelActivity(generateDocument, ports);
  return {
    /**
     * Runs the step `generateDocument`. The question is read from the store, and the text is put
     * there.
     */
    async draftDocument({ page, k, task }, call) {
      const query = await providerCall(call, () => readQuestion(texts, { page, k }));
      const output = await generate({ query, task }, call);
      return providerCall(call, () => draftOutput(output, texts));
    },
    embedPairs: ({ pairs, from, count }, bounds) =>
      countedEmbedding(bounds, tenants, async (attempt) => {
        const page = await readPage<QuestionDocument>(texts, pairs);
        const shown = page.slice(from, from + count).map(pairText);
        const { usage } = await embedKept(shown, ports, attempt);
        return { value: shown.length, usage, model: embeddings.model };
      }),
  };
}

/** Returns the output with the id of its stored text as value; null for an empty text. */
export async function draftOutput(
  { ref: _, ...output }: StepOutput<string>,
  texts: Ports['texts'],
): Promise<StepOutput<string | null>> {
  return { ...output, value: output.value === '' ? null : await texts.put(output.value) };
}

async function keepPairs(
  { page, documents, onlyWithAnswer }: KeepPairsInput,
  { texts }: Pick<Ports, 'texts'>,
): Promise<KeptPairs> {
  const pairs: QuestionDocument[] = [];
  let withoutAnswer = 0;
  for (const [k, { question, answers }] of (await readPage<TrainQuestion>(texts, page)).entries()) {
    const id = documents[k] ?? null;
    if (id === null) continue;
    const document = await texts.get(id);
    if (onlyWithAnswer && !hasAnswer(document, answers)) withoutAnswer++;
    else pairs.push({ question, document });
  }
  return { id: await texts.put(JSON.stringify(pairs)), pairs: pairs.length, withoutAnswer };
}

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
  const job = withStepDefaults(parseClusterInput(input), usual);
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
