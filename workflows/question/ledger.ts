/** Keeps the account of a question: its calls, their usage, and its flags. Needs no server. */

import type {
  Conclusion,
  Flag,
  MethodResult,
  QuestionFailure,
  StepUsage,
} from '../../core/result.js';
import {
  addCall,
  addUsage,
  isImpossible,
  NO_USAGE,
  type Usage,
  withEstimated,
} from '../../core/usage.js';
import {
  type CallEvent,
  type CalledOutput,
  type CallRecord,
  spanOf,
  workingSeconds,
} from '../../steps/call-record.js';
import type { Call } from '../algorithm.js';
import { callAddresses } from '../replaying.js';
import { summaryLine } from '../summary-line.js';
import { estimatedOf } from '../workflow-failure.js';
import type { Progress, StepProgress } from './progress.js';

/** The end of a question: its conclusion or its failure. */
export type QuestionEnd<C> = Conclusion<C> | { failure: QuestionFailure };

/** The fields of a failed question's result in place of its conclusion. */
const FAILED = { outcome: 'failed', answer: null, evidence: [] as string[], chain: null } as const;

/**
 * One call in the ledger: its progress as the Temporal UI shows it, and the input, output and
 * events that its record is made from.
 */
export interface LedgerEntry
  extends Pick<Call, 'input'>,
    Pick<CallRecord, 'events' | 'output' | 'taken'> {
  row: StepProgress;
  /** The full label; the row has a shortened one. */
  label: string;
}

/** The counted part of an output; only a language model has a prompt. */
type Counted = Pick<CalledOutput, 'model' | 'usage'> &
  Partial<Pick<CalledOutput, 'fingerprint' | 'host' | 'prompt' | 'tier' | 'unsupported'>>;

/**
 * The account of one question: its calls, their usage, and the flags that its result will have.
 * The question's progress, the records of its calls and its result are made from it.
 */
export class Ledger {
  readonly steps: Record<string, StepUsage> = {};
  retrievals = 0;
  private readonly raised: Flag[] = [];
  private readonly entries: LedgerEntry[] = [];
  private readonly rows: StepProgress[] = [];
  private readonly running = new Set<Promise<unknown>>();

  /** @param show Called with the steps whenever one begins or ends. */
  constructor(
    private readonly method: string,
    private readonly question: string,
    private readonly show: (steps: readonly StepProgress[]) => void = () => {},
  ) {}

  /** Runs a step as a new entry, shown as running, done or failed; returns its output. */
  track<T>(call: Call, run: (entry: LedgerEntry) => Promise<T>): Promise<T> {
    const tracked = this.follow(call, run);
    this.running.add(tracked);
    return tracked.finally(() => this.running.delete(tracked));
  }

  private async follow<T>(call: Call, run: (entry: LedgerEntry) => Promise<T>): Promise<T> {
    const entry = this.begin(call);
    const { row } = entry;
    this.show(this.rows);
    try {
      const value = await run(entry);
      row.state = 'done';
      entry.output = value;
      return value;
    } catch (error) {
      row.state = 'failed';
      const estimated = estimatedOf(error);
      if (estimated) this.addEvent(entry, { kind: 'lost', estimated });
      throw error;
    } finally {
      row.finishedAt = Date.now();
      this.show(this.rows);
    }
  }

  private begin({ step, label, input }: Call): LedgerEntry {
    const row: StepProgress = {
      step,
      label: summaryLine(label),
      state: 'running',
      startedAt: Date.now(),
      reasks: 0,
      cached: false,
    };
    const entry = { row, label, input, events: [] };
    this.rows.push(row);
    this.entries.push(entry);
    return entry;
  }

  /** Enters a recorded call of an answered question, and counts it as it was counted then. */
  replay({ step, label, ...record }: CallRecord): void {
    this.enter({ step, label, input: undefined }, record);
  }

  /** Enters a call reused from another run, which paid for it: its flags count, its usage does not. */
  addReused(call: Call, { output, events }: Pick<CallRecord, 'events' | 'output'>): void {
    this.enter(call, { output, events, taken: true });
  }

  /** Enters a call that has already ended. */
  private enter(
    call: Call,
    { output, events, taken }: Pick<CallRecord, 'events' | 'output' | 'taken'>,
  ): void {
    const entry = this.begin(call);
    const { row } = entry;
    entry.output = output;
    if (taken) entry.taken = taken;
    row.cached = taken === true;
    for (const event of events) this.addEvent(entry, event);
    row.state = output === undefined ? 'failed' : 'done';
    row.finishedAt = row.startedAt;
    this.show(this.rows);
  }

  /** Adds an event to a call, and counts its usage and its flags. */
  addEvent(entry: LedgerEntry, event: CallEvent): void {
    const { events, row, taken } = entry;
    events.push(event);
    const span = event.kind === 'lost' ? undefined : spanOf(event);
    if (span) row.ranMs = (row.ranMs ?? 0) + span.ms;
    if (!taken) this.countEvent(row, event);
    if (event.kind === 'called') this.flagCall(row, event.output, event.last);
    if (event.kind === 'lost' && event.late) this.flag('fallback', row.step, detailOf(row, LATE));
    if (event.kind === 'searched' && event.found === 0)
      this.flag('noPassages', 'retrieve', 'the search found no passage');
  }

