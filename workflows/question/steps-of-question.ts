import { ApplicationFailure } from '@temporalio/workflow';
import { dollars } from '../../core/dollars.js';
import type { FailureType } from '../../core/failure.js';
import type { Usage } from '../../core/usage.js';
import type { PassageRef } from '../../core/vocabulary.js';
import type { AnyAction } from '../../steps/actions.js';
import type { SentCall, StepOutput, Timed } from '../../steps/call.js';
import type { CallEvent } from '../../steps/call-record.js';
import type { EmbedTextsInput, RankInput, RetrieveInput, Source } from '../../steps/other.js';
import { asksNoModel, type OtherStep, otherSteps } from '../../steps/table.js';
import { replaced, type TextRef, textRefsIn } from '../../steps/text-ref.js';
import type { CallBounds, EmbeddingOutput } from '../activities/calls.js';
import type {
  EmbeddingActivities,
  PreparedInput,
  QuestionActivities,
  SearchActivities,
} from '../activities/question.js';
import type { Call } from '../algorithm.js';
import { estimatedOf, ofActivity } from '../failures.js';
import { addresses } from '../replaying.js';
import type { Ledger } from './ledger.js';
import {
  type CallInput,
  type CallSettings,
  callBounds,
  type MakeCall,
  modelCalls,
} from './model-calls.js';

/** Activities of a question's steps, as an interpreter runs them. */
export interface StepActivities
  extends SearchActivities,
    EmbeddingActivities,
    Pick<QuestionActivities, 'findDemonstrationSet'> {
  /** Runs a model step. The type of its value makes no difference to the bookkeeping. */
  ask(step: string, input: unknown, sent: SentCall): Promise<StepOutput<unknown>>;
  /** Runs the activity of an action; the address of its call is the idempotency key. */
  act(step: string, input: unknown, address: string, bounds: CallBounds): Promise<Timed<unknown>>;
}

/** Event of a step that costs nothing. */
type FreeEvent = Extract<CallEvent, { kind: 'computed' | 'searched' }>;

/** Decides how steps are carried out. */
export interface StepSettings extends Omit<CallSettings, 'corpus'> {
  input: CallInput &
    Pick<PreparedInput<unknown>, 'question' | 'retrieval' | 'budgetPerQuestionUsd'>;
}

/**
 * Returns a function that carries out the steps of one question.
 *
 * Each call carries its model, prompt set and bounds. An unreadable output is asked for again up to
 * `limits.reasks` times; then the step's fallback replaces it, and the result is flagged.
 *
 * @param activities Gives them with a line for the Temporal UI, which may be empty.
 * @param restore Puts what the question began with into its store again.
 */
export function stepsOfQuestion(
  settings: StepSettings,
  activities: (summary: string) => StepActivities,
  ledger: Ledger,
  restore: () => Promise<unknown>,
): (call: Call) => Promise<unknown> {
  const { limits, retrieval: source, question, budgetPerQuestionUsd } = settings.input;
  const bounds = callBounds(limits, settings);
  const byVector = 'mode' in source && source.mode !== 'bm25';
  const corpus = 'supplied' in source ? null : source.corpus;
  const askUntilRead = modelCalls({ ...settings, corpus });
  const texts = new TextRefs();

  /** Asks again if the store has lost what the question began with, after storing it again. */
  function kept<T>(run: () => Promise<T>): Promise<T> {
    return run().catch(async (error: unknown) => {
      if (!isGone(error)) throw error;
      await restore();
      return run();
    });
  }

  /** Carries out a step that costs nothing. */
  function free<T>(
    call: Call,
    run: (activity: StepActivities) => Promise<Timed<T>>,
    eventOf: (value: T) => FreeEvent = () => ({ kind: 'computed' }),
  ): Promise<T> {
    return ledger.track(call, async (row) => {
      const { value, ran } = await kept(() => run(activities(row.label)));
      ledger.note(row, { ...eventOf(value), ...(ran && { ran }) });
      return value;
    });
  }

  /** Carries out a step that costs money but asks no language model. */
  function embedding<T>(
    call: Call,
    run: (activity: StepActivities) => Promise<EmbeddingOutput<T>>,
  ): Promise<T> {
    return ledger.track(call, async (row) => {
      checkBudget(ledger.usage, budgetPerQuestionUsd);
      const { value, ...output } = await kept(() => run(activities(row.label)));
      ledger.note(row, { kind: 'embedded', output });
      return value;
    });
  }

  const addressOf = addresses();
  /** Outputs of actions with side effects, by the address of their calls. */
  const done = new Map<string, Promise<unknown>>();

  /** Carries out an action; one with side effects once for equal inputs. */
  function act(call: Call, { hasSideEffects }: AnyAction): Promise<unknown> {
    const address = addressOf(call);
    const before = done.get(address);
    if (before !== undefined) return before;
    checkBudget(ledger.usage, budgetPerQuestionUsd);
    const output = free(call, (activity) =>
      texts.give(call.input, (given) => activity.act(call.step, given, address, bounds)),
    );
    if (hasSideEffects) done.set(address, output);
    return output;
  }

  /** Asks a language model; asks again if the output cannot be read. */
  function ask(asking: Call): Promise<unknown> {
    const { step, input: asked } = asking;
    return ledger.track(asking, (row) => {
      const call: MakeCall<unknown> = (sent, attempt) => {
        checkBudget(ledger.usage, budgetPerQuestionUsd);
        row.reasks = attempt;
        const again = attempt === 0 ? '' : `(asked again, ${attempt})`;
        const summary = [row.label, again].filter((part) => part !== '').join(' ');
        return kept(() => texts.give(asked, (given) => activities(summary).ask(step, given, sent)));
      };
      return askUntilRead(step, call, {
        called({ value, ref, ...output }, last) {
          ledger.note(row, { kind: 'called', output, last });
          if (last) texts.remember(value, ref);
        },
        late(error, { value, ref }) {
          ledger.note(row, { kind: 'lost', estimated: estimatedOf(error), late: true });
          texts.remember(value, ref);
        },
      });
    });
  }

  /** Embeds the texts that a search compares, including the question's own passages. */
  async function embedFor(query: string): Promise<void> {
    const embed = (step: OtherStep, input: EmbedTextsInput | RankInput) =>
      other(step, { step, input, label: otherSteps[step].label(input as never) });
    if (!('supplied' in source)) return void (await embed('embedTexts', { texts: [query] }));
    const ids = source.supplied.map(({ id }) => id);
    for (const passages of embeddingPages(ids)) {
      await embed('rankBySimilarity', { text: query, passages, count: 1 });
    }
  }

  async function search(call: Call, input: RetrieveInput): Promise<PassageRef[]> {
    const { query } = input;
    // Paid for on the queue of model calls and stored, so that the search finds it.
    if (byVector) await embedFor(query);
    const where = searchedBy(query, source, question);
    return free(
      call,
      ({ retrieve }) => retrieve(input, where, bounds),
      ({ length }) => ({ kind: 'searched', found: length }),
    );
  }

  /** Carries out a step that asks no language model. */
  function other(step: OtherStep, call: Call): Promise<unknown> {
    // The algorithm gives each step its own type of input.
    const input = call.input as never;
    switch (step) {
      case 'retrieve':
        return search(call, input);
      case 'embedTexts':
        return embedding(call, ({ embedTexts }) => embedTexts(input, bounds));
      case 'rankBySimilarity':
      case 'rankByCrossEncoder':
        return embedding(call, ({ [step]: rank }) => rank(input, corpus, bounds));
      case 'scoreByTfIdf':
        return free(call, ({ scoreByTfIdf }) => scoreByTfIdf(input, corpus, bounds));
      case 'demonstrationSet':
        return free(call, ({ findDemonstrationSet }) => findDemonstrationSet(input, bounds));
    }
  }

  return async (call) => {
    if (call.action) return act(call, call.action);
    return asksNoModel(call.step) ? other(call.step, call) : ask(call);
  };
}

