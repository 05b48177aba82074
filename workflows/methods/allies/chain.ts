/** The states of an ALLIES search, and their view. */

import type { Section, TreeNode } from '../../../core/section.js';
import type { PassageRef, QueryEvidence } from '../../../core/vocabulary.js';
import {
  cards,
  chip,
  count,
  passageList,
  section,
  text,
} from '../../../report/views/section-parts.js';

/** A query, its evidence, and the passages from which the evidence was condensed. */
export interface Finding extends QueryEvidence {
  /** Empty unless the evidence was retrieved. */
  passages: PassageRef[];
}

/**
 * A flag of a state of the search: its evidence, its answer or its score is missing or could not
 * be read.
 */
export type StateFlag =
  | 'noEvidence' // nothing was found for its sub-query, or the evidence could not be read
  | 'unreadableAnswer' // the state cannot be kept in a beam
  | 'unreadableScore'; // the score counts as 0

/**
 * A new state of the search, before it gets an id, a depth and a parent: its sub-query, evidence,
 * answer and score.
 */
export interface Draft {
  /**
   * The sub-query that extended it; null for the first seed, the question itself for the second.
   */
  subQuery: string | null;
  passages: PassageRef[];
  /** Its evidence; null for the first seed, and for all states in a search without evidence. */
  evidence: string | null;
  answer: string | null;
  /** Score of the answer, from 0 to 1. */
  score: number;
  flags: StateFlag[];
}

/**
 * A state of the search: its own query and evidence, and the answer and score from these and all
 * its ancestors' evidence.
 */
export interface AlliesState extends Draft {
  /** Position in `AlliesChain.states`. */
  id: number;
  /** Depth in the search; 0 for a seed. */
  depth: number;
  /** Id of the state that it extends; null for a seed. */
  parent: number | null;
  /** Whether it was in the beam of its depth. */
  kept: boolean;
}

/**
 * The reason why the search ended: a kept state of the last depth reached the threshold S
 * ('threshold'), the greatest depth was reached ('depth'), or no state of a depth had an answer,
 * so that the beam before it counts ('noExtension').
 */
export type StopReason = 'threshold' | 'depth' | 'noExtension';

/**
 * The chain of `allies`: all states of the search, the id of the one that gave the answer, and why
 * the search ended.
 */
export interface AlliesChain {
  /** Ordered by depth, then by their parents in the beam, then by sub-query. */
  states: AlliesState[];
  /** Id of the state whose answer was taken; null if none has an answer. */
  chosen: number | null;
  stopped: StopReason;
}

const STOPPED: Record<StopReason, string> = {
  threshold: 'a score reached the threshold',
  depth: 'the greatest depth was reached',
  noExtension: 'no further state had an answer',
};

/**
 * Returns the report sections of `allies`: the tree of states, and the evidence of the chosen one.
 */
export function alliesView({ states, chosen, stopped }: AlliesChain): Section[] {
  /** Returns the tree of states that extend a state. */
  const nodesUnder = (parent: number | null): TreeNode[] =>
    states
      .filter((state) => state.parent === parent)
      .map((state) => ({
        ...nodeOf(state),
        chosen: state.id === chosen,
        children: nodesUnder(state.id),
      }));
  const items = nodesUnder(null);
  const grounds = pathTo(states, chosen).flatMap(({ subQuery, evidence }) =>
    subQuery === null ? [] : [{ title: subQuery, chips: [], blocks: text(evidence) }],
  );
  return [
    ...section('Beam search', items.length === 0 ? [] : [{ type: 'tree', items }], {
      note: `${count(states.length, 'state')}; ${STOPPED[stopped]}`,
    }),
    ...section('What the answer rests on', cards(grounds)),
  ];
}

function nodeOf(state: AlliesState): Omit<TreeNode, 'children'> {
  const { depth, subQuery, evidence, answer, score, kept, flags } = state;
  const has = (flag: StateFlag) => flags.includes(flag);
  const tone = score > 0.7 ? 'good' : score < 0.3 ? 'bad' : 'warn';
  return {
    title: subQuery ?? 'From what the model knows',
    chips: [
      has('unreadableScore') ? chip('score unreadable', 'warn') : chip(score.toFixed(2), tone),
      has('unreadableAnswer')
        ? chip('answer unreadable', 'warn')
        : chip(answer ?? 'no answer', answer === null ? 'bad' : 'plain'),
      ...(has('noEvidence') ? [chip('no evidence', 'warn')] : []),
      kept ? chip(depth === 0 ? 'seed' : 'kept') : chip('dropped', 'warn'),
    ],
    dropped: !kept,
    blocks: [...text(evidence, 'Evidence'), ...passageList(state.passages)],
  };
}

/** Returns the states from the seed to the chosen one. */
function pathTo(states: readonly AlliesState[], id: number | null): AlliesState[] {
  const state = states.find((one) => one.id === id);
  return state ? [...pathTo(states, state.parent), state] : [];
}
