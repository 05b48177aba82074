/**
 * Plans one question. A call with a stored answer returns that answer and costs nothing; any other
 * call returns the costliest output that it can have.
 *
 * Costliest outputs are returned only once nothing else of the question can continue. All calls
 * until then follow from stored answers, so a run makes exactly these. Later calls follow from
 * unknown answers, and are the most that a run can make.
 */

import { readPassages } from '../activities/runtime/model-request.js';
import {
  bestFirst,
  nearestFirst,
  retrievePassages,
  tfIdfWeights,
} from '../activities/runtime/non-model-steps.js';
import type { OfflinePorts } from '../activities/runtime/ports.js';
import { storedOutput } from '../activities/runtime/run-model-step.js';
import { passageTuple } from '../core/passages-read.js';
import type { Passage, PassageRef } from '../core/vocabulary.js';
import { passageText } from '../retrieval/retriever.js';
import type { AnyAction } from '../steps/actions.js';
import type { SentCall } from '../steps/call.js';
import type { RankInput } from '../steps/non-model-steps.js';
import { type OutputRow, outputRow, type TimedRow } from '../steps/output-row.js';
import { asksNoModel } from '../steps/table.js';
import { PlannedTranscripts } from '../stores/transcripts.js';
import type { EmbeddingRow } from '../workflows/activities/calls.js';
import type { Call } from '../workflows/algorithm.js';
import { Ledger } from '../workflows/question/ledger.js';
import { QuestionCalls } from '../workflows/question/question-calls.js';
import type { QuestionSettings, StepActivities } from '../workflows/question/step-activities.js';
import { CallGate } from './call-gate.js';
import type { ShownTexts } from './call-tokens.js';
import { longestFirst } from './plan-searches.js';
import { modelStepNamed, type PlanInputs, planInterpreter } from './planning.js';

/**
 * The certainty of the cost of a call. answered: it costs nothing, because its answer is stored or
 * an equal call of the run pays for it. exact: it will be paid for. atMost: it may be paid for.
 */
type Certainty = 'answered' | 'exact' | 'atMost';

/**
 * A planned call of one step, and whether it costs nothing, will be paid for, or at most may be.
 */
export interface PlannedCall extends Pick<Call, 'step' | 'input'> {
  certainty: Certainty;
  /** Whether there is a stored answer that is not used because it is unknown how it ended. */
  isUnended?: boolean;
}

interface QuestionPlanOptions {
  /** Keys of the calls that the run pays for; equal calls are paid for once. */
  paid: Set<string>;
  /** Whether stored responses are looked up and corpora searched; if not, passages are planned. */
  looksUp: boolean;
  /** Set to look up nothing, so that all calls are the most that a run can make. */
  isUnknown?: boolean;
}

/**
 * Plans the calls of one question: performs them without asking a model, and collects them with
 * the passages and transcripts in their prompts.
 */
export class QuestionPlan {
  readonly #calls: PlannedCall[] = [];
  readonly #gate: CallGate;
  readonly #found = new Map<string, Passage>();
  readonly #ports: OfflinePorts;
  readonly #own: ReadonlyMap<string, Passage>;
  readonly #transcripts: PlannedTranscripts;
  #planned: ReturnType<typeof planInterpreter> | undefined;

  constructor(
    ports: OfflinePorts,
    private readonly inputs: PlanInputs,
    private readonly options: QuestionPlanOptions,
  ) {
    this.#gate = new CallGate(options.isUnknown);
    const own = inputs.available === Infinity ? [] : inputs.passages;
    this.#own = new Map(own.map((passage) => [passage.id, passage]));
    this.#transcripts = new PlannedTranscripts(ports.texts);
    this.#ports = {
      ...ports,
      corpora: { open: (...name) => this.#openCorpus(ports, name) },
      transcripts: this.#transcripts,
    };
  }

  /** Whether all calls so far follow from stored answers. */
  get isKnown(): boolean {
    return !this.#gate.isOpen;
  }

  /** Returns the calls since the last time, and removes them from the plan. */
  takeCalls(): readonly PlannedCall[] {
    return this.#calls.splice(0);
  }

