import { ActivityCancellationType, proxyActivities, workflowInfo } from '@temporalio/workflow';
import { tierOf } from '../../core/tier.js';
import type { SentCall, StepOutput, Timed } from '../../steps/call.js';
import type { CallBounds } from '../activities/calls.js';
import type {
  EmbeddingActivities,
  Prepared,
  QuestionActivities,
  SearchActivities,
} from '../activities/question.js';
import type { Call } from '../algorithm.js';
import { callPriority } from '../queue/priorities.js';
import { callOptions, waitingOptions } from './call-options.js';
import type { Ledger } from './ledger.js';
import { localFirst, locally } from './local-first.js';
import { type StepActivities, type StepSettings, stepsOfQuestion } from './steps-of-question.js';

/** A model activity, whatever its step reads. */
type ModelActivity = (input: unknown, sent: SentCall) => Promise<StepOutput<unknown>>;

/** Activity of an action. */
type ActionActivity = (
  input: unknown,
  address: string,
  bounds: CallBounds,
) => Promise<Timed<unknown>>;

/** Waits for a cancelled call until it has reported its possible cost. */
const AWAITED = { cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED } as const;

interface DurableSettings
  extends StepSettings,
    Pick<Prepared<unknown>, 'searchesLocally' | 'searchQueue'> {
  /** Estimated number of calls of a question, see `AskedBy`. */
  callsEach?: number | undefined;
  /** Whether the question has been asked before, so that no call counts as its first. */
  isBegun?: boolean;
}

/**
 * Returns a function that carries out the steps of one question as activities.
 *
 * @param restore Stores again what the question began with.
 */
export function durable(
  { searchesLocally, searchQueue, callsEach, isBegun = false, ...settings }: DurableSettings,
  modelQueue: string,
  ledger: Ledger,
  restore: () => Promise<unknown>,
): (call: Call) => Promise<unknown> {
  const { input, transport, tenant } = settings;
  const { limits, tier } = input;
  const common = callOptions(limits);
  let isFirst = !isBegun;
  const searchedAt = searchQueue === undefined ? {} : { taskQueue: searchQueue };

  /** Returns the options of a call that is paid for. Its priority is that of its place. */
  function paid(shown: typeof common & { summary?: string }) {
    const priority = callPriority(workflowInfo().priority ?? {}, { tenant, callsEach, isFirst });
    isFirst = false;
    const isOwn = Object.keys(priority).length > 0;
    // What is left out is inherited.
    return { ...shown, taskQueue: modelQueue, ...(isOwn && { priority }) };
  }

  function activities(summary: string): StepActivities {
    const shown = summary === '' ? common : { ...common, summary };
    const searches = proxyActivities<SearchActivities>({ ...shown, ...searchedAt });
    const { findDemonstrationSet } = proxyActivities<QuestionActivities>(shown);
    const embeddings = () => proxyActivities<EmbeddingActivities>({ ...paid(shown), ...AWAITED });
    return {
      retrieve(...args) {
        const usual = () => searches.retrieve(...args);
        return searchesLocally
          ? localFirst(() => locally(summary).retrieve(...args), usual)
          : usual();
      },
      scoreByTfIdf: searches.scoreByTfIdf,
      findDemonstrationSet,
      embedTexts: (...args) => embeddings().embedTexts(...args),
      rankBySimilarity: (...args) => embeddings().rankBySimilarity(...args),
      rankByCrossEncoder: (...args) => embeddings().rankByCrossEncoder(...args),
      act: (step, ...args) => {
        const actions = proxyActivities({ ...shown, ...AWAITED });
        return (actions[step] as ActionActivity)(...args);
      },
      ask(step, ...args) {
        const waiting = waitingOptions(limits, tierOf(step, tier), transport);
        // A cancelled call that waits for a batch is ended in the pool, and reported from there.
        const options = { ...paid(shown), ...(!transport && AWAITED), ...waiting };
        return (proxyActivities(options)[step] as ModelActivity)(...args);
      },
    };
  }
  return stepsOfQuestion(settings, activities, ledger, restore);
}
