/** Carries the steps of a question out as activities, with the bookkeeping that no method repeats. */
import {
  ActivityCancellationType,
  type ActivityFunctionWithOptions,
  type ActivityOptions,
  proxyActivities,
} from '@temporalio/workflow';
import type {
  EmbeddingActivities,
  QuestionActivities,
  SearchActivities,
} from '../activities/index.js';
import type { EmbeddingOutput } from '../activities/runtime/embedding-step.js';
import type { Prepared, PreparedInput } from '../activities/runtime/prepare.js';
import type { Call } from '../methods/algorithm.js';
import type { AskedTransport } from '../methods/batch-transport.js';
import { embeddingPages } from '../methods/embedding-pages.js';
import { tierOf } from '../methods/tier.js';
import type { SentCall, StepOutput } from '../steps/call.js';
import type { EmbedTextsInput } from '../steps/other/embed-texts.js';
import type { RankInput } from '../steps/other/rank.js';
import type { Source } from '../steps/other/retrieve.js';
import { otherSteps, type StepFunctions, type StepName } from '../steps/table.js';
import { callBounds, callOptions, callPriority, waitingOptions } from './call-options.js';
import type { Ledger } from './ledger.js';
import { localFirst, locally } from './local-first.js';
import { type CallInput, type MakeCall, modelCalls } from './model-calls.js';
import { isGone, TextRefs } from './text-refs.js';

/** The steps that ask no language model, as they are carried out: with the line that people see. */
type OtherSteps = {
  [S in Exclude<keyof StepFunctions, StepName>]: (
    input: Parameters<StepFunctions[S]>[0],
    label: string,
  ) => ReturnType<StepFunctions[S]>;
};

/** One of them, whatever it is given and gives. */
type Carried = (input: unknown, label: string) => Promise<unknown>;

/** A model activity as the bookkeeping sees it: what its step reads makes no difference to it. */
type ModelActivity<O> = (input: unknown, call: SentCall) => Promise<StepOutput<O>>;

/** What the Temporal UI shows of a call, and how urgent it is. */
type CallOptions = Pick<ActivityOptions, 'summary' | 'priority'>;

/** A call that is cancelled has ended when it has told what it may cost. */
const AWAITED = { cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED } as const;

/** What decides how steps are carried out. */
export interface StepSettings
  extends Pick<Prepared<unknown>, 'awaitsCalls' | 'defaultModel' | 'local' | 'searchQueue'> {
  input: CallInput & Pick<PreparedInput<unknown>, 'question' | 'retrieval'>;
  /** Where model calls go by batch. */
  transport?: AskedTransport | undefined;
}

/**
 * Carries out the steps of one question.
 *
 * Each carries its model, prompt set, retry bounds and UI summary; an unreadable output is asked
 * again up to `limits.reasks` times, after which its fallback stands in and the result is flagged.
 *
 * @param restore Puts what the question began with into its store again.
 */
