/**
 * Carries out the calls of one question: each runs as an activity, and is entered into the ledger
 * with its usage. An interpreter decides how an activity runs.
 */
import { ApplicationFailure } from '@temporalio/workflow';
import { dollars } from '../../core/dollars.js';
import type { FailureType } from '../../core/failure.js';
import { passageOfRow } from '../../core/passages-read.js';
import { spanOfRow } from '../../core/span.js';
import type { PassageRef } from '../../core/vocabulary.js';
import type { AnyAction } from '../../steps/actions.js';
import type { SentCall } from '../../steps/call.js';
import type { CallEvent } from '../../steps/call-record.js';
import type {
  EmbedTextsInput,
  RankInput,
  RetrieveInput,
  SearchSource,
} from '../../steps/non-model-steps.js';
import { type OutputRow, outputOfRow, type TimedRow } from '../../steps/output-row.js';
import { asksNoModel, type NonModelStep, nonModelSteps, stepNamed } from '../../steps/table.js';
import { KnownTexts } from '../../steps/text-ref.js';
import type { CallBounds, EmbeddingRow } from '../activities/calls.js';
import type {
  EmbeddingActivities,
  PreparedInput,
  QuestionActivities,
  SearchActivities,
} from '../activities/question.js';
import type { Call } from '../algorithm.js';
import { callAddresses } from '../replaying.js';
import { activityCause, estimatedOf } from '../workflow-failure.js';
import { askUntilRead, type CallInput, callBounds, type ModelCallSettings } from './ask-step.js';
import type { Ledger, LedgerEntry } from './ledger.js';

/**
 * The functions by which a question's calls are made, one for each kind of call. In a workflow
 * each is an activity; other interpreters provide their own.
 */
export interface StepActivities
  extends SearchActivities,
    EmbeddingActivities,
    Pick<QuestionActivities, 'findDemonstrationSet'> {
  /** Runs a model step by one call. */
  ask(step: string, input: unknown, sent: SentCall): Promise<OutputRow<unknown>>;
  /** Runs the activity of an action; the address of its call is the idempotency key. */
  act(
    step: string,
    input: unknown,
    address: string,
    bounds: CallBounds,
  ): Promise<TimedRow<unknown>>;
}

/**
 * The settings with which all calls of a question are made: those of its model calls, its text,
 * its passages, and its budget.
 */
export interface QuestionSettings extends ModelCallSettings {
  input: CallInput &
    Pick<PreparedInput<unknown>, 'question' | 'retrieval' | 'budgetPerQuestionUsd'>;
}

/** The event of a step that costs nothing. */
type FreeEvent = Extract<CallEvent, { kind: 'computed' | 'searched' }>;

/**
 * Makes the calls of one question, each as an activity, and enters each with its usage into the
 * question's ledger.
 */
export class QuestionCalls {
  private readonly bounds: CallBounds;
  /** The corpus whose passages steps show; null if they came with the question. */
  private readonly corpus: string | null;
  private readonly texts = new KnownTexts();
  private readonly addressOf = callAddresses();
  /** Outputs of actions with side effects, by the address of their calls. */
  private readonly acted = new Map<string, Promise<unknown>>();

  /**
   * @param activities Returns the activities, with a summary for the Temporal UI, which may be empty.
   * @param restore Stores the passages and prompts of the question again.
   */
  constructor(
    private readonly settings: QuestionSettings,
    private readonly activities: (summary: string) => StepActivities,
    private readonly ledger: Ledger,
    private readonly restore: () => Promise<unknown>,
  ) {
    const { limits, retrieval } = settings.input;
    this.bounds = callBounds(limits, settings);
    this.corpus = 'supplied' in retrieval ? null : retrieval.corpus;
  }

  /**
   * Carries out a call and returns its output.
   *
   * @throws ApplicationFailure QuestionBudget before a paid call once the question's budget is spent;
   * the failure of the activity.
   */
  readonly perform = async (call: Call): Promise<unknown> => {
    if (call.action) return this.act(call, call.action);
    return asksNoModel(call.step) ? this.other(call.step, call) : this.ask(call);
  };

