/**
 * Activities of the steps without a language model. Searches by words and lookups cost nothing.
 * Steps that embed or score texts make one request, or none if the store has all of it.
 */

import { Context } from '@temporalio/activity';
import { Failure } from '../../core/failure.js';
import { passageTuple } from '../../core/passages-read.js';
import type { Passage, PassageRef } from '../../core/vocabulary.js';
import { cosine } from '../../llm/vectors.js';
import { rankSupplied } from '../../retrieval/rank-supplied.js';
import { passageText } from '../../retrieval/retriever.js';
import { tfIdfScores } from '../../retrieval/tf-idf.js';
import type { AnyAction } from '../../steps/actions.js';
import type {
  RetrieveInput,
  ScoreByTfIdfInput,
  SearchSource,
} from '../../steps/non-model-steps.js';
import type { TimedRow } from '../../steps/output-row.js';
import type { CallBounds } from '../../workflows/activities/calls.js';
import type { EmbeddingActivities, SearchActivities } from '../../workflows/activities/question.js';
import {
  askAndStoreInAttempt,
  countedEmbedding,
  type EmbeddingCall,
  embedAndStore,
} from './embedding-step.js';
import { runSearch } from './free-calls.js';
import { readPassages } from './model-request.js';
import type { Ports } from './ports.js';
import { providerCall, timed } from './provider-call.js';
import { withTexts } from './step-output.js';

/**
 * Returns the search activities of questions, by name. They run on the task queue of the workflows
 * or on one of their own.
 */
export function createSearchActivities(ports: Ports): SearchActivities {
  return {
    retrieve: (input, source, bounds) =>
      timed(async () => {
        const found = await providerCall(bounds, ({ signal }) =>
          retrievePassages(input, source, ports, signal),
        );
        return found.map(passageTuple);
      }),
    scoreByTfIdf: (input, corpus, bounds) =>
      timed(() => providerCall(bounds, () => tfIdfWeights(input, corpus, ports))),
  };
}

/**
 * Returns references to the passages that best match a query, with their scores, best first, at
 * most `count`; supplied passages without a search mode keep their order. If the mode needs
 * vectors, texts without a stored vector are embedded.
 */
export async function retrievePassages(
  { query, count }: RetrieveInput,
  source: SearchSource,
  { corpora, passages, embeddings }: Pick<Ports, 'corpora' | 'embeddings' | 'passages'>,
  signal: AbortSignal,
): Promise<PassageRef[]> {
  const { mode } = source;
  const found = await runSearch(async () =>
    'supplied' in source
      ? rankSupplied(source.supplied, { query, count, mode }, passages, embeddings, signal)
      : (await corpora.open(source.corpus)).search(query, count, mode, signal),
  );
  return found.map((ref) => ({ ...ref, score: rounded(ref.score) }));
}

/**
 * Returns the TF-IDF similarity of each passage (title and text) to the query, from 0 to 1, in the
 * order of the passages.
 *
 * @param corpus Corpus of the passages; null for passages supplied with the question.
 */
export async function tfIdfWeights(
  { query, passages }: ScoreByTfIdfInput,
  corpus: string | null,
  ports: Pick<Ports, 'corpora' | 'passages'>,
): Promise<number[]> {
  const found = await readPassages(passages, corpus, ports);
  const texts = found.map(({ title, text }) => `${title}\n${text}`);
  return tfIdfScores(query, texts).map(rounded);
}

/**
 * Rounds to seven digits. Engines compute in 32 bits, so later digits are noise that histories
 * would keep.
 */
function rounded(score: number): number {
  return Number(score.toPrecision(7));
}

/**
 * Returns the activities that embed texts or rank passages by an embedding model or a
 * cross-encoder, by name.
 */
