/**
 * Plans one question. A call with a stored answer returns it and costs nothing; any other call
 * returns its longest, costliest output.
 *
 * Such an output is held until nothing else of the question can continue. All calls until then
 * follow from stored answers, so a run makes exactly these. Later calls follow from unknown
 * answers: they are the most that there can be.
 */
import type { OfflinePorts } from '../activities/runtime/ports.js';
import { readPassages } from '../activities/runtime/render-prompt.js';
import { keptOutput } from '../activities/runtime/run-model-step.js';
import { bestFirst, nearestFirst, retrieved, tfIdfWeights } from '../activities/steps/other.js';
import { rowOf } from '../core/passages-read.js';
import type { Passage, PassageRef } from '../core/vocabulary.js';
import { passageText } from '../retrieval/retriever.js';
import type { AnyAction } from '../steps/actions.js';
import type { SentCall, StepOutput } from '../steps/call.js';
import type { RankInput } from '../steps/other.js';
import { asksNoModel } from '../steps/table.js';
import { PlannedTranscripts } from '../stores/transcripts.js';
import type { EmbeddingOutput } from '../workflows/activities/calls.js';
import type { Call } from '../workflows/algorithm.js';
import { Ledger } from '../workflows/question/ledger.js';
import {
  QuestionCalls,
  type QuestionSettings,
  type StepActivities,
} from '../workflows/question/question-calls.js';
import { CallGate } from './call-gate.js';
import type { Shown } from './call-tokens.js';
import { longestFirst } from './plan-searches.js';
import { modelStepNamed, planning, type World } from './planning.js';

/**
 * How certain a call's cost is. answered: it costs nothing, because the store or a paid call of the
 * run has its answer. exact: it will be paid for. atMost: it may be paid for.
 */
type Certainty = 'answered' | 'exact' | 'atMost';

/** A call that may cost something. */
export interface PlannedCall extends Pick<Call, 'step' | 'input'> {
  certainty: Certainty;
  /** Whether the store has an answer that is not used because it does not say how it ended. */
  isUnended?: boolean;
}

interface QuestionPlanOptions {
  /** Keys of the calls that the run pays for; equal calls are paid for once. */
  paid: Set<string>;
  /** False if no response can be found; then no corpus is searched, and passages are planned. */
  looks: boolean;
  /** Set if nothing is known, so that all calls are the most that there can be. */
  isUnknown?: boolean;
}

export class QuestionPlan {
  readonly #calls: PlannedCall[] = [];
  readonly #held: CallGate;
  readonly #found = new Map<string, Passage>();
  readonly #ports: OfflinePorts;
  readonly #own: ReadonlyMap<string, Passage>;
  readonly #transcripts: PlannedTranscripts;
  #planned: ReturnType<typeof planning> | undefined;

  constructor(
    ports: OfflinePorts,
    private readonly world: World,
    private readonly options: QuestionPlanOptions,
  ) {
    this.#held = new CallGate(options.isUnknown);
    const own = world.available === Infinity ? [] : world.passages;
    this.#own = new Map(own.map((passage) => [passage.id, passage]));
    this.#transcripts = new PlannedTranscripts(ports.texts);
    this.#ports = {
      ...ports,
      corpora: { open: (...name) => this.#remembering(ports, name) },
      transcripts: this.#transcripts,
    };
  }

  /** Whether all calls so far follow from stored answers. */
  get isKnown(): boolean {
    return !this.#held.released;
  }

  /** Returns the calls since the last time, and forgets them. */
  taken(): readonly PlannedCall[] {
    return this.#calls.splice(0);
  }

  /** Waits until nothing continues by itself. */
  ended(): Promise<void> {
    return this.#held.idle();
  }

  /** Returns a function that carries out calls with the bookkeeping of a workflow. */
  performing(settings: QuestionSettings): (call: Call) => Promise<unknown> {
    const ledger = new Ledger('', settings.input.question);
    const activities = this.#activities(settings.input);
    const nothing = async () => {};
    const { perform } = new QuestionCalls(settings, () => activities, ledger, nothing);
    const { question, cache } = settings.input;
    return ({ step, input, action }) => {
      // What an action gives is not known before it is carried out, which a plan never does.
      if (action) return this.#unknown(step, input, action);
      const isLookedUp = this.isKnown && this.options.looks;
      // Nobody sees the summary, and making one from very long texts takes long.
      if (isLookedUp || asksNoModel(step)) {
        return perform({ step, input, label: '' });
      }
      const isOnce = this.isKnown && cache;
      this.#toPay(step, input, isOnce ? JSON.stringify([question, step, input]) : undefined);
      return this.#unknown(step, input);
    };
  }

