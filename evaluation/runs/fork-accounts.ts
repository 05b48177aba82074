/** Compares forks with their parent runs: their usage, and the answers that they changed. Pure. */
import { addUsage, noUsage, type Usage } from '../../core/usage.js';
import { callsOf } from '../../stores/runs/call-records.js';
import type { RunAnswer, RunManifest } from '../../stores/runs/run-store.js';
import { outcomeOf, stateOf } from './question-state.js';
import type { JoinedQuestion, RunSource } from './run-source.js';

/** A fork and its parent run. */
export interface ForkPair {
  /** Positions of the two among the runs. */
  fork: number;
  parent: number;
}

/** The usage of a fork compared with its parent run, and the number of answers that changed. */
export interface ForkAccount extends ForkPair {
  /** Whether its questions were chosen by their answers: see `isChosenFork`. */
  isChosen: boolean;
  /**
   * Number of questions with taken calls that have ended in both runs. The following fields cover
   * these.
   */
  questions: number;
  /** Usage of the fork, and of its parent run. */
  took: Usage;
  parentTook: Usage;
  /** Number of calls that were taken from the parent run. */
  taken: number;
  /** Number of answers that changed, and among them of those that became right, or are no longer right. */
  changed: number;
  toRight: number;
  fromRight: number;
  /** Number of questions without taken calls, and their usage. */
  whole: { questions: number; usage: Usage };
}

/**
 * Tells whether a run is a fork whose questions were chosen by their answers, so that its results
 * do not generalise.
 */
export function isChosenFork({ input: { fork } }: Pick<RunManifest, 'input'>): boolean {
  return fork?.where !== undefined || fork?.question !== undefined;
}

/** Returns the forks whose parent is among the runs. */
export function forkPairs(manifests: readonly RunManifest[]): ForkPair[] {
  return manifests.flatMap(({ input }, fork) => {
    const parent = manifests.findIndex(({ run }) => run === input.fork?.run);
    return parent === -1 ? [] : [{ fork, parent }];
  });
}

/**
 * Returns the ids of the questions of a fork that take no call of the parent run; empty for a run
 * that is not a fork.
 */
export async function askedWhole({ manifest, questions }: RunSource): Promise<ReadonlySet<string>> {
  const whole = new Set<string>();
  if (!manifest.input.fork) return whole;
  for await (const { id, taken } of questions()) if (taken === undefined) whole.add(id);
  return whole;
}

/** Tells whether a question ended differently: with another outcome or answer. */
export function isChanged(before: RunAnswer, after: RunAnswer): boolean {
  return outcomeOf(before) !== outcomeOf(after) || before.result?.answer !== after.result?.answer;
}

/**
 * Sums up how forks differ from their parent runs, question by question: usage of both, calls reused,
 * and answers changed. `accounts` holds the sums of each fork.
 */
export class ForkTally {
  readonly accounts: ForkAccount[];

  /** @param whole Result of `askedWhole` for each run. */
  constructor(
    private readonly manifests: readonly RunManifest[],
    private readonly whole: readonly ReadonlySet<string>[],
  ) {
    this.accounts = forkPairs(manifests).map((pair) => ({
      ...pair,
      isChosen: manifests.some((manifest, run) => run === pair.fork && isChosenFork(manifest)),
      questions: 0,
      took: noUsage,
      parentTook: noUsage,
      taken: 0,
      changed: 0,
      toRight: 0,
      fromRight: 0,
      whole: { questions: 0, usage: noUsage },
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
  return result?.usage ?? noUsage;
}
