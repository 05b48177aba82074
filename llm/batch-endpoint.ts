/**
 * The batch port: many requests handed over at once, answered within a day at a lower price.
 *
 * `batchEndpointContract` of `durable-rag/testing` holds an implementation against this.
 */
import type { Failure } from '../core/failure.js';
import type { Completion, CompletionRequest, LanguageModel } from './language-model.js';

/** What an endpoint takes at once. */
export interface BatchLimits {
  /** Requests of a batch. */
  requests: number;
  /** Bytes of its file. */
  bytes: number;
}

/** A thing that a provider found wrong with a batch as a whole, or with a line of its file. */
export interface BatchProblem {
  /** The provider's word: "token_limit_exceeded". */
  code: string;
  message: string;
  /** From 1; null where it is the whole file. */
  line: number | null;
}

/** Where a batch stands. JSON-safe. */
export interface BatchStatus {
  id: string;
  /** "open" until nothing more comes of it: also while it is checked, or being cancelled. */
  state: 'open' | 'completed' | 'failed' | 'expired' | 'cancelled';
  /** The file of answers; null where none was answered, also of one that is completed. */
  output: string | null;
  /** The file of requests that came to no answer. */
  errors: string | null;
  /** As far as the provider says. */
  counts: { total: number; completed: number; failed: number };
  /** Why it failed; empty for every other state. */
  problems: BatchProblem[];
}

/** What a line of an output or error file says of a request. */
export type BatchAnswer =
  | { id: string; completion: Completion }
  /** It came to a failure, as the same request by itself would have. */
  | { id: string; failure: Failure; refused?: string }
  /** It was never asked: the batch ended before, and nothing was paid. */
  | { id: string; unasked: string };

/**
 * The batches of a provider. Every method but `create` may be called again: what it did is then done
 * once more at no cost. Each makes one request, but for `find`, which goes through the list, and a
 * `cancel` that was refused.
 *
 * All of them throw a Failure with the type that tells whether a retry makes sense, and the signal's
 * reason once it has fired.
 */
export interface BatchEndpoint {
  readonly limits: BatchLimits;
  /**
   * Returns the line of a request, without its line end. Pure: the same request gives the same
   * line.
   *
   * @param id Comes back with the answer: at most 64 of A-Z, a-z, 0-9, "_" and "-".
   * @param without Parameters that the model is known to refuse, as `BatchAnswer.refused` named them.
   */
  line(id: string, request: CompletionRequest, without: readonly string[]): string;
  /** Hands over the lines, each with its end; gives the file's name. Costs nothing. */
  upload(lines: string, signal: AbortSignal): Promise<string>;
  /**
   * Makes a batch of a file. This is what is paid: it is never retried by itself, and whoever cannot
   * tell whether it was made has to `find` it by its mark first.
   *
   * @param mark Is kept with the batch: at most 64 characters.
   */
  create(batch: { file: string; mark: string }, signal: AbortSignal): Promise<BatchStatus>;
  /** Returns the newest batch that was made with this mark; undefined where the list has none. */
  find(mark: string, signal: AbortSignal): Promise<BatchStatus | undefined>;
  /** Returns where a batch stands now. */
  look(id: string, signal: AbortSignal): Promise<BatchStatus>;
  /**
   * Yields the lines of an output or error file, in the same order every time. Ends without an
   * error where the file ends in the middle of a line, which is then the last one.
   */
  download(file: string, signal: AbortSignal): AsyncIterable<string>;
  /**
   * Returns the answer of a line; undefined where it cannot be read, such as a cut line. Pure.
   *
   * @param model That was asked; the answer is priced as one of a batch.
   */
  read(line: string, model: string): BatchAnswer | undefined;
  /** Asks for its end; one that has ended stays as it is. What was answered is still paid. */
  cancel(id: string, signal: AbortSignal): Promise<void>;
}

/** A language model whose endpoint takes batches as well. */
export interface BatchingModel extends LanguageModel {
  readonly batches: BatchEndpoint;
}

/** Returns the batch endpoint of a model, where it has one. */
export function batchesOf(model: LanguageModel & { batches?: BatchEndpoint }) {
  return model.batches;
}
