/**
 * The activities of GenRead's clustering job (GenRead 3.2.2): pairs each question of a run with its
 * document, embeds the pairs, clusters them, and stores samples of each cluster.
 */

import type { QuestionDocument, SetOrigin } from '../core/demonstration-sets.js';
import { Failure } from '../core/failure.js';
import { hasAnswer } from '../core/normalize-answer.js';
import { badInput } from '../core/options/problems.js';
import { answerSources } from '../core/passages-read.js';
import type { MethodResult } from '../core/result.js';
import { unknownRun } from '../core/run/unknown-run.js';
import { sampler } from '../core/sampler.js';
import type { RunQuestion } from '../stores/runs/run-store.js';
import {
  type ClusterActivities,
  type ClusterJob,
  type EmbeddedPage,
  type LeftOut,
  type OpenedClusterJob,
  type PaidClusterActivities,
  type PairsOnPage,
  parseClusterInput,
} from '../workflows/cluster-job.js';
import { kMeans } from './k-means.js';
import { passageTexts } from './run/passage-texts.js';
import { manifestOfRun } from './run/run-of.js';
import { countedEmbedding, embedAndStore } from './runtime/embedding-step.js';
import { FREE_BOUNDS } from './runtime/free-calls.js';
import type { Ports } from './runtime/ports.js';
import { providerCall } from './runtime/provider-call.js';

/** Returns the activities of a clustering job that call no model, by name. */
export function clusterActivities(ports: Ports): ClusterActivities {
  return {
    openClusterJob: (input) => providerCall(FREE_BOUNDS, () => openClusterJob(input, ports)),
    clusterPairs: (job) =>
      providerCall(FREE_BOUNDS, ({ signal }) => clusterPairs(job, ports, signal)),
  };
}

/** Returns the activity of a clustering job that calls the embedding model, by name. */
export function paidClusterActivities(ports: Ports): PaidClusterActivities {
  return {
    embedPairs: (from, bounds) =>
      countedEmbedding(bounds, ports.tenants, async (attempt) => {
        const { pairs, ...value } = await pairsToEmbed(from, ports);
        const { usage } = await embedAndStore(pairs.map(pairText), ports, attempt);
        return { value, usage, model: ports.embeddings.model };
      }),
  };
}

/**
 * Checks the input of a clustering job. Returns the job with its defaults, and with the number of
 * questions, the limits and the tenant of its run.
 *
 * @throws Failure BadInput naming the field; UnknownRun for a run that is not in the store.
 */
export async function openClusterJob(
  input: unknown,
  { runs, tenants }: Pick<Ports, 'runs' | 'tenants'>,
): Promise<OpenedClusterJob> {
  const job = parseClusterInput(input);
  const manifest = await runs.manifest(job.run);
  if (!manifest) throw unknownRun(job.run, ' to take documents from');
  const { limits, options, tenant } = manifest.input;
  const { task = 'openQA' } = Object(options);
  if (job.onlyWithAnswer && task !== 'openQA') {
    const what = 'is for openQA only: no document contains the answer to a claim or an utterance';
    throw badInput('onlyWithAnswer', what);
  }
  const { questions } = manifest;
  return {
    job,
    questions,
    limits,
    ...(tenant !== undefined && { tenant: tenants.shareOf(tenant) }),
  };
}

/**
 * Clusters the question-document pairs of a run by their vectors, and stores samples of each
 * cluster as a demonstration set. With `drawnFrom` "allPairs" nothing is clustered: each sample is
 * drawn from all pairs. Returns the set's id and origin, the number of questions of the run, the
 * size of each cluster in pairs, and the number of questions left out, by reason.
 *
 * @throws Failure UnknownRun; BadInput if there are fewer pairs than clusters, or if a vector is
 * not in the store.
 */
export async function clusterPairs(
  job: ClusterJob,
  ports: PairPorts & Pick<Ports, 'demonstrationSets' | 'embeddings'>,
  signal: AbortSignal,
): ReturnType<ClusterActivities['clusterPairs']> {
  const { run, clusters: count, drawnFrom, seed } = job;
  const pairs: QuestionDocument[] = [];
  const leftOut: LeftOut = { failed: 0, empty: 0, withoutAnswer: 0 };
  for await (const { pair } of runPairs({ ...job, from: 0 }, ports)) {
    signal.throwIfAborted();
    if (typeof pair === 'object') pairs.push(pair);
    else leftOut[pair]++;
  }
  if (pairs.length < count) {
    throw new Failure(
      'BadInput',
      `clusters: ${count} clusters cannot be made of ${pairs.length} question-document pairs.`,
    );
  }
  const isOfAll = drawnFrom === 'allPairs';
  const sampled = isOfAll
    ? sampleAllPairs(pairs.length, job)
    : sampleClusters(await clustered(), job.pairs, seed);
  const clusters = sampled.map(({ size, members }) => ({
    size,
    pairs: members.flatMap((position) => pairs[position] ?? []),
  }));
  const { input, dataset, questions } = await manifestOfRun(run, ports.runs);
  const origin: SetOrigin = {
    run,
    method: input.method,
    embeddingModel: isOfAll ? null : ports.embeddings.model,
    ...(isOfAll && { drawnFrom: 'allPairs' }),
    clusters: count,
    pairs: job.pairs,
    seed,
    questions: dataset.file,
    questionsHash: dataset.sha256,
  };
  const set = { origin, size: pairs.length, clusters };
  const { id } = await ports.demonstrationSets.put(job.name, set);
  return { id, questions, leftOut, clusters: clusters.map(({ size }) => size), origin };

  async function clustered(): Promise<number[]> {
    const keys = pairs.map((pair) => ports.embeddings.keyOf(pairText(pair)));
    return kMeans(await ports.embeddings.get(keys), count, seed, signal);
  }
}