  private countEvent(row: StepProgress, event: CallEvent): void {
    const { step } = row;
    const before = this.steps[step] ?? { ...NO_USAGE, models: [], prompts: [] };
    if (event.kind === 'computed') return;
    if (event.kind === 'searched') this.retrievals += 1;
    // A failed step still reports what was paid for it.
    else if (event.kind === 'lost') this.steps[step] = withEstimated(before, event.estimated);
    else this.count(row, before, event.output);
  }

  private flagCall(row: StepProgress, output: CalledOutput, last: boolean): void {
    const { step } = row;
    const { resampled } = output;
    if (resampled) this.flag('resampled', step, detailOf(row, `sample ${resampled + 1}`));
    if (output.unread !== undefined) {
      const stands = output.long ? 'longAnswer' : 'fallback';
      this.flag(last ? stands : 'reasked', step, detailOf(row, unreadText(output)));
    } else if (output.cut) {
      this.flag('cut', step, row.label);
    }
    if (output.unknownEnd !== undefined) {
      this.flag('unknownEnd', step, detailOf(row, JSON.stringify(output.unknownEnd)));
    }
    for (const parameter of output.unsupported ?? []) {
      // Flagged once: every call of the step lacks the parameter.
      const flag = { kind: 'unsupportedParameter', step, detail: parameter } as const;
      if (!this.raised.some((one) => isEqual(one, flag))) this.raised.push(flag);
    }
  }

  private count(
    row: StepProgress,
    before: StepUsage,
    { usage, model, fingerprint, host, tier, prompt, unsupported: without = [] }: Counted,
  ): void {
    const fingerprints = withItem(before.fingerprints ?? [], fingerprint);
    const hosts = withItem(before.hosts ?? [], host);
    const unsupported = without.reduce<string[]>(withItem, before.unsupported ?? []);
    this.steps[row.step] = {
      ...addCall(before, usage),
      models: withItem(before.models, model),
      ...(fingerprints.length > 0 && { fingerprints }),
      ...(hosts.length > 0 && { hosts }),
      ...(unsupported.length > 0 && { unsupported }),
      ...(before.tiers && { tiers: before.tiers }),
      ...(tier !== undefined && { tiers: oneMore(before.tiers, tier) }),
      prompts: withItem(before.prompts, prompt),
    };
    row.cached = usage.cached;
    if (isImpossible(usage)) {
      const { promptTokens, completionTokens } = usage;
      const counts = `${promptTokens} tokens read, ${completionTokens} written`;
      this.flag('impossibleUsage', row.step, detailOf(row, counts));
    }
  }

  readonly flag = (kind: Flag['kind'], step: string, detail: string): void => {
    this.raised.push({ kind, step, detail });
  };

  /** Flags in an order that does not depend on which of several parallel steps ended first. */
  get flags(): Flag[] {
    const key = ({ step, detail, kind }: Flag) => JSON.stringify([step, detail, kind]);
    return [...this.raised].sort((a, b) => (key(a) < key(b) ? -1 : 1));
  }

  get usage(): Usage {
    return Object.values(this.steps).reduce<Usage>(addUsage, NO_USAGE);
  }

  get progress(): Progress {
    return { method: this.method, question: this.question, steps: this.rows, usage: this.usage };
  }

  /** The step that failed first; null if none did. */
  get failedStep(): string | null {
    return this.rows.find(({ state }) => state === 'failed')?.step ?? null;
  }

  /** Resolves once no step is running. */
  async idle(): Promise<void> {
    while (this.running.size > 0) await Promise.allSettled(this.running);
  }

  /** The records of the calls, in the order in which they began. */
  get calls(): CallRecord[] {
    const addressOf = callAddresses();
    return this.entries.map(({ row: { step }, input, ...rest }) => ({
      address: addressOf({ step, input }),
      step,
      ...rest,
    }));
  }

  /** Returns the result of the question at its end. */
  result<C>(workflowId: string, end: QuestionEnd<C>): MethodResult<C> {
    const seconds = workingSeconds(this.entries);
    return {
      workflowId,
      method: this.method,
      question: this.question,
      ...('failure' in end ? FAILED : end),
      usage: this.usage,
      retrievals: this.retrievals,
      steps: this.steps,
      flags: this.flags,
      ...(seconds !== undefined && { workingSeconds: seconds }),
      ...('failure' in end && { failure: end.failure }),
    };
  }
}

/** Returns the detail of a flag: the label of its call, if it has one, and a text. */
function detailOf({ label }: StepProgress, text: string): string {
  return label === '' ? text : `${label}: ${text}`;
}

const LATE = 'asked with twice the tokens, it did not come in time';

/** Describes the unreadable output. */
function unreadText({ unread, thinking, cut, tooSlow }: CalledOutput): string {
  const why = tooSlow ? '; twice the tokens would not come in time' : '';
  if (thinking === undefined) return `${JSON.stringify(unread)}${cut ? ', cut' : ''}${why}`;
  const tokens = thinking > 0 ? `${thinking} ` : '';
  return cut
    ? `spent its ${tokens}tokens thinking${why}`
    : `${tokens}tokens of thinking and no answer`;
}

function isEqual(a: Flag, b: Flag): boolean {
  return a.kind === b.kind && a.step === b.step && a.detail === b.detail;
}

function oneMore(counts: Record<string, number> = {}, name: string): Record<string, number> {
  return { ...counts, [name]: (counts[name] ?? 0) + 1 };
}

/**
 * Returns a sorted list of distinct items with another item added; unchanged if that is undefined.
 */
function withItem(items: readonly string[], item: string | undefined): string[] {
  return item === undefined || items.includes(item) ? [...items] : [...items, item].sort();
}
