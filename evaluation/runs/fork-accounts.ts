/** The usage of forks compared with their parent runs, and the answers they changed. Pure. */
import { addUsage, noUsage, type Usage } from '../../core/usage.js';
import { callsOf } from '../../stores/runs/call-records.js';
import type { RunAnswer, RunManifest } from '../../stores/runs/run-store.js';
import { outcomeOf, stateOf } from './question-state.js';
import type { JoinedQuestion, RunSource } from './run-source.js';

/** A fork and the run that it was forked from. */
export interface ForkPair {
  /** Positions of the runs. */
  fork: number;
  parent: number;
}

/** What a fork took compared with its parent run, and how many answers it changed. */
export interface ForkAccount extends ForkPair {
  /** Whether its questions were chosen by their answers: see `isChosenFork`. */
  isChosen: boolean;
  /** Questions with taken calls that have ended in both runs; the following fields cover these. */
  questions: number;
  /** Usage of the fork, and that of its parent run. */
  took: Usage;
  parentTook: Usage;
  /** Calls that were taken from the records. */
  taken: number;
  /** Answers that are others than they were, and among them those that became right or no more are. */
  changed: number;
  toRight: number;
  fromRight: number;
  /** Questions without taken calls, and their usage. */
  whole: { questions: number; usage: Usage };
}

/**
 * Tells whether the questions of a run were chosen by their answers, so that nothing follows for
 * others.
 */
export function isChosenFork({ input: { fork } }: Pick<RunManifest, 'input'>): boolean {
  return fork?.where !== undefined || fork?.question !== undefined;
}

/** The forks whose parent is among the runs. */
export function forkPairs(manifests: readonly RunManifest[]): ForkPair[] {
  return manifests.flatMap(({ input }, fork) => {
    const parent = manifests.findIndex(({ run }) => run === input.fork?.run);
    return parent === -1 ? [] : [{ fork, parent }];
  });
}

/** The questions of a fork that take no call of the other run; of a run that is no fork none. */
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

/** Adds up the accounts of forks, question by question. */
export class ForkTally {
  readonly accounts: ForkAccount[];

  /** @param whole By run, the questions that `askedWhole` gave. */
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
