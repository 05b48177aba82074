/** The chain of LLatrieval, and its view. */

import type { Citation } from '../../../core/citations.js';
import type { Block, Chip } from '../../../core/section.js';
import type { PassageRef } from '../../../core/vocabulary.js';
import {
  cards,
  chip,
  count,
  table,
  text,
  titleList,
  titlesOf,
} from '../../../report/views/section-parts.js';

/**
 * One selection of k supporting documents (LLatrieval figure 4): the new candidates beside the
 * documents selected before, the numbers that the model named, and the documents selected now.
 */
export interface Selection {
  /** Ids of the new candidates, in retriever order. */
  candidates: string[];
  /**
   * The numbers that the model named: the documents of the earlier D from 1, then the candidates.
   * Null if there were at most k documents, which were all taken without a call.
   */
  named: number[] | null;
  /** Ids of D after the selection, in order. */
  supporting: string[];
}

/**
 * The model's verdict on whether the supporting documents D suffice for an answer (LLatrieval
 * 3.1): whether they passed, and the score from 0 to 10 if one was asked for, null if it could not
 * be read.
 */
export interface Verification {
  passed: boolean;
  /** Score from 0 to 10, if one was asked for; null if it could not be read. */
  score?: number | null;
}

/**
 * One round of the loop: a search, the selections from its results, and the verification
 * (LLatrieval algorithm 1, lines 3 to 15).
 */
export interface Iteration {
  query: string;
  /** Results of the search, best first, those seen before included. */
  found: PassageRef[];
  /** Selections; empty if the search found nothing new. */
  selections: Selection[];
  /** The verification; null if D was empty. */
  verification: Verification | null;
}

/**
 * A document of the final set D that supports the answer: its id, its title, and the summary by
 * which it was selected, if it was not shown in full.
 */
export interface SupportingDocument {
  id: string;
  title: string;
  /** Summary by which it was selected; absent if it was shown in full. */
  summary?: string;
}

/** The chain of `llatrieval`: the supporting documents, the iterations, and the cited answer. */
export interface LlatrievalChain {
  /** D: the passages numbered [1], [2], ... in the answer. */
  supporting: SupportingDocument[];
  iterations: Iteration[];
  /** Whether the last D was verified. */
  passed: boolean;
  /** Number of distinct passages that were offered for selection. */
  documentsRead: number;
  /**
   * Number of passages that the searches found, repeats included, as in tables 4 to 6 of the paper.
   */
  documentCandidates: number;
  /** The answer as read; null if it could not be read or there was nothing to read. */
  reading: string | null;
  /** Citations of the answer, in the order of first citation. */
  citations: Citation[];
}

/**
 * Returns report blocks with a card for each iteration, with its query, its selections and its
 * verification: an array of one block, empty without iterations.
 */
export function iterationCards(iterations: readonly Iteration[]): Block[] {
  const titleOf = titlesOf(iterations.flatMap(({ found }) => found));
  return cards(
    iterations.map(({ query, found, selections, verification }, i) => {
      const fresh = selections.reduce((sum, { candidates }) => sum + candidates.length, 0);
      return {
        title: `Iteration ${i + 1}`,
        chips: [
          chip(`${found.length} found`),
          chip(`${fresh} new`),
          chip(count(selections.length, 'selection')),
          ...verificationChips(verification),
        ],
        blocks: [
          ...text(query, 'Query'),
          ...selectionTable(selections, titleOf),
          {
            type: 'fold',
            title: `${count(found.length, 'document')} found`,
            blocks: titleList(found),
          },
        ],
      };
    }),
  );
}

function verificationChips(verification: Verification | null): Chip[] {
  if (verification === null) return [chip('nothing to verify', 'warn')];
  const { passed, score } = verification;
  const rated = score === undefined ? '' : ` (${score === null ? 'unreadable' : `${score} of 10`})`;
  return [passed ? chip(`verified${rated}`, 'good') : chip(`not verified${rated}`, 'bad')];
}

function selectionTable(
  selections: readonly Selection[],
  titleOf: (id: string) => string,
): Block[] {
  const rows = selections.map(({ candidates, named, supporting }, i) => [
    `${i + 1}`,
    `${candidates.length}`,
    named === null ? 'all taken' : named.join(', ') || 'none',
    supporting.map(titleOf).join('; '),
  ]);
  const head = ['Selection', 'New documents', 'Numbers named', 'Supporting documents after it'];
  return table(head, rows);
}
