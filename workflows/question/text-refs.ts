/** Passes the long texts of earlier steps to later ones by reference. */
import { ApplicationFailure } from '@temporalio/workflow';
import type { FailureType } from '../../core/failure.js';
import { replaced, type TextRef, textRefsIn } from '../../steps/text-ref.js';
import { ofActivity } from '../failures.js';

const GONE: FailureType = 'UnknownText';

/** Texts of one question for which steps have returned a reference. */
export class TextRefs {
  readonly #refs = new Map<string, TextRef>();

  remember(value: unknown, ref: TextRef | undefined): void {
    if (ref && typeof value === 'string') this.#refs.set(value, ref);
  }

  /**
   * Asks with references in place of the texts in `input`. If a response is no longer in the store,
   * asks with the texts themselves.
   */
  give<T>(input: unknown, ask: (input: unknown) => Promise<T>): Promise<T> {
    if (this.#refs.size === 0) return ask(input);
    const shorter = replaced(input, (part) =>
      typeof part === 'string' ? this.#refs.get(part) : undefined,
    );
    if (textRefsIn(shorter).length === 0) return ask(input);
    return ask(shorter).catch((error: unknown) => {
      if (isGone(error)) return ask(input);
      throw error;
    });
  }
}

/** Tells whether a step failed because a text is no longer in the store. */
export function isGone(error: unknown): boolean {
  const cause = ofActivity(error);
  return cause instanceof ApplicationFailure && cause.type === GONE;
}
