/**
 * The batch port: many requests handed over at once, answered within a day at a lower price.
 *
 * `batchEndpointContract` of `durable-rag/testing` holds an implementation against this.
 */
import type { Failure } from '../core/failure.js';
import type { Completion, CompletionRequest, LanguageModel, Parameter } from './language-model.js';

/** The limits of an endpoint. */
export interface BatchLimits {
  requests: number;
  bytes: number;
}

/** Why an endpoint refused a batch, or a line of it. */
export interface BatchProblem {
  /** The provider's code: "token_limit_exceeded". */
  code: string;
  message: string;
  /** The line, from 1; null for the whole file. */
  line: number | null;
}

/** The state of a batch. JSON-safe. */
export interface BatchStatus {
  id: string;
  /** "open" until nothing more comes, also while it is checked or cancelled. */
  state: 'open' | 'completed' | 'failed' | 'expired' | 'cancelled';
  /** The file of answers; null without answers, even if it is completed. */
  output: string | null;
  /** The file of requests that failed. */
  errors: string | null;
  /** As the provider counts them. */
  counts: { total: number; completed: number; failed: number };
  /** Why it failed; empty for every other state. */
  problems: BatchProblem[];
}

/** What a model refuses: a parameter, by its name, or a limit of more tokens than the most. */
export type Refused = string | { most: number };

/** What a line of an output or error file says of a request. */
export type BatchAnswer =
  | { id: string; completion: Completion }
  /** It failed, as the same request by itself would have. */
  | { id: string; failure: Failure; refused?: Refused }
  /** It was never asked: the batch ended before, and nothing was paid. */
  | { id: string; unasked: string };

/**
 * The batches of a provider. Every method except `create` may be repeated at no cost. Each makes
 * one request, except `find`, which reads the list, and a `cancel` that was refused.
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
   * @param without What the model is known to refuse, as `BatchAnswer.refused` said it.
   */
  line(id: string, request: CompletionRequest, without: readonly Refused[]): string;
  /** Returns what the line of a request leaves out, which its answer is then told to lack. Pure. */
  unsupported(request: CompletionRequest, without: readonly Refused[]): readonly Parameter[];
  /** Hands over the lines, each with its end; gives the file's name. Costs nothing. */
  upload(lines: string, signal: AbortSignal): Promise<string>;
  /**
   * Makes a batch of a file. This is what is paid, so it is never retried by itself. A caller that
   * does not know whether a batch was made must `find` it by its mark first.
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
   * @param sent What the line was made of. Without it nothing is learned of a refused limit.
   */
  read(
    line: string,
    model: string,
    sent?: { request: CompletionRequest; without: readonly Refused[] },
  ): BatchAnswer | undefined;
  /** Cancels a batch; an ended one stays as it is. Its answers are still paid. */
  cancel(id: string, signal: AbortSignal): Promise<void>;
}

/** A language model whose endpoint also takes batches. */
export interface BatchingModel extends LanguageModel {
  readonly batches: BatchEndpoint;
}

/** Returns what a model refuses by both: each parameter once, and the smaller limit. */
export function withRefused(known: readonly Refused[], more: readonly Refused[]): Refused[] {
  const all = [...known, ...more];
  const names = new Set(all.filter((one) => typeof one === 'string'));
  const limits = all.flatMap((one) => (typeof one === 'string' ? [] : one.most));
  return [...names, ...(limits.length > 0 ? [{ most: Math.min(...limits) }] : [])];
}

/** Returns the batch endpoint of a model, where it has one. */
export function batchesOf(model: LanguageModel & { batches?: BatchEndpoint }) {
  return model.batches;
}
