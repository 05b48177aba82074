import { z } from 'zod';
import { between, whole } from '../../core/options/ranges.js';
import { passagesOf } from '../../core/passages-read.js';
import type { Section, TreeNode } from '../../core/section.js';
import type { PassageRef, QueryEvidence } from '../../core/vocabulary.js';
import { cards, chip, count, passages, section, text } from '../../report/views/parts.js';
import { defineMethod } from '../define-method.js';
import { optionsOf } from '../options.js';

const options = optionsOf(
  {
    subQueries: whole(1, 10)
      .default(2)
      .describe('K, sub-queries asked for at most to extend a state (ALLIES table 6: NQ 2)'),
    depth: whole(1, 8)
      .default(2)
      .describe('D, how often states are extended at most (ALLIES table 6: NQ 2)'),
    passages: whole(1, 200)
      .default(2)
      .describe('N, passages for a query (ALLIES table 6: NQ 2), where evidence is retrieved'),
    threshold: between(0, 1)
      .default(0.8)
      .describe(
        'S, the score from which on an extended state ends the search (ALLIES table 6: 0.8)',
      ),
    beamSize: whole(1, 10)
      .default(2)
      .describe('B, states kept of each depth (ALLIES table 6: NQ 2)'),
    evidence: z
      .enum(['retrieved', 'generated', 'none'])
      .default('retrieved')
      .describe(
        'what is found for a query: passages retrieved and condensed, or a background document (ALLIES 4.3); or nothing, so that the queries stand alone (5.5, table 2)',
      ),
  },
  {
    unread: {
      passages: ({ evidence }) =>
        evidence !== 'retrieved' &&
        'passages are searched for where the evidence is retrieved only',
    },
  },
);

export type AlliesOptions = z.output<typeof options>;

/** A query with its evidence, and the passages that this was condensed from. */
export interface Finding extends QueryEvidence {
  /** Empty unless the evidence was retrieved. */
  passages: PassageRef[];
}

/** What a reader of a state should know. */
export type StateFlag =
  | 'noEvidence' // nothing was found for its sub-query, or what was found could not be read
  | 'unreadableAnswer' // it takes no place in a beam
  | 'unreadableScore'; // it counts as 0

/** A new state before it has its place in the search. */
export interface Draft {
  /** The finding that extended it; null for the first seed, the question itself for the second. */
  subQuery: string | null;
  passages: PassageRef[];
  /** Null for the first seed, and for all of them in a search without evidence. */
  evidence: string | null;
  answer: string | null;
  /** From 0 to 1. */
  score: number;
  flags: StateFlag[];
}

/** A state: what it adds to its parent, and the answer and score of all its findings. */
export interface AlliesState extends Draft {
  /** Its position among the states. */
  id: number;
  /** 0 for a seed. */
  depth: number;
  /** The id of the state it extends; null for a seed. */
  parent: number | null;
  /** Whether it was in the beam of its depth. */
  kept: boolean;
}

/**
 * Why the search ended: a kept state of the last depth reached S; the greatest depth was reached;
 * or no state of a depth had an answer, so that the beam before it counts.
 */
export type Stopped = 'threshold' | 'depth' | 'noExtension';

export interface AlliesChain {
  /** By depth, then in the order of their parents in the beam, then of the sub-queries. */
  states: AlliesState[];
  /** The id of the state whose answer was taken; null when none has an answer. */
  chosen: number | null;
  stopped: Stopped;
}

export const alliesMethod = defineMethod({
  name: 'allies',
  title: 'ALLIES: beam search over sub-queries',
  source: 'ALLIES (Sun et al., Findings of EMNLP 2023), section 4, algorithm 1',
  options,
  // Every sub-query of a history may be the longest of its request.
  bound: (chosen) => chosen,
  passagesRead: ({ states }: AlliesChain) => states.flatMap(passagesOf),
  searches: ({ evidence }) => evidence === 'retrieved',
  view: alliesView,
  steps: [
    'answerWithEvidence',
    'scoreAnswer',
    'askSubQueries',
    'condenseEvidence',
    'generateDocument',
  ],
  callsFormula:
    '5 + W(1 + 3K) for each depth, where W is 2 at depth 1 and then the states kept, at most B: at most 33 by default, 19 when depth 1 reaches S, as it always does for S = 0; without evidence 4 + W(1 + 2K); searches: 1 + W·K for each depth, only when evidence is retrieved',
  figures:
    'EM/F1, GPT-3.5-turbo: NQ 38.0/47.8 (K=2 B=2 D=2 N=2), TriviaQA 61.4/70.8 (generated, K=2 B=3 D=1), WebQ 28.2/45.6 (generated, K=3 B=3 D=2); without evidence NQ 22.4/34.5, WebQ 19.8/36.5',
});

const STOPPED: Record<Stopped, string> = {
  threshold: 'a score reached the threshold',
  depth: 'the greatest depth was reached',
  noExtension: 'no further state had an answer',
};

function alliesView({ states, chosen, stopped }: AlliesChain): Section[] {
  /** Returns the states under the state that they extend. */
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
    blocks: [...text(evidence, 'Evidence'), ...passages(state.passages)],
  };
}

/** Returns the states from a seed to the chosen one. */
function pathTo(states: readonly AlliesState[], id: number | null): AlliesState[] {
  const state = states.find((one) => one.id === id);
  return state ? [...pathTo(states, state.parent), state] : [];
}
