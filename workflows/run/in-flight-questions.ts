/** The questions of a run or shard, each a child of its workflow. */
import { workflowInfo } from '@temporalio/workflow';
import { MOST_CHILD_QUESTIONS } from '../../core/provider-batches.js';
import type { RunSpec } from '../../core/run/input.js';
import type { WorkflowEnding } from '../../core/run/run.js';
import { childStartOf, childWorkflowId } from './question-child.js';
import { type InFlightQuestion, QuestionWindow } from './question-window.js';
import type { WaitingQuestion } from './run-pauses.js';

/**
 * A function that is called with each question that has ended and how. The question counts as under
 * way until the promise resolves.
 */
export type OnEnd = (asked: InFlightQuestion, ending: WorkflowEnding) => Promise<void>;

/**
 * A window of questions that are children of the workflow itself, which is that of a run or of a
 * shard, the workflow that asks a part of a run's questions.
 */
export class InFlightQuestions extends QuestionWindow {
  readonly widest = MOST_CHILD_QUESTIONS;
  /** Questions by workflow id. */
  private readonly asked = new Map<string, InFlightQuestion>();

  /**
   * @param carried Questions begun by an earlier history.
   * @param run Workflow id of the run.
   */
  constructor(
    carried: readonly InFlightQuestion[],
    private readonly onEnd: OnEnd,
    private readonly run = workflowInfo().workflowId,
  ) {
    super();
    for (const asked of carried) this.adopt(this.put(asked));
  }

  get size(): number {
    return this.asked.size;
  }

  /** All questions under way, for the next history. */
  get carried() {
    return { underWay: [...this.asked.values()] };
  }

  begin(spec: RunSpec, question: WaitingQuestion): void {
    this.put({ ...question, startedAt: Date.now() });
    void this.background(() => this.start(childStartOf(this.run, spec, question)));
  }

  protected async ended(id: string, ending: WorkflowEnding): Promise<void> {
    const asked = this.asked.get(id);
    if (!asked) return;
    try {
      // The failures of a cancelled run are its own doing and are not recorded.
      const isCutOff = ending.failure !== undefined && this.isCancelled;
      await this.onEnd(asked, isCutOff ? { ...ending, stopped: true } : ending);
    } finally {
      this.asked.delete(id);
    }
  }

  private put(asked: InFlightQuestion): string {
    const id = childWorkflowId(this.run, asked);
    this.asked.set(id, asked);
    return id;
  }
}
