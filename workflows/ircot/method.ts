import { z } from 'zod';
import { nonEmpty, whole } from '../../core/options/ranges.js';
import { inOrder } from '../../core/passages-read.js';
import type { PassageRef } from '../../core/vocabulary.js';
import { baseView, cards, chip, section, text, titles } from '../../report/views/parts.js';
import { defineMethod } from '../define-method.js';
import { optionsOf } from '../options.js';

const demonstration = z.strictObject({
  question: nonEmpty,
  thoughts: z.array(nonEmpty).min(1).max(20),
  answer: nonEmpty,
});

const options = optionsOf(
  {
    passages: whole(1, 50)
      .default(4)
      .describe('K, passages retrieved by the question and by each thought (the paper: 4 to 6)'),
    maxPassages: whole(1, 200).default(15).describe('M, passages gathered at most (the paper: 15)'),
    maxThoughts: whole(1, 20).default(8).describe('T, thoughts at most (the paper: 8)'),
    reader: z
      .enum(['chainOfThought', 'direct'])
      .default('chainOfThought')
      .describe('how the gathered passages are read in the end (the paper has both; ours)'),
    demonstrations: z
      .array(demonstration)
      .max(20)
      .default([])
      .describe('questions with the thoughts that led to their answers (few-shot in the paper)'),
  },
  {
    refused: {
      maxPassages: ({ passages, maxPassages }) =>
        passages > maxPassages &&
        'must be at least passages, or what the question finds would not be kept',
    },
  },
);

export type IrcotOptions = z.output<typeof options>;

/** A sentence of the chain of thought, with the new passages that it found. */
export interface Thought {
  text: string;
  /** Ids. */
  brought: string[];
}

/**
 * Why the thoughts ended: an answer; the most passages or thoughts; a repeated thought; two without
 * a new passage; or an unreadable output.
 */
export type ThinkingEnd =
  | 'answer'
  | 'passages'
  | 'thoughts'
  | 'repeated'
  | 'nothingNew'
  | 'unreadable';

export interface IrcotChain {
  /** All gathered passages in their order: what was read in the end. */
  passages: PassageRef[];
  thoughts: Thought[];
  ended: ThinkingEnd;
  /**
   * The conclusion of the thoughts, null if there is none; the answer is read from the passages.
   */
  concluded: string | null;
  /** The reader's thoughts before its answer; null unless it reads by chain of thought. */
  reasoning: string | null;
  /** The reader's answer as read; null when it could not be read. */
  reading: string | null;
}

/** "Interleaving Retrieval with Chain-of-Thought Reasoning for Knowledge-Intensive Multi-Step Questions". */
export const ircotMethod = defineMethod({
  name: 'ircot',
  title: 'IRCoT: retrieval and chain of thought by turns, then read what was gathered',
  source: 'IRCoT (Trivedi et al., ACL 2023)',
  options,
  // Searches with few new passages make many thoughts, others make long prompts.
  bound: (chosen) => ({
    ...chosen,
    maxPassages:
      chosen.passages < chosen.maxPassages
        ? chosen.passages * (chosen.maxThoughts + 1)
        : chosen.maxPassages,
  }),
  view(chain: IrcotChain, context) {
    const { passages, thoughts, ended, concluded, reasoning } = chain;
    const numberOf = (id: string) => passages.findIndex((passage) => passage.id === id) + 1;
    const thinking = thoughts.map(({ text: thought, brought }, i) => ({
      title: `Thought ${i + 1}`,
      chips: [
        chip(brought.length === 0 ? 'nothing new' : `passages ${brought.map(numberOf).join(', ')}`),
      ],
      blocks: [...text(thought), ...titles(inOrder(passages, brought))],
    }));
    const answer =
      concluded === null ? [] : [{ title: 'Answer', chips: [chip(concluded)], blocks: [] }];
    return [
      ...section('Thoughts', cards([...thinking, ...answer]), { note: ENDED[ended] }),
      ...section('Reasoning', text(reasoning)),
      ...baseView(chain, context),
    ];
  },
  steps: ['nextThought', 'reason', 'read'],
  callsFormula: 'at most T + 1; searches: at most T + 1',
  figures: 'few-shot, with models no longer served: none stands beside the zero-shot form',
});

const ENDED: Record<ThinkingEnd, string> = {
  answer: 'came to an answer',
  passages: 'as many passages as may be',
  thoughts: 'as many thoughts as may be',
  repeated: 'a thought came again',
  nothingNew: 'two thoughts brought nothing new',
  unreadable: 'the next could not be read',
};
