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
import {
  type ClusterActivities,
  type ClusterJob,
  type EmbeddedPage,
  type LeftOut,
  type OpenedClusterJob,
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
export function clusterActivities(
  ports: Ports,
): Pick<ClusterActivities, 'clusterPairs' | 'openClusterJob'> {
  return {
    openClusterJob: (input) => providerCall(FREE_BOUNDS, () => openClusterJob(input, ports)),
    clusterPairs: (job) =>
      providerCall(FREE_BOUNDS, ({ signal }) => clusterPairs(job, ports, signal)),
  };
}

/** Pairs embedded in one request. */
const EMBEDDED_AT_ONCE = 50;

/** Returns the activity of a clustering job that calls the embedding model, by name. */
export function embedPairsActivity(ports: Ports): Pick<ClusterActivities, 'embedPairs'> {
  return {
    embedPairs: (job, from, bounds) =>
      countedEmbedding(bounds, ports.tenants, async (attempt) => {
        const page = await readPairs(job, from, EMBEDDED_AT_ONCE, ports, attempt.signal);
        const { usage } = await embedAndStore(page.pairs.map(pairText), ports, attempt);
        const value = { questions: page.questions, next: page.next };
        return { value, usage, model: ports.embeddings.model };
      }),
  };
}

/**
 * Checks the input of a clustering job. Returns it with its defaults as `job`, and of its run the
 * number of `questions`, the `limits`, and the `tenant` that pays (absent if there is none).
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
 * drawn from all pairs. Returns the set's `id` and `origin`, the sizes of its `clusters` in pairs,
 * largest first, and as `leftOut` the numbers of questions left out, by reason.
 *
 * @throws Failure UnknownRun; BadInput if there are fewer pairs than clusters, or if a vector is
 * not in the store.
 */
export async function clusterPairs(
  job: ClusterJob,
  ports: PairPorts & Pick<Ports, 'demonstrationSets' | 'embeddings'>,
  signal: AbortSignal,
): ReturnType<ClusterActivities['clusterPairs']> {
  const { embeddings, runs } = ports;
  const isOfAll = job.drawnFrom === 'allPairs';
  const { pairs, leftOut } = await readPairs(job, 0, Infinity, ports, signal);
  if (pairs.length < job.clusters) {
    throw new Failure(
      'BadInput',
      `clusters: ${job.clusters} clusters cannot be made of ${pairs.length} question-document pairs.`,
    );
  }
  const groups = isOfAll ? Array(job.clusters).fill([...pairs.keys()]) : await clustered();
  const clusters = samplesOf(groups, job).map((sample, k) => ({
    size: groups[k]?.length ?? 0,
    pairs: sample.flatMap((position) => pairs[position] ?? []),
  }));
  const { input, dataset } = await manifestOfRun(job.run, runs);
  const origin: SetOrigin = {
    run: job.run,
    method: input.method,
    embeddingModel: isOfAll ? null : embeddings.model,
    ...(isOfAll && { drawnFrom: 'allPairs' }),
    clusters: job.clusters,
    pairs: job.pairs,
    seed: job.seed,
    questions: dataset.file,
    questionsHash: dataset.sha256,
  };
  const set = { origin, size: pairs.length, clusters };
  const { id } = await ports.demonstrationSets.put(job.name, set);
  return { id, leftOut, clusters: clusters.map(({ size }) => size), origin };

  async function clustered(): Promise<number[][]> {
    const vectors = await embeddings.get(pairs.map((pair) => embeddings.keyOf(pairText(pair))));
    return clustersOf(await kMeans(vectors, job.clusters, job.seed, signal));
  }
}

/**
 * Returns the positions of the pairs of each cluster, ascending. The largest cluster comes first; of
 * equal ones, the one with the earlier pair. Labels without pairs are left out.
 *
 * @param labels Number of the cluster of each pair, by the pair's position.
 */
export function clustersOf(labels: readonly number[]): number[][] {
  const clusters = new Map<number, number[]>();
  for (const [position, label] of labels.entries()) {
    const positions = clusters.get(label);
    if (positions) positions.push(position);
    else clusters.set(label, [position]);
  }
  return [...clusters.values()].sort((a, b) => b.length - a.length);
}

/**
 * Returns a sample of `pairs` positions of each group, in their order; all of a smaller group.
 *
 * @param groups Positions of pairs: those of each cluster, or all pairs for each sample.
 */
export function samplesOf(
  groups: readonly (readonly number[])[],
  { drawnFrom, pairs, seed }: Pick<ClusterJob, 'drawnFrom' | 'pairs' | 'seed'>,
): number[][] {
  const source = drawnFrom === 'allPairs' ? 'all' : 'cluster';
  return groups.map((positions, k) => {
    const take = sampler(`${seed}/${source}-${k}`, pairs, positions.length);
    return positions.filter(() => take());
  });
}

type PairPorts = Pick<Ports, 'corpora' | 'methods' | 'passages' | 'runs'>;

/**
 * Reads the questions of a run from the place `from` on, and returns as `pairs` each question with
 * the document that its answer is based on, at most `most` pairs. Also returns the number of
 * `questions` read, the numbers of those `leftOut`, by reason, and as `next` the place of the next
 * question, null at the end of the run.
 */
export async function readPairs(
  { run, onlyWithAnswer }: Pick<ClusterJob, 'onlyWithAnswer' | 'run'>,
  from: number,
  most: number,
  ports: PairPorts,
  signal: AbortSignal,
): Promise<EmbeddedPage & { pairs: QuestionDocument[]; leftOut: LeftOut }> {
  const manifest = await manifestOfRun(run, ports.runs);
  const { texts } = passageTexts(ports.corpora, ports.passages);
  const pairs: QuestionDocument[] = [];
  const leftOut: LeftOut = { failed: 0, empty: 0, withoutAnswer: 0 };
  let questions = 0;
  for await (const { question: asked, next } of ports.runs.questions(run, from)) {
    signal.throwIfAborted();
    const { id, question, answers } = asked;
    questions++;
    const result = (await ports.runs.get(run, id))?.result;
    const document = result && result.outcome !== 'failed' ? await documentOf(result) : undefined;
    if (document === undefined) leftOut.failed++;
    else if (document === '') leftOut.empty++;
    else if (onlyWithAnswer && !hasAnswer(document, answers)) leftOut.withoutAnswer++;
    else pairs.push({ question, document });
    if (pairs.length === most) return { pairs, leftOut, questions, next };
  }
  return { pairs, leftOut, questions, next: null };

  /**
   * Returns the first document that the model wrote for a question, else its best passage, on one
   * line; empty if there is neither.
   */
  async function documentOf(result: MethodResult): Promise<string> {
    const sources = answerSources(result, ports.methods);
    if (sources === undefined || sources === 'unknown') return '';
    const [best] = sources.passages;
    const ofBest = async () => best && (await texts(manifest, [best.id])).get(best.id);
    return onOneLine(sources.documents[0] ?? (await ofBest()) ?? '');
  }
}

/**
 * Returns the text of a pair to embed: question and document on one line (GenRead 3.2.2, step 2).
 */
function pairText({ question, document }: QuestionDocument): string {
  return onOneLine(`${question} ${document}`);
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
