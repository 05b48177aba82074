/**
 * The interface for batches: many requests at once, answered within a day at a lower price.
 *
 * `batchEndpointContract` of `durable-rag/testing` tests an implementation.
 */
import type { Failure } from '../core/failure.js';
import type { Completion, CompletionRequest, LanguageModel, Parameter } from './language-model.js';

/**
 * The largest batch that an endpoint accepts: its number of requests, and its file's size in
 * bytes.
 */
export interface BatchLimits {
  /** Maximum number of requests. */
  requests: number;
  /** Largest file, in bytes. */
  bytes: number;
}

/**
 * A reason for which an endpoint refused a batch or one line of it: code, message and line number.
 */
export interface BatchProblem {
  /** The provider's code: "token_limit_exceeded". */
  code: string;
  message: string;
  /** Line number, from 1; null for the whole file. */
  line: number | null;
}

/**
 * The status of a batch as the provider reports it: its state, the ids of its result files, the
 * numbers of its requests, and the reasons of a failure. JSON-safe.
 */
export interface BatchStatus {
  id: string;
  /** "open" while answers may still come, also while the batch is checked or cancelled. */
  state: 'open' | 'completed' | 'failed' | 'expired' | 'cancelled';
  /** Id of the file with answers; null if there are none, even for a completed batch. */
  output: string | null;
  /** Id of the file with failed requests; null if there are none. */
  errors: string | null;
  /** Numbers of requests, as the provider counts them. */
  counts: { total: number; completed: number; failed: number };
  /** Reasons of the failure; empty if the provider gives none. */
  problems: BatchProblem[];
}

/**
 * A part of a request that a model refuses: a string is a parameter by its name in the provider's
 * API; an object means every limit of output tokens above `most`.
 */
export type RefusedPart = string | { most: number };

/**
 * The result of one request of a batch, from a line of an output or error file: its completion,
 * its failure, or that it was not made.
 */
export type BatchAnswer =
  | { id: string; completion: Completion }
  /** The request failed, as it would have outside a batch. */
  | { id: string; failure: Failure; refused?: RefusedPart }
  /** The request was not made, because the batch ended first; `unasked` is the provider's code. */
  | { id: string; unasked: string };

/**
 * Functions for the batches of a provider: they make the lines of requests, upload them, create,
 * find and cancel batches, and read their status and answers. Every method except `create` may be
 * repeated at no cost. `line`, `unsupported` and `read` make no request. Each of the others makes
 * one, except `find`, which reads the list, and a refused `cancel`, which also reads the status.
 *
 * Methods that make requests throw a Failure whose type tells whether a retry makes sense, or the
 * signal's reason once it has fired.
 */
export interface BatchEndpoint {
  readonly limits: BatchLimits;
  /**
   * Returns the line of a request, without its line end. Pure: equal requests give equal lines.
   *
   * @param id Returned with the answer: at most 64 of A-Z, a-z, 0-9, "_" and "-".
   * @param without Parts that the model is known to refuse, from `BatchAnswer.refused`.
   */
  line(id: string, request: CompletionRequest, without: readonly RefusedPart[]): string;
  /**
   * Returns the parameters of `request` that its line leaves out because the model refuses them.
   * Pure.
   */
  unsupported(request: CompletionRequest, without: readonly RefusedPart[]): readonly Parameter[];
  /** Uploads the lines, each with its end; returns the file's id. Costs nothing. */
  upload(lines: string, signal: AbortSignal): Promise<string>;
  /**
   * Creates a batch from an uploaded file. This costs money, so it is never retried automatically.
   * A caller that does not know whether a batch was created must `find` it by its mark first.
   *
   * @param mark Text stored with the batch by which `find` finds it: at most 64 characters.
   */
  create(batch: { file: string; mark: string }, signal: AbortSignal): Promise<BatchStatus>;
  /** Returns the newest batch with this mark; undefined if the list has none. */
  find(mark: string, signal: AbortSignal): Promise<BatchStatus | undefined>;
  /** Returns the current status of a batch. */
  retrieve(id: string, signal: AbortSignal): Promise<BatchStatus>;
  /**
   * Yields the lines of an output or error file, always in the same order. If the file is cut in
   * the middle of a line, the cut line is the last one, and no error is thrown.
   */
  download(file: string, signal: AbortSignal): AsyncIterable<string>;
  /**
   * Returns the answer in a line; undefined if the line cannot be read, for example because it is
   * cut. Pure.
   *
   * @param model The model that was asked; the answer is priced as part of a batch.
   * @param sent The request of the line. Without it, nothing is learned from a refused token limit.
   */
  read(
    line: string,
    model: string,
    sent?: { request: CompletionRequest; without: readonly RefusedPart[] },
  ): BatchAnswer | undefined;
  /** Cancels a batch; an ended one stays as it is. Its answers must still be paid for. */
  cancel(id: string, signal: AbortSignal): Promise<void>;
}

/** A language model whose endpoint also takes batches. */
export interface BatchingModel extends LanguageModel {
  readonly batches: BatchEndpoint;
}

/** Returns two lists of refused parts as one: each parameter once, and the smallest token limit. */
export function mergeRefused(
  known: readonly RefusedPart[],
  more: readonly RefusedPart[],
): RefusedPart[] {
  const all = [...known, ...more];
  const names = new Set(all.filter((one) => typeof one === 'string'));
  const limits = all.flatMap((one) => (typeof one === 'string' ? [] : one.most));
  return [...names, ...(limits.length > 0 ? [{ most: Math.min(...limits) }] : [])];
}

/** Returns the batch endpoint of a model; undefined if it has none. */
export function batchesOf(model: LanguageModel & { batches?: BatchEndpoint }) {
  return model.batches;
}
