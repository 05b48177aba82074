/** Keeps account of a question: its steps as they go, its usage, its flags. */
import { setCurrentDetails } from '@temporalio/workflow';
import type { StepOutput } from '../activities/step.js';
import { type Progress, progressTable, type StepProgress } from '../methods/progress.js';
import type { Flag, StepUsage } from '../methods/result.js';
import { addCall, addUsage, noUsage, type Usage } from '../methods/usage.js';

export class Ledger {
  readonly flags: Flag[] = [];
  readonly steps: Record<string, StepUsage> = {};
  retrievals = 0;
  private readonly rows: StepProgress[] = [];

  constructor(
    private readonly method: string,
    private readonly question: string,
  ) {}

  get usage(): Usage {
    return Object.values(this.steps).reduce<Usage>(addUsage, noUsage);
  }

  get progress(): Progress {
    return { method: this.method, question: this.question, steps: this.rows, usage: this.usage };
  }

  /** The step that failed first, if one did. */
  get failedStep(): string | null {
    return this.rows.find(({ state }) => state === 'failed')?.step ?? null;
  }

  flag(kind: Flag['kind'], step: string, detail: string): void {
    this.flags.push({ kind, step, detail });
  }

  /** Runs a step and shows it as running, done or failed. */
  async track<T>(step: string, label: string, run: (row: StepProgress) => Promise<T>): Promise<T> {
    const row: StepProgress = {
      step,
      label,
      state: 'running',
      startedAt: Date.now(),
      reasks: 0,
      cached: false,
    };
    this.rows.push(row);
    this.show();
    try {
      const value = await run(row);
      row.state = 'done';
      return value;
    } catch (error) {
      row.state = 'failed';
      throw error;
    } finally {
      row.finishedAt = Date.now();
      this.show();
    }
  }

  /** A search came back. */
  searched(found: number): void {
    this.retrievals += 1;
    if (found === 0) this.flag('noPassages', 'retrieve', 'the search found no passage');
  }

  /** A model call came back; `last` when its output is not asked again. */
  called(row: StepProgress, output: StepOutput<unknown>, last: boolean): void {
    const { step } = row;
    const before = this.steps[step] ?? { ...noUsage, models: [], prompts: [] };
    this.steps[step] = {
      ...addCall(before, output.usage),
      models: withOne(before.models, output.model),
      prompts: withOne(before.prompts, output.prompt),
    };
    row.cached = output.usage.cached;
    if (!output.readable) {
      this.flag(
        last ? 'fallback' : 'reasked',
        step,
        `${row.label}: ${JSON.stringify(output.unread)}`,
      );
    } else if (output.cut) {
      this.flag('cut', step, row.label);
    }
  }

  private show(): void {
    setCurrentDetails(progressTable(this.rows));
  }
}

function withOne(items: string[], item: string): string[] {
  return items.includes(item) ? items : [...items, item];
}