export function createEmbeddingActivities(ports: Ports): EmbeddingActivities {
  const { embeddings, reranker, tenants } = ports;
  const embedding = <T>(bounds: CallBounds, call: EmbeddingCall<T>) =>
    countedEmbedding(bounds, tenants, call);
  return {
    embedTexts: ({ texts }, bounds) =>
      embedding(bounds, async (attempt) => {
        const { usage } = await embedAndStore(texts, ports, attempt);
        const value = texts.map((text) => embeddings.keyOf(text));
        return { value, usage, model: embeddings.model };
      }),

    rankBySimilarity: ({ text, passages, count }, corpus, bounds) =>
      embedding(bounds, async (attempt) => {
        const found = await readPassages(passages, corpus, ports);
        const texts = [text, ...found.map(passageText)];
        const { vectors, usage } = await embedAndStore(texts, ports, attempt);
        const value = nearestFirst(found, vectors).slice(0, count);
        return { value, usage, model: embeddings.model };
      }),

    rankByCrossEncoder: ({ text, passages, count }, corpus, bounds) =>
      embedding(bounds, async (attempt) => {
        if (!reranker) throw new Failure('BadInput', NOT_SET_UP);
        const found = await readPassages(passages, corpus, ports);
        const texts = found.map(passageText);
        const { answer, usage } = await askAndStoreInAttempt(
          reranker,
          [text, ...texts],
          (hooks) => reranker.score(text, texts, attempt.signal, hooks),
          ({ cached }) => cached,
          attempt,
          ports,
        );
        const value = bestFirst(found, answer.scores).slice(0, count);
        return { value, usage, model: reranker.model };
      }),
  };
}

/**
 * Returns references to the passages by descending cosine similarity to a text, with the similarity
 * as score.
 *
 * @param vectors The text's vector, followed by the passages' in their order.
 */
export function nearestFirst(
  passages: readonly Passage[],
  [wanted = [], ...others]: readonly (readonly number[])[],
): PassageRef[] {
  return bestFirst(
    passages,
    others.map((vector) => cosine(wanted, vector)),
  );
}

/**
 * Returns references to the passages by descending score. Passages of equal score stay in order.
 *
 * @param scores In the order of the passages.
 */
export function bestFirst(passages: readonly Passage[], scores: readonly number[]): PassageRef[] {
  return passages
    .map(({ id, title }, k) => ({ id, title, score: rounded(scores[k] ?? 0) }))
    .sort((a, b) => b.score - a.score);
}

const NOT_SET_UP =
  'crossEncoder: this worker has no cross-encoder. Set DURABLE_RAG_RERANK_URL to a /rerank endpoint ' +
  'and DURABLE_RAG_RERANK_MODEL to its model in the environment of the worker, or rank by "embedding".';

type ActionActivity = (
  input: unknown,
  address: string,
  bounds: CallBounds,
) => Promise<TimedRow<unknown>>;

/** Returns an activity for each custom action, by the action's name. */
export function actionActivities(
  ports: Pick<Ports, 'actions' | 'responses'>,
): Record<string, ActionActivity> {
  return Object.fromEntries(
    Object.entries(ports.actions ?? {}).map(([name, action]) => [
      name,
      (input: unknown, address: string, bounds: CallBounds) =>
        timed(() =>
          providerCall(bounds, async ({ signal }) => {
            const given = await withTexts(input, ports.responses);
            const { workflowExecution } = Context.current().info;
            const workflowId = workflowExecution?.workflowId ?? '';
            const output = await acting(action)(given, {
              idempotencyKey: address,
              workflowId,
              signal,
            });
            return kept(action, output);
          }),
        ),
    ]),
  );
}

/** Longest output of an action, in characters of its JSON, since the history stores it. */
const MOST_CHARACTERS = 200_000;

/** Returns the output, with null for undefined, as JSON stores it. @throws Failure BadInput for one that is too long. */
function kept({ name }: AnyAction, output: unknown): unknown {
  // JSON has no undefined.
  const value = output ?? null;
  const { length } = JSON.stringify(value);
  if (length <= MOST_CHARACTERS) return value;
  const message = `The action "${name}" returned ${length} characters of JSON; a history can store at most ${MOST_CHARACTERS}. Return only the part that the model should read.`;
  throw new Failure('BadInput', message);
}

/** Returns the function of an action. @throws Failure BadInput if it is only declared. */
function acting({ name, act }: AnyAction): NonNullable<AnyAction['act']> {
  if (act) return act;
  const message = `The action "${name}" has no "act": declare it under "steps" of the workers with one.`;
  throw new Failure('BadInput', message);
}
