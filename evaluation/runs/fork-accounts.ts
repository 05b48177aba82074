/** Compares forks with their parent runs: their usage, and the answers that they changed. Pure. */
import { addUsage, NO_USAGE, type Usage } from '../../core/usage.js';
import { callsOf } from '../../stores/runs/call-records.js';
import type { RunAnswer, RunManifest } from '../../stores/runs/run-store.js';
import { outcomeOf, stateOf } from './question-state.js';
import type { JoinedQuestion, RunSource } from './run-source.js';

/** A fork and its parent run, by their positions among the runs. */
export interface ForkPair {
  /** Position of the fork. */
  fork: number;
  /** Position of the parent run. */
  parent: number;
}

/**
 * The usage of a fork compared with that of its parent run, and the numbers of answers that
 * changed.
 */
export interface ForkAccount extends ForkPair {
  /** Whether its questions were chosen by their answers or by name: see `isChosenFork`. */
  isChosen: boolean;
  /**
   * Number of questions with reused calls that have ended in both runs. The fields from `took` to
   * `fromRight` are over these.
   */
  questions: number;
  /** Usage of the fork. */
  took: Usage;
  /** Usage of the parent run. */
  parentTook: Usage;
  /** Number of calls that the fork reused from the parent run. */
  taken: number;
  /** Number of answers that changed. */
  changed: number;
  /** Number of changed answers that became right. */
  toRight: number;
  /** Number of changed answers that are no longer right. */
  fromRight: number;
  /** Number and usage of the questions that reused no call. */
  whole: { questions: number; usage: Usage };
}

/**
 * Returns whether a run is a fork whose questions were chosen by their answers or by name, so that
 * its results do not generalise.
 */
export function isChosenFork({ input: { fork } }: Pick<RunManifest, 'input'>): boolean {
  return fork?.where !== undefined || fork?.question !== undefined;
}

/** Returns, for each fork whose parent run is among the given runs, the positions of both. */
export function forkPairs(manifests: readonly RunManifest[]): ForkPair[] {
  return manifests.flatMap(({ input }, fork) => {
    const parent = manifests.findIndex(({ run }) => run === input.fork?.run);
    return parent === -1 ? [] : [{ fork, parent }];
  });
}

/**
 * Returns the ids of the questions of a fork that reuse no call of the parent run; empty for a run
 * that is not a fork. Reads all questions of the fork.
 */
export async function idsWithoutReusedCalls({
  manifest,
  questions,
}: RunSource): Promise<ReadonlySet<string>> {
  const whole = new Set<string>();
  if (!manifest.input.fork) return whole;
  for await (const { id, taken } of questions()) if (taken === undefined) whole.add(id);
  return whole;
}

/** Returns whether a question has another outcome or another answer after a change than before. */
export function isChanged(before: RunAnswer, after: RunAnswer): boolean {
  return outcomeOf(before) !== outcomeOf(after) || before.result?.answer !== after.result?.answer;
}

/**
 * Sums up how forks differ from their parent runs, question by question. `accounts` has the sums so
 * far, one for each fork whose parent is among the runs.
 */
export class ForkTally {
  readonly accounts: ForkAccount[];

  /** @param whole For each run, the result of `idsWithoutReusedCalls`. */
  constructor(
    private readonly manifests: readonly RunManifest[],
    private readonly whole: readonly ReadonlySet<string>[],
  ) {
    this.accounts = forkPairs(manifests).map((pair) => ({
      ...pair,
      isChosen: manifests.some((manifest, run) => run === pair.fork && isChosenFork(manifest)),
      questions: 0,
      took: NO_USAGE,
      parentTook: NO_USAGE,
      taken: 0,
      changed: 0,
      toRight: 0,
      fromRight: 0,
      whole: { questions: 0, usage: NO_USAGE },
    }));
  }

  add({ question, answers }: JoinedQuestion): void {
    for (const account of this.accounts) {
      const [before, after] = [answers[account.parent], answers[account.fork]];
      if (!after) continue;
      if (this.whole[account.fork]?.has(question.id)) {
        const { questions, usage } = account.whole;
        account.whole = { questions: questions + 1, usage: addUsage(usage, usageOf(after)) };
      } else if (before) this.addPair(account, before, after);
    }
  }

  private addPair(account: ForkAccount, before: RunAnswer, after: RunAnswer): void {
    account.questions++;
    account.took = addUsage(account.took, usageOf(after));
    account.parentTook = addUsage(account.parentTook, usageOf(before));
    account.taken += (callsOf(after) ?? []).filter(({ taken }) => taken).length;
    if (!isChanged(before, after)) return;
    account.changed++;
    const wasRight = stateOf(before, this.manifests[account.parent]?.metrics) === 'right';
    const isRight = stateOf(after, this.manifests[account.fork]?.metrics) === 'right';
    if (isRight && !wasRight) account.toRight++;
    if (wasRight && !isRight) account.fromRight++;
  }
}

function usageOf({ result }: RunAnswer): Usage {
  return result?.usage ?? NO_USAGE;
}
