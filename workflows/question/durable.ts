import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';
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
import { type StepActivities, type StepSettings, stepsOfQuestion } from './steps-of-question.js';

/** A model activity, whatever its step reads. */
type ModelActivity = (input: unknown, sent: SentCall) => Promise<StepOutput<unknown>>;

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
  const searchedAt = searchQueue === undefined ? {} : { taskQueue: searchQueue };

  function activities(summary: string): StepActivities {
    const shown = summary === '' ? common : { ...common, summary };
    const searches = proxyActivities<SearchActivities>({ ...shown, ...searchedAt });
    const { findDemonstrationSet } = proxyActivities<QuestionActivities>(shown);
    const paid = { ...shown, taskQueue: modelQueue, ...callPriority(ledger.begun) };
    const embeddings = proxyActivities<EmbeddingActivities>({ ...paid, ...AWAITED });
    return {
      retrieve(...args) {
        const usual = () => searches.retrieve(...args);
        return searchesLocally
          ? localFirst(() => locally(summary).retrieve(...args), usual)
          : usual();
      },
      scoreByTfIdf: searches.scoreByTfIdf,
      findDemonstrationSet,
      embedTexts: embeddings.embedTexts,
      rankBySimilarity: embeddings.rankBySimilarity,
      rankByCrossEncoder: embeddings.rankByCrossEncoder,
      ask(step, ...args) {
        const waiting = waitingOptions(limits, tierOf(step, tier), transport);
        // A call that waits for a batch is cancelled where it waits, and told of there.
        const models = proxyActivities({ ...paid, ...(!transport && AWAITED), ...waiting });
        return (models[step] as ModelActivity)(...args);
      },
    };
  }
  return stepsOfQuestion(settings, activities, ledger, restore);
}
