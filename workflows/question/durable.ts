import {
  ActivityCancellationType,
  type ActivityFunctionWithOptions,
  proxyActivities,
} from '@temporalio/workflow';
import { tierOf } from '../../core/tier.js';
import type { SentCall, StepOutput } from '../../steps/call.js';
import type {
  EmbeddingActivities,
  Prepared,
  QuestionActivities,
  SearchActivities,
} from '../activities/question.js';
import type { Call } from '../algorithm.js';
import { callOptions, callPriority, waitingOptions } from './call-options.js';
import type { Ledger } from './ledger.js';
import { localFirst, locally } from './local-first.js';
import { type RunActivities, type StepSettings, stepsOfQuestion } from './steps-of-question.js';

/** A model activity, whatever its step reads. */
type ModelActivity = ActivityFunctionWithOptions<
  (input: unknown, sent: SentCall) => Promise<StepOutput<unknown>>
>;

/** A call that is cancelled has ended when it has told what it may cost. */
const AWAITED = { cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED } as const;

type DurableSettings = StepSettings & Pick<Prepared<unknown>, 'searchesLocally' | 'searchQueue'>;

/**
 * Carries out the steps of one question as activities.
 *
 * @param restore Puts what the question began with into its store again.
 */
export function durable(
  { searchesLocally, searchQueue, ...settings }: DurableSettings,
  modelQueue: string,
  ledger: Ledger,
  restore: () => Promise<unknown>,
): (call: Call) => Promise<unknown> {
  const { input, transport } = settings;
  const { limits, tier } = input;
  const common = callOptions(limits);
  const searches = proxyActivities<SearchActivities>({
    ...common,
    ...(searchQueue !== undefined && { taskQueue: searchQueue }),
  });
  const { findDemonstrationSet } = proxyActivities<QuestionActivities>(common);
  const paid = { ...common, taskQueue: modelQueue, ...AWAITED };
  // A call that waits for a batch is cancelled where it waits, and told of there.
  const models = proxyActivities(transport ? { ...common, taskQueue: modelQueue } : paid);
  const embeddings = proxyActivities<EmbeddingActivities>(paid);
  const options = (summary: string) => ({ summary, ...callPriority(ledger.begun) });

  const activities: RunActivities = {
    retrieve(args, summary) {
      const usual = () => searches.retrieve.executeWithOptions({ summary }, args);
      if (!searchesLocally) return usual();
      return localFirst(() => locally.retrieve(...args), usual);
    },
    scoreByTfIdf: (args, summary) => searches.scoreByTfIdf.executeWithOptions({ summary }, args),
    findDemonstrationSet: (args, summary) =>
      findDemonstrationSet.executeWithOptions({ summary }, args),
    embedTexts: (args, summary) => embeddings.embedTexts.executeWithOptions(options(summary), args),
    rankBySimilarity: (args, summary) =>
      embeddings.rankBySimilarity.executeWithOptions(options(summary), args),
    rankByCrossEncoder: (args, summary) =>
      embeddings.rankByCrossEncoder.executeWithOptions(options(summary), args),
    ask(step, args, summary) {
      const waiting = waitingOptions(limits, tierOf(step, tier), transport);
      const activity = models[step] as ModelActivity;
      return activity.executeWithOptions({ ...options(summary), ...waiting }, args);
    },
  };
  return stepsOfQuestion(settings, activities, ledger, restore);
}
