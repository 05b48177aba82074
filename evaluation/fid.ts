/** Questions with their passages in the format of the Fusion-in-Decoder reader. Pure. */

import { Failure } from '../core/failure.js';
import type { MethodRegistry } from '../core/method-registry.js';
import { answerSources } from '../core/passages-read.js';
import type { MethodResult } from '../core/result.js';
import type { Passage } from '../core/vocabulary.js';

/**
 * A question with its passages in the format that facebookresearch/FiD reads for training and
 * inference.
 */
export interface FidExample {
  id: string;
  question: string;
  /** Answer that the reader is trained to write; undefined if none is known. */
  target?: string;
  /** Every accepted answer; empty for inference. */
  answers: string[];
  /** Passages and generated documents, best first. `id` is that of the user's corpus, if known. */
  ctxs: { id?: string; title: string; text: string; score: number }[];
}

/** The id, answers and passage texts of a question, which its result does not contain. */
interface FidSource {
  id: string;
  answers?: readonly string[];
  /** Answer to train on. @default the first of the answers */
  target?: string;
  /** Texts of the retrieved passages, in any order. */
  passages?: readonly Pick<Passage, 'id' | 'text'>[];
}

/**
 * Returns the FiD example of a question: the retrieved passages, best first, then the generated
 * documents, as GenRead merges them (4.2.1, 4.3.1). A generated document has the title '' and the
 * score 1/rank. There are neither if the method does not say what it read.
 *
 * @throws Failure BadInput if the question failed, or if the text of a passage is missing.
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

/**
 * Returns a question with its passages, in the format of Fusion-in-Decoder, as a line of a JSON
 * Lines file, with its line feed.
 */
export function fidLine(example: FidExample): string {
  return `${JSON.stringify(example)}\n`;
}
