/**
 * Carries out the calls of one question: each runs as an activity, and is entered into the ledger
 * with its usage. An interpreter decides how an activity runs.
 */
import { ApplicationFailure } from '@temporalio/workflow';
import { omitDefaults } from '../../core/call-defaults.js';
import { dollars } from '../../core/dollars.js';
import type { FailureType } from '../../core/failure.js';
import { passageOfTuple } from '../../core/passages-read.js';
import { spanOfTuple } from '../../core/span.js';
import type { PassageRef } from '../../core/vocabulary.js';
import type { AnyAction } from '../../steps/actions.js';
import type { SentCall, StepOutput } from '../../steps/call.js';
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
import type { Call } from '../algorithm.js';
import { callAddresses } from '../replaying.js';
import { activityCause, causeOf, estimatedOf } from '../workflow-failure.js';
import type { Ledger, LedgerEntry } from './ledger.js';
import {
  callBounds,
  fixedCallSettings,
  type QuestionSettings,
  type StepActivities,
} from './step-activities.js';

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
    if (asksNoModel(call.step)) return this.askNoModel(call.step, call);
    return this.ledger.track(call, (entry) => this.askUntilRead(call, entry));
  };

  /**
   * Calls a model step until its output can be read, and returns the value read; the step's fallback
   * if no output can be read.
   *
   * The step is called again at most `limits.reasks` times. After an output that was cut, it is
   * called with twice the tokens, unless they cannot be generated in time. If that output is cut too,
   * or comes too late, it is not called again.
   *
   * @throws ApplicationFailure Unexpected if the step's own code throws; the failure of a call.
   */
  private async askUntilRead(call: Call, entry: LedgerEntry): Promise<unknown> {
    const { ledger, settings, texts } = this;
    const corpus = this.corpusOf(call);
    const always = { ...fixedCallSettings(call.step, settings), ...omitDefaults({ corpus }) };
    let [thinks, doubled] = [false, false];
    let mostTokens: number | undefined;
    let before: StepOutput<unknown> | undefined;
    for (let attempt = 0; ; attempt++) {
      const sent: SentCall = {
        ...always,
        ...omitDefaults({ attempt, thinks, doubled }),
        ...(mostTokens !== undefined && { mostTokens }),
      };
      let output: StepOutput<unknown>;
      try {
        output = outputOfRow(await this.askOnce(call, entry, sent, attempt), sent.model);
      } catch (error) {
        if (!before || !doubled || causeOf(error).type !== 'Timeout') throw error;
        // The output before it was cut; with twice the tokens, none came in time.
        ledger.addEvent(entry, { kind: 'lost', estimated: estimatedOf(error), late: true });
        texts.add(before.value, before.ref);
        return before.value;
      }
      const { value, ref, ...called } = output;
      const isHopeless = output.cut === true && (doubled || output.tooSlow === true);
      const last =
        output.unread === undefined || isHopeless || attempt >= settings.input.limits.reasks;
      ledger.addEvent(entry, { kind: 'called', output: called, last });
      if (output.fault !== undefined) {
        throw ApplicationFailure.nonRetryable(output.fault, 'Unexpected');
      }
      if (last) {
        texts.add(value, ref);
        return value;
      }
      thinks ||= output.thinking !== undefined;
      doubled ||= output.cut === true;
      mostTokens = output.mostTokens ?? mostTokens;
      before = output;
    }
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
    const output = this.runFree(call, (activity) =>
      this.byReference(call.input, (given) => activity.act(call.step, given, address, this.bounds)),
    );
    if (hasSideEffects) this.acted.set(address, output);
    return output;
  }

  /** Carries out a step that asks no language model. */
  private askNoModel(step: NonModelStep, call: Call): Promise<unknown> {
    const { corpus, bounds } = this;
    // The algorithm gives each step its own type of input.
    const input = call.input as never;
    switch (step) {
      case 'retrieve':
        return this.search(call, input);
      case 'embedTexts':
        return this.runPaid(call, ({ embedTexts }) => embedTexts(input, bounds));
      case 'rankBySimilarity':
      case 'rankByCrossEncoder':
        return this.runPaid(call, ({ [step]: rank }) => rank(input, corpus, bounds));
      case 'scoreByTfIdf':
        return this.runFree(call, ({ scoreByTfIdf }) => scoreByTfIdf(input, corpus, bounds));
      case 'demonstrationSet':
        return this.runFree(call, ({ findDemonstrationSet }) =>
          findDemonstrationSet(input, bounds),
        );
    }
  }

  private async search(call: Call, input: RetrieveInput): Promise<PassageRef[]> {
    const { question, retrieval } = this.settings.input;
    const { query } = input;
    // Vectors are paid for on the queue of model calls and stored, so that the search finds them.
    if (retrieval.mode !== undefined && retrieval.mode !== 'bm25') await this.embedFor(query);
    const where = sourceForQuery(query, retrieval, question);
    return this.runFree(
      call,
      async ({ retrieve }) => {
        const { value, ...rest } = await retrieve(input, where, this.bounds);
        return { ...rest, value: value.map(passageOfTuple) };
      },
      ({ length }) => ({ kind: 'searched', found: length }),
    );
  }

  /** Embeds the texts that a search compares, including the question's own passages. */
  private async embedFor(query: string): Promise<void> {
    const { retrieval } = this.settings.input;
    const embed = (step: NonModelStep, input: EmbedTextsInput | RankInput) =>
      this.askNoModel(step, { step, input, label: nonModelSteps[step].label(input as never) });
    if (!('supplied' in retrieval)) return void (await embed('embedTexts', { texts: [query] }));
    const ids = retrieval.supplied.map(({ id }) => id);
    for (let from = 0; from < ids.length; from += EMBEDDED_AT_ONCE) {
      const passages = ids.slice(from, from + EMBEDDED_AT_ONCE);
      await embed('rankBySimilarity', { text: query, passages, count: 1 });
    }
  }

  /** Carries out a step that costs money but asks no language model. */
  private runPaid<T>(
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
  private runFree<T>(
    call: Call,
    run: (activity: StepActivities) => Promise<TimedRow<T>>,
    eventOf: (value: T) => FreeEvent = () => ({ kind: 'computed' }),
  ): Promise<T> {
    return this.ledger.track(call, async (entry) => {
      const { value, ran } = await this.restoring(() => run(this.activities(entry.row.label)));
      this.ledger.addEvent(entry, { ...eventOf(value), ...(ran && { ran: spanOfTuple(ran) }) });
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

/** Returns whether a step failed because a text is no longer in the store. */
function isGone(error: unknown): boolean {
  const cause = activityCause(error);
  return (
    cause instanceof ApplicationFailure && cause.type === ('UnknownText' satisfies FailureType)
  );
}
