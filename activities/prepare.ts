/** What a question needs to know of its worker before it starts, written down in its history. */
import { ApplicationFailure } from '@temporalio/common';
import { Failure } from '../methods/failure.js';
import type { PassageRef, SearchMode } from '../methods/vocabulary.js';
import type { SuppliedPassage } from '../retrieval/supplied-passages.js';
import type { Ports } from './ports.js';

export interface PrepareInput {
  corpus: string;
  mode?: SearchMode;
  passages?: SuppliedPassage[];
  /** Passages that are in the store already. */
  stored?: PassageRef[];
}

export interface Prepared {
  defaultModel: string;
  searchAttributes: boolean;
  /** References to the passages that came with the question, once they are stored. */
  supplied?: PassageRef[];
}

export type PrepareActivity = (input: PrepareInput) => Promise<Prepared>;

/**
 * Makes the activity that stores supplied passages, checks that the corpus is there and fit and says what
 * the worker is set up with. A local activity: its input, with the texts, enters no history.
 */
export function prepareActivity(ports: Ports): PrepareActivity {
  return async ({ corpus, mode, passages, stored }) => {
    const { defaultModel, searchAttributes } = ports;
    try {
      if (stored) return { defaultModel, searchAttributes, supplied: stored };
      if (passages) {
        return { defaultModel, searchAttributes, supplied: await ports.passages.put(passages) };
      }
      await ports.corpora.open(corpus, mode);
      return { defaultModel, searchAttributes };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      throw ApplicationFailure.create({
        type: error.type,
        message: error.message,
        nonRetryable: !error.retryable,
      });
    }
  };
}
