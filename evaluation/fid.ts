/** What questions were answered from, in the format of the Fusion-in-Decoder reader. Pure. */

import { Failure } from '../core/failure.js';
import { answerSources } from '../core/passages-read.js';
import type { MethodRegistry } from '../core/registry.js';
import type { MethodResult } from '../core/result.js';
import type { Passage } from '../core/vocabulary.js';

/** One example, as facebookresearch/FiD reads it for training and inference. */
export interface FidExample {
  id: string;
  question: string;
  /** Text that the reader is trained to write; absent if no answer is known. */
  target?: string;
  /** Every accepted answer; empty for inference only. */
  answers: string[];
  /** Passages, each with the id given by its supplier. */
  ctxs: { id?: string; title: string; text: string; score: number }[];
}

/** The question's data, and the texts of its retrieved passages. */
interface FidSource {
  id: string;
  answers?: readonly string[];
  /** @default the first of the answers */
  target?: string;
  /** Passages in any order; not needed if nothing was retrieved. */
  passages?: readonly Pick<Passage, 'id' | 'text'>[];
}

/**
 * The example of a question: the passages retrieved, best first, then the documents generated, as
 * GenRead merges them (4.2.1, 4.3.1). A document has no title, and 1/rank for a score.
 *
 * @throws Failure BadInput when the question failed, or the text of a passage is not given.
 */
export function fidExample(
  result: Pick<MethodResult, 'method' | 'outcome' | 'question' | 'chain' | 'evidence'>,
  { id, answers = [], target = answers[0], passages = [] }: FidSource,
  methods: MethodRegistry,
): FidExample {
  const read = answerSources(result, methods);
  if (read === undefined) {
    throw new Failure('BadInput', `The question ${id} failed: it has no documents.`);
  }
  const contexts = read === 'unknown' ? { passages: [], documents: [] } : read;
  const texts = new Map(passages.map((passage) => [passage.id, passage.text]));
  const retrieved = contexts.passages.map(({ id: passage, title, score, own }) => {
    const text = texts.get(passage);
    if (text !== undefined)
      return { ...(own?.id !== undefined && { id: own.id }), title, text, score };
    throw new Failure('BadInput', `The question ${id} needs the text of the passage ${passage}.`);
  });
  const generated = contexts.documents.map((text, i) => ({ title: '', text, score: 1 / (i + 1) }));
  return {
    id,
    question: result.question,
    ...(target === undefined ? {} : { target }),
    answers: [...answers],
    ctxs: [...retrieved, ...generated],
  };
}

/** A line of a FiD file with the ending .jsonl. */
export function fidLine(example: FidExample): string {
  return `${JSON.stringify(example)}\n`;
}
