import { z } from 'zod';
import { between, whole } from '../../core/options/ranges.js';
import type { PassageRef, QueryEvidence } from '../../core/vocabulary.js';
import { withoutEffect } from '../options.js';

const shape = {
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
    .describe('S, the score from which on an extended state ends the search (ALLIES table 6: 0.8)'),
  beamSize: whole(1, 10).default(2).describe('B, states kept of each depth (ALLIES table 6: NQ 2)'),
  evidence: z
    .enum(['retrieved', 'generated', 'none'])
    .default('retrieved')
    .describe(
      'what is found for a query: passages retrieved and condensed, or a background document (ALLIES 4.3); or nothing, so that the queries stand alone (5.5, table 2)',
    ),
};

export const options = z.strictObject(shape).superRefine(
  withoutEffect(shape, [
    {
      names: ['passages'],
      when: ({ evidence }) => evidence !== 'retrieved',
      because: 'passages are searched for where the evidence is retrieved only',
    },
  ]),
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