export function durable(
  { input, defaultModel, local = [], searchQueue, awaitsCalls, transport }: StepSettings,
  modelQueue: string,
  ledger: Ledger,
  restore: () => Promise<unknown>,
): (call: Call) => Promise<unknown> {
  const { limits, retrieval: source, question, tier: tiers } = input;
  const common = callOptions(limits);
  const { retrieve, scoreByTfIdf } = proxyActivities<SearchActivities>({
    ...common,
    ...(searchQueue !== undefined && { taskQueue: searchQueue }),
  });
  const { findDemonstrationSet } = proxyActivities<QuestionActivities>(common);
  const paid = { ...common, taskQueue: modelQueue, ...(awaitsCalls && AWAITED) };
  // A call that waits for a batch is cancelled where it waits, and told of there.
  const model = proxyActivities<Record<string, ModelActivity<unknown>>>(
    transport ? { ...common, taskQueue: modelQueue } : paid,
  );
  const { embedTexts, rankBySimilarity, rankByCrossEncoder } =
    proxyActivities<EmbeddingActivities>(paid);
  const bounds = callBounds(limits);
  const byVector = 'mode' in source && source.mode !== 'bm25';
  const corpus = 'supplied' in source ? null : source.corpus;
  const askUntilRead = modelCalls(input, defaultModel, corpus, transport);
  const texts = new TextRefs();

  /** Asks once more where the store has lost what the question began with, and it is there again. */
  function kept<T>(run: () => Promise<T>): Promise<T> {
    return run().catch(async (error: unknown) => {
      if (!isGone(error)) throw error;
      await restore();
      return run();
    });
  }

  /** A step that costs nothing. */
  function free<T>(
    step: keyof OtherSteps,
    label: string,
    run: (options: CallOptions) => Promise<T>,
  ): Promise<T> {
    return ledger.track(step, label, ({ label: summary }) => kept(() => run({ summary })));
  }

  /** A step that is paid for, and asks no language model. */
  function embedding<T>(
    step: keyof OtherSteps,
    label: string,
    run: (options: CallOptions) => Promise<EmbeddingOutput<T>>,
  ): Promise<T> {
    return ledger.track(step, label, async (row) => {
      const options = { summary: row.label, ...callPriority(ledger.begun) };
      const output = await kept(() => run(options));
      ledger.embedded(row, output);
      return output.value;
    });
  }

  /** A step that asks a language model, and asks again where its output cannot be read. */
  function ask({ step, input: asked, label }: Call): Promise<unknown> {
    const activity = model[step] as ActivityFunctionWithOptions<ModelActivity<unknown>>;
    const tier = tierOf(step, tiers);
    return ledger.track(step, label, (row) => {
      const call: MakeCall<unknown> = (sent, attempt) => {
        row.reasks = attempt;
        const summary = attempt === 0 ? row.label : `${row.label} (asked again, ${attempt})`;
        const waiting = waitingOptions(limits, tier, transport);
        const options = { summary, ...callPriority(ledger.begun), ...waiting };
        return kept(() =>
          texts.give(asked, (given) => activity.executeWithOptions(options, [given, sent])),
        );
      };
      return askUntilRead(step, call, (output, last) => {
        ledger.called(row, output, last);
        if (last) texts.remember(output);
      });
    });
  }

  const embed = (input: EmbedTextsInput, label = otherSteps.embedTexts.label(input)) =>
    embedding('embedTexts', label, (options) =>
      embedTexts.executeWithOptions(options, [input, bounds]),
    );
  const similarity = (query: RankInput, label = otherSteps.rankBySimilarity.label(query)) =>
    embedding('rankBySimilarity', label, (options) =>
      rankBySimilarity.executeWithOptions(options, [query, corpus, bounds]),
    );

  /** Makes the vectors that a search compares; those of passages of the question's own as well. */
  async function embedFor(query: string): Promise<void> {
    if (!('supplied' in source)) return void (await embed({ texts: [query] }));
    const ids = source.supplied.map(({ id }) => id);
    for (const passages of embeddingPages(ids)) {
      await similarity({ text: query, passages, count: 1 });
    }
  }

  const others: OtherSteps = {
    async retrieve(query, label) {
      // Paid for on the queue of the model calls, and kept: the search finds it in the store.
      if (byVector) await embedFor(query.query);
      const where = searchedBy(query.query, source, question);
      return free('retrieve', label, async (options) => {
        const usual = () => retrieve.executeWithOptions(options, [query, where, bounds]);
        const isLocal = local.includes('retrieve');
        const found = await (isLocal
          ? localFirst(() => locally.retrieve(query, where, bounds), usual)
          : usual());
        ledger.searched(found.length);
        return found;
      });
    },
    embedTexts: embed,
    scoreByTfIdf: (query, label) =>
      free('scoreByTfIdf', label, (options) =>
        scoreByTfIdf.executeWithOptions(options, [query, corpus, bounds]),
      ),
    demonstrationSet: (input, label) =>
      free('demonstrationSet', label, (options) =>
        findDemonstrationSet.executeWithOptions(options, [input, bounds]),
      ),
    rankBySimilarity: similarity,
    rankByCrossEncoder: (query, label) =>
      embedding('rankByCrossEncoder', label, (options) =>
        rankByCrossEncoder.executeWithOptions(options, [query, corpus, bounds]),
      ),
  };
  return (call) => {
    if (!Object.hasOwn(others, call.step)) return ask(call);
    const other = others[call.step as keyof OtherSteps] as Carried;
    return other(call.input, call.label);
  };
}

/**
 * Where a query searches. Passages that came with the question stand in the order in which they were
 * found for it; any other query ranks them by its own words, and a mode that was asked for ranks
 * them for every query.
 */
function searchedBy(query: string, source: Source, question: string): Source {
  const isAsGiven = !('supplied' in source) || source.mode !== undefined || query === question;
  return isAsGiven ? source : { ...source, mode: 'bm25' };
}
