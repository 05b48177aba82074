/** Collects which questions of a cell have ended. Pure. */
import type { RunAnswer, RunQuestion } from '../../stores/runs/run-store.js';
import { outcomeOf } from '../runs/question-state.js';
import type { OrderedCell } from './paired-prefix.js';
import { type GroupFields, QuestionGroups } from './question-groups.js';

/**
 * Collects the questions of a cell, which are added one by one with their answers. `figures`
 * returns their ids in their `order`, those of the most frequent answer kind (`usual`), those that
 * have `ended` in all repeats, those that `failed` in one, the names of their extra `fields`, and
 * their `slices` and `clusters`.
 */
export class AskedQuestions {
  private readonly order: string[] = [];
  private readonly ended = new Set<string>();
  private readonly failed = new Set<string>();
  private readonly kinds = new Map<string, Set<string>>();

  private readonly names = new Set<string>();
  private readonly groups: QuestionGroups;

  /**
   * @param repeats Number of times that each question is asked.
   * @param fields Fields by which the questions are grouped.
   */
  constructor(
    private readonly repeats: number,
    fields: GroupFields = {},
  ) {
    this.groups = new QuestionGroups(fields);
  }

  /**
   * Adds the next question, with one answer for each repeat; undefined for a repeat in which it has
   * not ended.
   */
  add(question: RunQuestion, answers: readonly (RunAnswer | undefined)[]): void {
    const { id, answerKind } = question;
    this.order.push(id);
    this.groups.add(question);
    for (const name of Object.keys(question.fields ?? {})) this.names.add(name);
    this.kinds.set(answerKind, (this.kinds.get(answerKind) ?? new Set()).add(id));
    const there = answers.filter((answer) => answer !== undefined);
    if (there.length === this.repeats) this.ended.add(id);
    if (there.some((answer) => outcomeOf(answer) === 'failed')) this.failed.add(id);
  }

  /** Returns the questions added so far, as the fields of a cell that comparisons need. */
  figures(): Pick<
    OrderedCell,
    'order' | 'usual' | 'ended' | 'failed' | 'fields' | 'slices' | 'clusters'
  > {
    const { order, ended, failed, kinds, names } = this;
    const [usual = new Set<string>()] = [...kinds.values()].sort((a, b) => b.size - a.size);
    return { order, usual, ended, failed, fields: names, ...this.groups.groups() };
  }
}