  /** Resolves once no lookup is running. */
  ended(): Promise<void> {
    return this.#gate.idle();
  }

  /** Returns a function that plans a call with the bookkeeping of a workflow, and its output. */
  performing(settings: QuestionSettings): (call: Call) => Promise<unknown> {
    const ledger = new Ledger('', settings.input.question);
    const activities = this.#activities(settings.input);
    const nothing = async () => {};
    const { perform } = new QuestionCalls(settings, () => activities, ledger, nothing);
    const { question, cache } = settings.input;
    return ({ step, input, action }) => {
      // The output of an action is unknown, since a plan never carries it out.
      if (action) return this.#costliestOnceOpen(step, input, action);
      const isLookedUp = this.isKnown && this.options.looksUp;
      // The label is not shown, and making one from very long texts takes long.
      if (isLookedUp || asksNoModel(step)) {
        return perform({ step, input, label: '' });
      }
      const isOnce = this.isKnown && cache;
      this.#addCall(step, input, isOnce ? JSON.stringify([question, step, input]) : undefined);
      return this.#costliestOnceOpen(step, input);
    };
  }

  /** Lookups for the texts that the calls show. */
  get shown(): ShownTexts {
    return { passage: this.passage, transcripts: this.#transcripts };
  }

  /** Returns a passage that was supplied with the question or found; undefined for any other id. */
  passage = (id: string): Passage | undefined =>
    this.#found.get(id) ?? this.#planned?.passage(id) ?? this.#own.get(id);

  /** Returns activities that return stored outputs, and costliest outputs if there are none. */
  #activities({ retrieval }: QuestionSettings['input']): StepActivities {
    const corpus = 'supplied' in retrieval ? null : retrieval.corpus;
    const { demonstrationSets, embeddings, reranker } = this.#ports;
    return {
      ask: (step, input, sent) => this.#lookUp(step, input, sent),
      act: () => Promise.reject(new Error('A plan does not carry out actions.')),
      retrieve: async (input, source) => {
        const { value } = await this.#search('retrieve', input, corpus, async () => {
          const found = await retrievePassages(input, source, this.#ports, NEVER);
          const ids = found.map(({ id }) => id);
          this.#remember(await readPassages(ids, corpus, this.#ports));
          return found;
        });
        return { value: value.map(passageTuple) };
      },
      scoreByTfIdf: (input) =>
        this.#search('scoreByTfIdf', input, corpus, () => tfIdfWeights(input, corpus, this.#ports)),
      findDemonstrationSet: async ({ name }) => ({
        value: await this.#gate.working(() => demonstrationSets.find(name)),
      }),
      embedTexts: (input) =>
        this.#embedding('embedTexts', input, async () => {
          const isKept = await embeddings.find(input.texts);
          return isKept && input.texts.map((text) => embeddings.keyOf(text));
        }),
      rankBySimilarity: (input) =>
        this.#ranking('rankBySimilarity', input, corpus, async (found) => {
          const vectors = await embeddings.find([input.text, ...found.map(passageText)]);
          return vectors && nearestFirst(found, vectors);
        }),
      rankByCrossEncoder: (input) =>
        this.#ranking('rankByCrossEncoder', input, corpus, async (found) => {
          const scores = await reranker?.find(input.text, found.map(passageText));
          return scores && bestFirst(found, scores);
        }),
    };
  }

  /** Returns whether passages of a corpus, or supplied ones if it is null, can be looked up. */
  #knowsPassages(corpus: string | null): boolean {
    return this.isKnown && (this.options.looksUp || corpus === null);
  }

  /** Runs a step that costs nothing, or returns its costliest output if passages are unknown. */
  async #search<T>(
    step: string,
    input: unknown,
    corpus: string | null,
    work: () => Promise<T>,
  ): Promise<TimedRow<T>> {
    const isKnown = this.#knowsPassages(corpus);
    return { value: await (isKnown ? this.#gate.working(work) : this.#costliest<T>(step, input)) };
  }

  /** Ranks passages by stored values. @param rank Returns undefined if any value is not stored. */
  #ranking(
    step: string,
    input: RankInput,
    corpus: string | null,
    rank: (found: Passage[]) => Promise<PassageRef[] | undefined>,
  ): Promise<EmbeddingRow<PassageRef[]>> {
    return this.#embedding(step, input, async () => {
      if (!this.#knowsPassages(corpus)) return undefined;
      const found = await readPassages(input.passages, corpus, this.#ports);
      return (await rank(found))?.slice(0, input.count);
    });
  }

  /** Returns the stored output of a model step's call, or its costliest output. */
  async #lookUp(step: string, input: unknown, sent: SentCall): Promise<OutputRow<unknown>> {
    const declared = modelStepNamed(step, this.#ports.steps);
    const find = () => storedOutput(declared, input as object, sent, this.#ports);
    const { key, output, isUnended } = await this.#gate.working(find);
    if (!output) {
      this.#addCall(step, input, key, isUnended);
      const value = await this.#costliestOnceOpen(step, input);
      return { value, usage: NOTHING, model: '', prompt: '', key };
    }
    this.#calls.push({ step, input, certainty: 'answered' });
    const { ref: _, ...read } = output;
    // Copied by JSON, as in a history.
    return JSON.parse(JSON.stringify(outputRow(read, sent.model))) as OutputRow<unknown>;
  }

  /**
   * Returns the stored value of a step that embeds or scores, or its costliest output.
   *
   * @param find Returns undefined if any of it is not stored.
   */
  async #embedding<T>(
    step: string,
    input: unknown,
    find: () => Promise<T | undefined>,
  ): Promise<EmbeddingRow<T>> {
    const value = this.isKnown ? await this.#gate.working(find) : undefined;
    if (value === undefined) {
      this.#addCall(step, input, JSON.stringify([step, input]));
      return { value: await this.#costliestOnceOpen<T>(step, input), usage: NOTHING, model: '' };
    }
    this.#calls.push({ step, input, certainty: 'answered' });
    return { value, usage: NOTHING, model: '' };
  }

  /**
   * Adds a call without a stored answer.
   *
   * @param key Key under which the answer will be stored; undefined if it is paid for each time.
   */
  #addCall(step: string, input: unknown, key: string | undefined, isUnended = false): void {
    if (!this.isKnown) {
      this.#calls.push({ step, input, certainty: 'atMost' });
      return;
    }
    const { paid } = this.options;
    const isPaid = key !== undefined && paid.has(key);
    if (key !== undefined) paid.add(key);
    const certainty = isPaid ? 'answered' : 'exact';
    this.#calls.push({ step, input, certainty, isUnended: isUnended && !isPaid });
  }

  /** Waits for the gate, then returns the costliest output of a call. */
  async #costliestOnceOpen<T>(step: string, input: unknown, action?: AnyAction): Promise<T> {
    if (this.isKnown) await this.#gate.opened();
    return this.#costliest<T>(step, input, action);
  }

  async #costliest<T>(step: string, input: unknown, action?: AnyAction): Promise<T> {
    this.#planned ??= this.#planning();
    const call = { step, input, label: '', ...(action && { action }) };
    return (await this.#planned.perform(call)) as T;
  }

  #planning(): ReturnType<typeof planInterpreter> {
    const found = longestFirst([...this.#found.values()]).map((one) => [one.id, one] as const);
    return planInterpreter({
      ...this.inputs,
      found: new Map(found),
      transcripts: this.#transcripts,
    });
  }

  #remember(passages: readonly Passage[]): void {
    for (const passage of passages) this.#found.set(passage.id, passage);
  }

  /** Opens a corpus and reads each of its passages only once. */
  async #openCorpus(
    { corpora }: OfflinePorts,
    name: Parameters<OfflinePorts['corpora']['open']>,
  ): ReturnType<OfflinePorts['corpora']['open']> {
    const opened = await corpora.open(...name);
    return {
      search: (...query) => opened.search(...query),
      get: async (ids) => {
        const unread = ids.filter((id) => !this.#found.has(id));
        const read = unread.length === 0 ? [] : await opened.get(unread);
        this.#remember(read);
        return ids.flatMap((id) => this.#found.get(id) ?? []);
      },
    };
  }
}

/** A signal that never fires: plans are not cancelled. */
const NEVER = new AbortController().signal;

const NOTHING = { cached: true };