/**
 * Ends a question that has used up its budget. Running calls may still add to the cost.
 *
 * @throws ApplicationFailure QuestionBudget.
 */
function checkBudget({ costUsd, calls }: Usage, budgetUsd: number | undefined): void {
  if (budgetUsd === undefined || (costUsd !== null && costUsd < budgetUsd)) return;
  const spent =
    costUsd === null
      ? 'what it has cost is not known: put the price of the model into the file that DURABLE_RAG_PRICES names'
      : `it has cost ${dollars(costUsd)} in ${calls === 1 ? '1 call' : `${calls} calls`}`;
  throw ApplicationFailure.nonRetryable(
    `A question may cost ${dollars(budgetUsd)} (budgetPerQuestionUsd), and ${spent}.`,
    'QuestionBudget' satisfies FailureType,
  );
}

/**
 * Returns where a query searches. Passages that came with the question are in the order found for
 * it, so any other query ranks them by BM25. A mode that was asked for ranks them for every query.
 */
function searchedBy(query: string, source: Source, question: string): Source {
  const isAsGiven = !('supplied' in source) || source.mode !== undefined || query === question;
  return isAsGiven ? source : { ...source, mode: 'bm25' };
}

/** Texts embedded in one request. */
const EMBEDDED_AT_ONCE = 200;

/** Returns the passages in pages of one request each, in their order. */
function embeddingPages<T>(passages: readonly T[]): T[][] {
  const pages = Math.ceil(passages.length / EMBEDDED_AT_ONCE);
  return Array.from({ length: pages }, (_, page) =>
    passages.slice(page * EMBEDDED_AT_ONCE, (page + 1) * EMBEDDED_AT_ONCE),
  );
}

const GONE: FailureType = 'UnknownText';

/** Texts of one question for which steps have returned a reference. */
export class TextRefs {
  readonly #refs = new Map<string, TextRef>();

  remember(value: unknown, ref: TextRef | undefined): void {
    if (ref && typeof value === 'string') this.#refs.set(value, ref);
  }

  /**
   * Asks with references in place of the texts in `input`. If a response is no longer in the store,
   * asks with the texts themselves.
   */
  give<T>(input: unknown, ask: (input: unknown) => Promise<T>): Promise<T> {
    if (this.#refs.size === 0) return ask(input);
    const shorter = replaced(input, (part) =>
      typeof part === 'string' ? this.#refs.get(part) : undefined,
    );
    if (textRefsIn(shorter).length === 0) return ask(input);
    return ask(shorter).catch((error: unknown) => {
      if (isGone(error)) return ask(input);
      throw error;
    });
  }
}

/** Tells whether a step failed because a text is no longer in the store. */
export function isGone(error: unknown): boolean {
  const cause = ofActivity(error);
  return cause instanceof ApplicationFailure && cause.type === GONE;
}
