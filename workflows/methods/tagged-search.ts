/** Search between tags, as models are trained for it (Search-R1, ReSearch, R1-Searcher; 2025). */

import { z } from 'zod';
import { whole } from '../../core/options/ranges.js';
import { chainPassages, distinctPassages, inIdOrder } from '../../core/passages-read.js';
import { type Conclusion, concluded } from '../../core/result.js';
import type { PassageRef } from '../../core/vocabulary.js';
import { cards, chip, count, section, text, titleList } from '../../report/views/section-parts.js';
import { TAGGED_PROTOCOL_NAMES, TAGGED_PROTOCOLS, type TaggedProtocol } from '../../steps/think.js';
import { byTurns, TURNS_ENDED, type TurnsEnd } from '../by-turns.js';
import { defineMethod } from '../define-method.js';

/** A turn of `taggedSearch`. */
interface SearchTurn {
  /** The model's thought, shortened. */
  thought: string;
  /** The query; null for an answer, or if no action could be read. */
  query: string | null;
  /** Ids of the passages found. */
  found: string[];
}

/** The chain of `taggedSearch`. */
interface TaggedSearchChain {
  protocol: TaggedProtocol;
  /** All passages that were found, without repeats. */
  passages: PassageRef[];
  turns: SearchTurn[];
  ended: TurnsEnd;
}

/**
 * The method `taggedSearch`: the loop of thoughts and searches between tags for which Search-R1,
 * ReSearch and R1-Searcher models are trained. It does not choose the model.
 */
export const taggedSearch = defineMethod({
  module: import.meta.url,
  name: 'taggedSearch',
  title: 'Tagged search: a model that searches between tags as it thinks',
  source: 'Search-R1 (Jin et al., 2025), ReSearch, R1-Searcher',
  options: {
    protocol: z
      .enum(TAGGED_PROTOCOL_NAMES as [TaggedProtocol, ...TaggedProtocol[]])
      .default('search-r1')
      .describe('the tags and wording that the model was trained with'),
    passages: whole(1, 50)
      .default(3)
      .describe('k, passages of a search (Search-R1: 3; R1-Searcher: 5)'),
    maxSearches: whole(1, 200)
      .default(4)
      .describe(
        'B, turns that may search; one that cannot be read counts as well (Search-R1: 4; R1-Searcher: 9)',
      ),
  },
  passagesRead: chainPassages,
  facts: {
    iterations: {
      of: ({ turns }: TaggedSearchChain) => turns.length,
      most: ({ maxSearches }) => maxSearches + 1,
    },
    mostSearches: ({ maxSearches }) => maxSearches,
    documentsSeen: {
      of: ({ passages }: TaggedSearchChain) => passages.length,
      most: ({ passages, maxSearches }) => passages * maxSearches,
    },
    documentsFound: {
      of: ({ turns }: TaggedSearchChain) => turns.reduce((sum, { found }) => sum + found.length, 0),
      most: ({ passages, maxSearches }) => passages * maxSearches,
    },
    texts: { thoughts: ({ turns }: TaggedSearchChain) => turns.map(({ thought }) => thought) },
  },
  figures: 'of models that were trained for it; none stands beside a prompted one',
  view({ passages, turns, ended }: TaggedSearchChain) {
    const taken = turns.map(({ thought, query, found }, i) => ({
      title: `Turn ${i + 1}`,
      chips: query === null ? [] : [chip(query), chip(count(found.length, 'passage'))],
      blocks: [...text(thought), ...titleList(inIdOrder(passages, found))],
    }));
    return section('Turns', cards(taken), {
      note: TURNS_ENDED[ended],
    });
  },

  /** Takes turns of a thought and a search; after the last search, one more turn may only answer. */
  async algorithm(asked): Promise<Conclusion<TaggedSearchChain>> {
    const { question, options, step } = asked;
    const { protocol, passages: count, maxSearches } = options;
    const all: PassageRef[] = [];
    const { turns, ended, answer } = await byTurns<string[]>(asked, {
      step: 'think',
      turns: maxSearches + 1,
      think: (place) => step.think({ question, protocol, ...place }),
      async act(action) {
        if (action === null) return unread(protocol);
        const found = await step.retrieve({ query: action.argument, count });
        all.push(...found);
        const ids = found.map(({ id }) => id);
        return { added: [{ found: ids }], record: ids };
      },
    });
    const passages = distinctPassages(all);
    const chain: TaggedSearchChain = {
      protocol,
      passages,
      turns: turns.map(({ thought, action, record }) => ({
        thought,
        query: action?.name === 'search' ? action.argument : null,
        found: record ?? [],
      })),
      ended,
    };
    return concluded(
      answer,
      passages.map(({ id }) => id),
      chain,
    );
  },
});

/**
 * Returns the notice after an unreadable turn; undefined if the protocol has none, so that the turns
 * end.
 */
function unread(protocol: TaggedProtocol) {
  const { unread: notice } = TAGGED_PROTOCOLS[protocol].notices;
  return notice === undefined ? undefined : { added: [{ notice: 'unread' }], record: [] };
}
