/** Gives a method its steps, with the bookkeeping that no method repeats. */
import { proxyActivities } from '@temporalio/workflow';
import type { EmbedTextsInput } from '../activities/embed-texts.js';
import type { FindSetInput } from '../activities/find-demonstration-set.js';
import type {
  EmbeddingActivities,
  ModelActivities,
  QuestionActivities,
} from '../activities/index.js';
import type { Prepared, PreparedInput } from '../activities/prepare.js';
import type { RankBySimilarityInput } from '../activities/rank-by-similarity.js';
import type { RetrieveInput } from '../activities/retrieve.js';
import type { ScoreByTfIdfInput } from '../activities/score-by-tf-idf.js';
import type { SentCall, StepOutput } from '../activities/step.js';
import type { DemonstrationSetRef } from '../methods/genread.js';
import { unusual } from '../methods/usual-call.js';
import type { PassageRef } from '../methods/vocabulary.js';
import { callBounds, callOptions, callPriority } from './call-options.js';
import { labels } from './labels.js';
import type { Ledger } from './ledger.js';

/** The steps as a method sees them: an input, a typed result. */
export type Steps = {
  [S in keyof ModelActivities]: (
    input: Parameters<ModelActivities[S]>[0],
  ) => Promise<Awaited<ReturnType<ModelActivities[S]>>['value']>;
} & OtherSteps;

/** The steps that ask no language model. */
interface OtherSteps {
  retrieve(input: RetrieveInput): Promise<PassageRef[]>;
  scoreByTfIdf(input: ScoreByTfIdfInput): Promise<number[]>;
  demonstrationSet(input: FindSetInput): Promise<DemonstrationSetRef>;
  /** Gives the keys of the vectors. */
  embedTexts(input: EmbedTextsInput): Promise<string[]>;
  rankBySimilarity(input: RankBySimilarityInput): Promise<PassageRef[]>;
  rankByCrossEncoder(input: RankBySimilarityInput): Promise<PassageRef[]>;
}

/** The model activities as the bookkeeping sees them: which step it is makes no difference to it. */
type AnyModelActivities = Record<
  keyof ModelActivities,
  (input: unknown, call: SentCall) => Promise<StepOutput<unknown>>
>;

/** What decides how steps are carried out. */
export interface StepSettings extends Pick<Prepared<unknown>, 'defaultModel'> {
  input: Pick<
    PreparedInput<unknown>,
    'cache' | 'limits' | 'models' | 'prompts' | 'retrieval' | 'seed'
  >;
}

/**
 * The steps of one question.
 *
 * Each carries its model, prompt set, retry bounds and UI summary; an unreadable output is asked
 * again up to `limits.reasks` times, after which its fallback stands in and the result is flagged.
 */
export function createSteps(
  { input, defaultModel }: StepSettings,
  modelQueue: string,
  ledger: Ledger,
): Steps {
  const { limits, retrieval: source, models, prompts, cache, seed } = input;
  const common = callOptions(limits);
  const { retrieve, scoreByTfIdf, findDemonstrationSet } =
    proxyActivities<QuestionActivities>(common);
  const model = proxyActivities<AnyModelActivities>({
    ...common,
    taskQueue: modelQueue,
  });
  const { embedTexts, rankBySimilarity, rankByCrossEncoder } = proxyActivities<EmbeddingActivities>(
    {
      ...common,
      taskQueue: modelQueue,
    },
  );
  const bounds = callBounds(limits);
  const byVector = 'mode' in source && source.mode !== 'bm25';
  const corpus = 'supplied' in source ? null : source.corpus;
  const others: OtherSteps = {
    retrieve: search,
    scoreByTfIdf: score,
    demonstrationSet: findSet,
    embedTexts: embed,
    rankBySimilarity: (query) => rank('rankBySimilarity', query),
    rankByCrossEncoder: (query) => rank('rankByCrossEncoder', query),
  };

  async function search(query: RetrieveInput): Promise<PassageRef[]> {
    // Paid for on the queue of the model calls, and kept: the search finds it in the store.
    if (byVector) await embed({ texts: [query.query] });
    return ledger.track('retrieve', labels.retrieve(query), async (row) => {
      const found = await retrieve.executeWithOptions({ summary: row.label }, [
        query,
        source,
        bounds,
      ]);
      ledger.searched(found.length);
      return found;
    });
  }

  async function score(query: ScoreByTfIdfInput): Promise<number[]> {
    return ledger.track('scoreByTfIdf', labels.scoreByTfIdf(query), ({ label: summary }) =>
      scoreByTfIdf.executeWithOptions({ summary }, [query, corpus, bounds]),
    );
  }

  async function findSet(input: FindSetInput): Promise<DemonstrationSetRef> {
    return ledger.track('demonstrationSet', labels.demonstrationSet(input), ({ label: summary }) =>
      findDemonstrationSet.executeWithOptions({ summary }, [input, bounds]),
    );
  }

  async function embed(input: EmbedTextsInput): Promise<string[]> {
    return ledger.track('embedTexts', labels.embedTexts(input), async (row) => {
      const options = { summary: row.label, ...callPriority(ledger.begun) };
      const output = await embedTexts.executeWithOptions(options, [input, bounds]);
      ledger.embedded(row, output);
      return output.value;
    });
  }

  async function rank(
    step: 'rankBySimilarity' | 'rankByCrossEncoder',
    query: RankBySimilarityInput,
  ): Promise<PassageRef[]> {
    const activity = step === 'rankBySimilarity' ? rankBySimilarity : rankByCrossEncoder;
    return ledger.track(step, labels[step](query), async (row) => {
      const options = { summary: row.label, ...callPriority(ledger.begun) };
      const output = await activity.executeWithOptions(options, [query, corpus, bounds]);
      ledger.embedded(row, output);
      return output.value;
    });
  }

  async function ask(step: keyof ModelActivities, asked: never): Promise<unknown> {
    const label = (labels[step] as (input: never) => string)(asked);
    return ledger.track(step, label, async (row) => {
      for (let attempt = 0; ; attempt++) {
        row.reasks = attempt;
        const call: SentCall = {
          model: models[step] ?? models.default ?? defaultModel,
          corpus,
          ...unusual({ prompts, attempt, cache, seed }),
          ...bounds,
        };
        const summary = attempt === 0 ? label : `${label} (asked again, ${attempt})`;
        const options = { summary, ...callPriority(ledger.begun) };
        const output = await model[step].executeWithOptions(options, [asked, call]);
        const last = output.unread === undefined || attempt >= limits.reasks;
        ledger.called(row, output, last);
        if (last) return output.value;
      }
    });
  }

  return new Proxy(others as Steps, {
    get: (own, step: keyof Steps) =>
      step in own ? own[step] : (asked: never) => ask(step as keyof ModelActivities, asked),
  });
}