  /** The texts that the calls show. */
  get shown(): Shown {
    return { passage: this.passage, transcripts: this.#transcripts };
  }

  /** Returns a passage that came with the question or was found; undefined for any other id. */
  passage = (id: string): Passage | undefined =>
    this.#found.get(id) ?? this.#planned?.passage(id) ?? this.#own.get(id);

  #activities({ retrieval }: QuestionSettings['input']): StepActivities {
    const corpus = 'supplied' in retrieval ? null : retrieval.corpus;
    const { embeddings, reranker } = this.#ports;
    const areKnown = () => this.isKnown && (this.options.looks || corpus === null);
    const free = async <T>(step: string, input: unknown, work: () => Promise<T>) => ({
      value: await (areKnown() ? this.#held.working(work) : this.#costliest<T>(step, input)),
    });
    const ranked = (
      step: string,
      input: RankInput,
      rank: (found: Passage[]) => Promise<PassageRef[] | undefined>,
    ) =>
      this.#embedding(step, input, async () => {
        if (!areKnown()) return undefined;
        const found = await readPassages(input.passages, corpus, this.#ports);
        return (await rank(found))?.slice(0, input.count);
      });
    return {
      act: () => Promise.reject(new Error('A plan carries no action out.')),
      retrieve: async (input, source) => {
        const { value } = await free('retrieve', input, async () => {
          const found = await retrieved(input, source, this.#ports, NEVER);
          const ids = found.map(({ id }) => id);
          for (const passage of await readPassages(ids, corpus, this.#ports)) {
            this.#found.set(passage.id, passage);
          }
          return found;
        });
        return { value: value.map(rowOf) };
      },
      scoreByTfIdf: (input) =>
        free('scoreByTfIdf', input, () => tfIdfWeights(input, corpus, this.#ports)),
      findDemonstrationSet: async ({ name }) => ({
        value: await this.#held.working(() => this.#ports.demonstrationSets.find(name)),
      }),
      embedTexts: (input) =>
        this.#embedding('embedTexts', input, async () => {
          const isKept = await embeddings.find(input.texts);
          return isKept && input.texts.map((text) => embeddings.keyOf(text));
        }),
      rankBySimilarity: (input) =>
        ranked('rankBySimilarity', input, async (found) => {
          const vectors = await embeddings.find([input.text, ...found.map(passageText)]);
          return vectors && nearestFirst(found, vectors);
        }),
      rankByCrossEncoder: (input) =>
        ranked('rankByCrossEncoder', input, async (found) => {
          const scores = await reranker?.find(input.text, found.map(passageText));
          return scores && bestFirst(found, scores);
        }),
      ask: (step, input, sent) => this.#ask(step, input, sent),
    };
  }

  /** Looks up the answer of a model step's call. */
  async #ask(step: string, input: unknown, sent: SentCall): Promise<StepOutput<unknown>> {
    const declared = modelStepNamed(step, this.#ports.steps);
    const look = () => keptOutput(declared, input as object, sent, this.#ports);
    const { key, output, isUnended } = await this.#held.working(look);
    if (!output) {
      this.#toPay(step, input, key, isUnended);
      const value = await this.#unknown(step, input);
      return { value, usage: NOTHING, model: '', prompt: '', key };
    }
    this.#calls.push({ step, input, certainty: 'answered' });
    const { ref: _, ...read } = output;
    // Copied as a history would do it.
    return JSON.parse(JSON.stringify(read)) as typeof read;
  }

  async #embedding<T>(
    step: string,
    input: unknown,
    find: () => Promise<T | undefined>,
  ): Promise<EmbeddingOutput<T>> {
    const value = this.isKnown ? await this.#held.working(find) : undefined;
    if (value === undefined) {
      this.#toPay(step, input, JSON.stringify([step, input]));
      return { value: await this.#unknown<T>(step, input), usage: NOTHING, model: '' };
    }
    this.#calls.push({ step, input, certainty: 'answered' });
    return { value, usage: NOTHING, model: '' };
  }

  /**
   * @param key Key under which the answer will be stored; undefined if it is paid for each time.
   */
  #toPay(step: string, input: unknown, key: string | undefined, isUnended = false): void {
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

  async #unknown<T>(step: string, input: unknown, action?: AnyAction): Promise<T> {
    if (this.isKnown) await this.#held.held();
    return this.#costliest<T>(step, input, action);
  }

  async #costliest<T>(step: string, input: unknown, action?: AnyAction): Promise<T> {
    const found = () =>
      longestFirst([...this.#found.values()]).map((one) => [one.id, one] as const);
    this.#planned ??= planning({
      ...this.world,
      found: new Map(found()),
      transcripts: this.#transcripts,
    });
    return (await this.#planned.perform({
      step,
      input,
      label: '',
      ...(action && { action }),
    })) as T;
  }

  /** Opens a corpus and reads each of its passages only once. */
  async #remembering(
    { corpora }: OfflinePorts,
    name: Parameters<OfflinePorts['corpora']['open']>,
  ): ReturnType<OfflinePorts['corpora']['open']> {
    const opened = await corpora.open(...name);
    return {
      search: (...query) => opened.search(...query),
      get: async (ids) => {
        const unread = ids.filter((id) => !this.#found.has(id));
        const read = unread.length === 0 ? [] : await opened.get(unread);
        for (const passage of read) this.#found.set(passage.id, passage);
        return ids.flatMap((id) => this.#found.get(id) ?? []);
      },
    };
  }
}

/** A signal that never fires: plans are not cancelled. */
const NEVER = new AbortController().signal;

const NOTHING = {
  cached: true,
  promptTokens: 0,
  cachedPromptTokens: 0,
  completionTokens: 0,
  costUsd: 0,
};
