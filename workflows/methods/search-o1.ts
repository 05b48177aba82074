/** Search-o1 (Li et al., 2025). */

import { whole } from '../../core/options/ranges.js';
import { chainPassages, distinctPassages, inIdOrder } from '../../core/passages-read.js';
import { type Conclusion, concluded } from '../../core/result.js';
import type { PassageRef } from '../../core/vocabulary.js';
import { cards, chip, count, section, text, titleList } from '../../report/views/section-parts.js';
import type { TurnPlace } from '../../steps/turns.js';
import type { Question } from '../algorithm.js';
import { byTurns, TURNS_ENDED, type TurnsEnd } from '../by-turns.js';
import { defineMethod } from '../define-method.js';

/** The result of a search of `searchO1`. */
interface Searched {
  /** Ids of the passages found. */
  found: string[];
  /** The information taken from them, shortened; null if no search was made. */
  taken: string | null;
  /**
   * Reason why no search was made: the limit was reached, or the query was repeated; otherwise
   * null.
   */
  refused: 'limit' | 'repeated' | null;
}

/** A turn of `searchO1`. */
interface ReasoningTurn extends Searched {
  /** The model's thought, shortened. */
  thought: string;
  /** The query; null for an answer, and at the end. */
  query: string | null;
}

/** The chain of `searchO1`. */
interface SearchO1Chain {
  /** All passages that were found, without repeats. */
  passages: PassageRef[];
  turns: ReasoningTurn[];
  ended: TurnsEnd;
  /** Whether one more call had to ask for the answer. */
  askedForAnswer: boolean;
}

const PROTOCOL = 'search-o1';

const NOTHING: Searched = { found: [], taken: null, refused: null };

/**
 * The method `searchO1`: a reasoning model that searches while it reasons, and extracts what it needs
 * from the results ("Search-o1: Agentic Search-Enhanced Large Reasoning Models").
 */
export const searchO1 = defineMethod({
  module: import.meta.url,
  name: 'searchO1',
  title:
    'Search-o1: a model that searches as it reasons, and reads what was found before it goes on',
  source: 'Search-o1 (Li et al., 2025)',
  options: {
    passages: whole(1, 50).default(10).describe('k, passages of a search (the script: 10)'),
    maxSearches: whole(1, 200)
      .default(5)
      .describe('S, searches at most (the script: 5 for one hop, 10 for several)'),
    maxTurns: whole(1, 200)
      .default(10)
      .describe('T, turns at most (the script: 10 for one hop, 15 for several)'),
  },
  passagesRead: chainPassages,
  facts: {
    iterations: {
      of: ({ turns }: SearchO1Chain) => turns.length,
      most: ({ maxTurns }) => maxTurns + 1,
    },
    mostSearches: ({ maxSearches }) => maxSearches,
    documentsSeen: {
      of: ({ passages }: SearchO1Chain) => passages.length,
      most: ({ passages, maxSearches }) => passages * maxSearches,
    },
    documentsFound: {
      of: ({ turns }: SearchO1Chain) => turns.reduce((sum, { found }) => sum + found.length, 0),
      most: ({ passages, maxSearches }) => passages * maxSearches,
    },
    texts: {
      thoughts: ({ turns }: SearchO1Chain) => turns.map(({ thought }) => thought),
      evidence: ({ turns }: SearchO1Chain) => turns.flatMap(({ taken }) => taken ?? []),
    },
  },
  figures: 'of QwQ-32B over the web: none stands beside a corpus',
  view({ passages, turns, ended, askedForAnswer }: SearchO1Chain) {
    const taken = turns.map((turn, i) => ({
      title: `Turn ${i + 1}`,
      chips: [
        ...(turn.query === null ? [] : [chip(turn.query)]),
        ...(turn.taken === null ? [] : [chip(count(turn.found.length, 'passage'))]),
        ...(turn.refused === null ? [] : [chip(REFUSED[turn.refused], 'warn')]),
      ],
      blocks: [
        ...text(turn.thought),
        ...titleList(inIdOrder(passages, turn.found)),
        ...text(turn.taken, 'Taken from it'),
      ],
    }));
    const note = askedForAnswer
      ? `${TURNS_ENDED[ended]}; the answer was asked for`
      : TURNS_ENDED[ended];
    return section('Turns', cards(taken), { note });
  },

  /**
   * Reasons until a search or the end. The results of a search are read in view of the reasoning so
   * far, and the information taken from them is appended to it. If there is no answer at the end, one
   * more call asks for it.
   */
  async algorithm(asked): Promise<Conclusion<SearchO1Chain>> {
    const { question, options, step } = asked;
    const { passages: most, maxSearches, maxTurns } = options;
    const all: PassageRef[] = [];
    const searched = new Set<string>();
    const reasoned = await byTurns<Searched>(asked, {
      step: 'think',
      turns: maxTurns,
      actsLast: true,
      think: ({ last: _, ...place }) =>
        step.think({ question, protocol: PROTOCOL, maxSearches, ...place }),
      async act(action, { soFar, added, turn: next }) {
        if (action === null) return undefined;
        const { argument: query } = action;
        const isRepeated = searched.has(query);
        const refused = searched.size >= maxSearches ? 'limit' : isRepeated ? 'repeated' : null;
        if (refused) return { added: [{ notice: refused }], record: { ...NOTHING, refused } };

        searched.add(query);
        const passages = await step.retrieve({ query, count: most });
        all.push(...passages);
        const found = passages.map(({ id }) => id);
        const { taken, ...reading } = await step.readInDocuments({
          question,
          turn: next - 1,
          passages: found,
          soFar,
          ...(added.length > 0 && { added }),
        });
        const record = { found, taken, refused };
        if (reading.soFar !== undefined) return { soFar: reading.soFar, record };
        return { added: [{ written: reading.written ?? '' }], record };
      },
    });

    const { turns, ended, next } = reasoned;
    const askedForAnswer = reasoned.answer === null;
    const answer = askedForAnswer ? await answerAlone(asked, next) : reasoned.answer;
    const passages = distinctPassages(all);
    const chain: SearchO1Chain = {
      passages,
      turns: turns.map(({ thought, action, record }) => ({
        thought,
        query: action?.name === 'search' ? action.argument : null,
        ...(record ?? NOTHING),
      })),
      ended,
      askedForAnswer,
    };
    return concluded(
      answer,
      passages.map(({ id }) => id),
      chain,
    );
  },
});

/** Asks for the answer alone, after the last turn. */
async function answerAlone(
  { question, options: { maxSearches }, step }: Question<{ maxSearches: number }>,
  next: TurnPlace,
): Promise<string | null> {
  const { action } = await step.think({
    question,
    protocol: PROTOCOL,
    maxSearches,
    ...next,
    added: [...next.added, { notice: 'answer' }],
    last: true,
  });
  return action?.name === 'answer' ? action.argument : null;
}

const REFUSED = { limit: 'as many searches as may be', repeated: 'searched for before' };
