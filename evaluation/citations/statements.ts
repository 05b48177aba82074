/** Splits an answer into the statements whose citations are judged. Pure. */
import { citationNumbers, withoutCitations, withUniformCitations } from '../../core/citations.js';
import type { Statement } from '../../core/metric.js';
import { splitSentences } from '../../core/sentences.js';
import { listItems } from '../metrics/list-items.js';

/** Options for splitting an answer into statements. */
interface StatementOptions {
  /** Number of passages that can be cited; higher numbers are invalid. */
  passages: number;
  /** Maximum number of citations of a statement that count. @default 3, as in ALCE */
  atMost?: number;
  /**
   * The question, if the answer is a list. Each statement is then the question followed by an item.
   */
  listFor?: string;
}

/**
 * Returns the statements of an answer: its sentences, or the items of its list, each after the
 * question. Each has its text without citations (`claim`) and the positions, from 0, of the
 * passages that it cites, at most the first three or `atMost` (`cited`). A statement that cites a
 * missing passage has no citations, and lists the missing numbers (`missing`).
 *
 * Source: princeton-nlp/ALCE, eval.py (`compute_autoais`), except for citation [0], which there
 * means the last passage and here none.
 */
export function readStatements(output: string, options: StatementOptions): Statement[] {
  const { listFor } = options;
  const texts =
    listFor === undefined
      ? splitSentences(withUniformCitations(output))
      : listItems(output).map((item) => `${listFor} ${item}`);
  return texts.map((text) => readStatement(text, options));
}

function readStatement(text: string, { passages, atMost = 3 }: StatementOptions): Statement {
  const numbers = citationNumbers(text);
  const missing = numbers.filter((number) => number < 1 || number > passages);
  return {
    claim: withoutCitations(text),
    cited: missing.length > 0 ? [] : numbers.slice(0, atMost).map((number) => number - 1),
    ...(missing.length > 0 && { missing }),
  };
}