/**
 * Returns `clusters` samples of `pairs` pairs each, or of all pairs if there are fewer, drawn from
 * all pairs instead of from clusters (GenRead table 11), as positions of the pairs. Each sample has
 * the `size` of all pairs.
 *
 * @param count Number of all pairs.
 */
export function sampleAllPairs(
  count: number,
  { clusters, pairs, seed }: Pick<ClusterJob, 'clusters' | 'pairs' | 'seed'>,
): SampledCluster[] {
  return Array.from({ length: clusters }, (_, k) => {
    const take = sampler(`${seed}/all-${k}`, pairs, count);
    const positions = Array.from({ length: count }, (__, position) => position);
    return { size: count, members: positions.filter(() => take()) };
  });
}

/** A cluster, or all pairs, with the pairs sampled from it. */
interface SampledCluster {
  /** Number of all its members. */
  size: number;
  /** Positions of the sampled members, ascending. */
  members: number[];
}

/**
 * Returns, for each cluster, its size and the positions of `count` sampled pairs, or of all pairs
 * of a smaller cluster. The largest cluster comes first; of equal ones, the one with the earlier
 * pair. Labels without pairs are left out.
 *
 * @param labels Number of the cluster of each pair, by the pair's position.
 */
export function sampleClusters(
  labels: readonly number[],
  count: number,
  seed: number,
): SampledCluster[] {
  const clusters = new Map<number, number[]>();
  labels.forEach((label, position) => {
    const positions = clusters.get(label);
    if (positions) positions.push(position);
    else clusters.set(label, [position]);
  });
  return [...clusters.values()]
    .sort((a, b) => b.length - a.length)
    .map((positions, k) => {
      const take = sampler(`${seed}/cluster-${k}`, count, positions.length);
      return { size: positions.length, members: positions.filter(() => take()) };
    });
}

type PairPorts = Pick<Ports, 'corpora' | 'methods' | 'passages' | 'runs'>;

/** A question of a run with its document, or the reason why it has none. */
interface Paired {
  pair: QuestionDocument | keyof LeftOut;
  /** Place of the next question. */
  next: number;
}

/**
 * Yields the questions of a run from the place `from` on, each paired with its document, or with
 * the reason why it has none.
 */
async function* runPairs(
  { run, from, onlyWithAnswer }: PairsOnPage,
  ports: PairPorts,
): AsyncGenerator<Paired> {
  const manifest = await manifestOfRun(run, ports.runs);
  const { texts } = passageTexts(ports.corpora, ports.passages);
  for await (const { question, next } of ports.runs.questions(run, from)) {
    yield { pair: await pairOf(question), next };
  }

  async function pairOf({ id, question, answers }: RunQuestion): Promise<Paired['pair']> {
    const result = (await ports.runs.get(run, id))?.result;
    if (!result || result.outcome === 'failed') return 'failed';
    const document = (await documentOf(result)).replace(/\s+/g, ' ').trim();
    if (document === '') return 'empty';
    if (onlyWithAnswer && !hasAnswer(document, answers)) return 'withoutAnswer';
    return { question, document };
  }

  /** Returns the first document that the model wrote for the question, else its best passage. */
  async function documentOf(result: MethodResult): Promise<string> {
    const sources = answerSources(result, ports.methods);
    if (sources === undefined || sources === 'unknown') return '';
    const [written] = sources.documents;
    const [best] = sources.passages;
    if (written !== undefined || !best) return written ?? '';
    return (await texts(manifest, [best.id])).get(best.id) ?? '';
  }
}

/** Pairs embedded in one request. */
const EMBEDDED_AT_ONCE = 50;

/**
 * Returns the next question-document pairs of a run, at most 50, which one request embeds. Also
 * returns the number of questions read for them, and the place of the next question, which is null
 * at the end of the run.
 */
export async function pairsToEmbed(
  from: PairsOnPage,
  ports: PairPorts,
): Promise<EmbeddedPage & { pairs: QuestionDocument[] }> {
  const pairs: QuestionDocument[] = [];
  let questions = 0;
  for await (const { pair, next } of runPairs(from, ports)) {
    questions++;
    if (typeof pair === 'object') pairs.push(pair);
    if (pairs.length === EMBEDDED_AT_ONCE) return { pairs, questions, next };
  }
  return { pairs, questions, next: null };
}

/**
 * Returns the text of a pair to embed: question and document on one line (GenRead 3.2.2, step 2).
 */
function pairText({ question, document }: QuestionDocument): string {
  return `${question} ${document}`.replace(/\s+/g, ' ').trim();
}