  /** Asks a language model; asks again if the output cannot be read. */
  private ask(call: Call): Promise<unknown> {
    return this.ledger.track(call, (entry) =>
      askUntilRead<unknown>(call.step, this.settings, this.corpusOf(call), {
        call: (sent, attempt) => this.askOnce(call, entry, sent, attempt),
        called: ({ value, ref, ...output }, last) => {
          this.ledger.addEvent(entry, { kind: 'called', output, last });
          if (last) this.texts.add(value, ref);
        },
        late: (error, { value, ref }) => {
          this.ledger.addEvent(entry, { kind: 'lost', estimated: estimatedOf(error), late: true });
          this.texts.add(value, ref);
        },
      }),
    );
  }

  /** Returns the corpus that a call shows passages of; null if it shows none, as far as is known. */
  private corpusOf({ step, input }: Call): string | null {
    const declared = stepNamed(step);
    const showsNone = declared && !declared.passages?.(input as object).length;
    return showsNone ? null : this.corpus;
  }

  /** Makes one call of a model step. */
  private askOnce(
    { step, input }: Call,
    { row }: LedgerEntry,
    sent: SentCall,
    attempt: number,
  ): Promise<OutputRow<unknown>> {
    this.checkBudget();
    row.reasks = attempt;
    const again = attempt === 0 ? '' : `(asked again, ${attempt})`;
    const summary = [row.label, again].filter((part) => part !== '').join(' ');
    return this.restoring(() =>
      this.byReference(input, (given) => this.activities(summary).ask(step, given, sent)),
    );
  }

  /** Carries out an action; one with side effects only once for equal inputs. */
  private act(call: Call, { hasSideEffects }: AnyAction): Promise<unknown> {
    const address = this.addressOf(call);
    const before = this.acted.get(address);
    if (before !== undefined) return before;
    this.checkBudget();
    const output = this.free(call, (activity) =>
      this.byReference(call.input, (given) => activity.act(call.step, given, address, this.bounds)),
    );
    if (hasSideEffects) this.acted.set(address, output);
    return output;
  }

  /** Carries out a step that asks no language model. */
  private other(step: NonModelStep, call: Call): Promise<unknown> {
    const { corpus, bounds } = this;
    // The algorithm gives each step its own type of input.
    const input = call.input as never;
    switch (step) {
      case 'retrieve':
        return this.search(call, input);
      case 'embedTexts':
        return this.embedding(call, ({ embedTexts }) => embedTexts(input, bounds));
      case 'rankBySimilarity':
      case 'rankByCrossEncoder':
        return this.embedding(call, ({ [step]: rank }) => rank(input, corpus, bounds));
      case 'scoreByTfIdf':
        return this.free(call, ({ scoreByTfIdf }) => scoreByTfIdf(input, corpus, bounds));
      case 'demonstrationSet':
        return this.free(call, ({ findDemonstrationSet }) => findDemonstrationSet(input, bounds));
    }
  }

  private async search(call: Call, input: RetrieveInput): Promise<PassageRef[]> {
    const { question, retrieval } = this.settings.input;
    const { query } = input;
    // Vectors are paid for on the queue of model calls and stored, so that the search finds them.
    if (retrieval.mode !== undefined && retrieval.mode !== 'bm25') await this.embedFor(query);
    const where = sourceForQuery(query, retrieval, question);
    return this.free(
      call,
      async ({ retrieve }) => {
        const { value, ...rest } = await retrieve(input, where, this.bounds);
        return { ...rest, value: value.map(passageOfRow) };
      },
      ({ length }) => ({ kind: 'searched', found: length }),
    );
  }

  /** Embeds the texts that a search compares, including the question's own passages. */
  private async embedFor(query: string): Promise<void> {
    const { retrieval } = this.settings.input;
    const embed = (step: NonModelStep, input: EmbedTextsInput | RankInput) =>
      this.other(step, { step, input, label: nonModelSteps[step].label(input as never) });
    if (!('supplied' in retrieval)) return void (await embed('embedTexts', { texts: [query] }));
    const ids = retrieval.supplied.map(({ id }) => id);
    for (const passages of embeddingPages(ids)) {
      await embed('rankBySimilarity', { text: query, passages, count: 1 });
    }
  }

  /** Carries out a step that costs money but asks no language model. */
  private embedding<T>(
    call: Call,
    run: (activity: StepActivities) => Promise<EmbeddingRow<T>>,
  ): Promise<T> {
    return this.ledger.track(call, async (entry) => {
      this.checkBudget();
      const { value, ...output } = outputOfRow(
        await this.restoring(() => run(this.activities(entry.row.label))),
      );
      this.ledger.addEvent(entry, { kind: 'embedded', output });
      return value;
    });
  }

  /** Carries out a step that costs nothing. */
  private free<T>(
    call: Call,
    run: (activity: StepActivities) => Promise<TimedRow<T>>,
    eventOf: (value: T) => FreeEvent = () => ({ kind: 'computed' }),
  ): Promise<T> {
    return this.ledger.track(call, async (entry) => {
      const { value, ran } = await this.restoring(() => run(this.activities(entry.row.label)));
      this.ledger.addEvent(entry, { ...eventOf(value), ...(ran && { ran: spanOfRow(ran) }) });
      return value;
    });
  }

  /**
   * Checks the question's budget. Running calls may still add to the cost.
   *
   * @throws ApplicationFailure QuestionBudget if it is spent, or if the cost is unknown.
   */
  private checkBudget(): void {
    const { budgetPerQuestionUsd: budgetUsd } = this.settings.input;
    if (budgetUsd === undefined) return;
    const { costUsd, calls } = this.ledger.usage;
    if (costUsd !== null && costUsd < budgetUsd) return;
    const spent =
      costUsd === null
        ? 'its cost is unknown: add the price of the model to the file that DURABLE_RAG_PRICES names'
        : `it has cost ${dollars(costUsd)} in ${calls === 1 ? '1 call' : `${calls} calls`}`;
    throw ApplicationFailure.nonRetryable(
      `A question may cost ${dollars(budgetUsd)} (budgetPerQuestionUsd), and ${spent}.`,
      'QuestionBudget' satisfies FailureType,
    );
  }

  /** Runs an activity; if the store has lost the question's texts, restores them and repeats it. */
  private restoring<T>(run: () => Promise<T>): Promise<T> {
    return run().catch(async (error: unknown) => {
      if (!isGone(error)) throw error;
      await this.restore();
      return run();
    });
  }

  /**
   * Runs an activity with references in place of long texts. If a response that they refer to is no
   * longer in the store, runs it with the texts themselves.
   */
  private byReference<T>(input: unknown, run: (input: unknown) => Promise<T>): Promise<T> {
    const shorter = this.texts.replacedIn(input);
    if (shorter === undefined) return run(input);
    return run(shorter).catch((error: unknown) => {
      if (isGone(error)) return run(input);
      throw error;
    });
  }
}

/**
 * Returns the source that a query searches. Supplied passages are in their given order for the
 * question itself; any other query ranks them by BM25. If a mode is set, it ranks them for every
 * query.
 */
function sourceForQuery(query: string, source: SearchSource, question: string): SearchSource {
  const isAsGiven = !('supplied' in source) || source.mode !== undefined || query === question;
  return isAsGiven ? source : { ...source, mode: 'bm25' };
}

/** Maximum number of texts that are embedded in one request. */
const EMBEDDED_AT_ONCE = 200;

/** Returns the passages in pages of one request each, in their order. */
function embeddingPages<T>(passages: readonly T[]): T[][] {
  const pages = Math.ceil(passages.length / EMBEDDED_AT_ONCE);
  return Array.from({ length: pages }, (_, page) =>
    passages.slice(page * EMBEDDED_AT_ONCE, (page + 1) * EMBEDDED_AT_ONCE),
  );
}

/** Returns whether a step failed because a text is no longer in the store. */
function isGone(error: unknown): boolean {
  const cause = activityCause(error);
  return (
    cause instanceof ApplicationFailure && cause.type === ('UnknownText' satisfies FailureType)
  );
}
