import { Failure, messageOf } from '../../core/failure.js';
import { type ModelStep, outputOf } from '../../steps/define.js';

/** Fields of a step that must be synchronous if they are functions. */
const PURE = [
  'fallback',
  'variables',
  'maxTokens',
  'passages',
  'sampling',
  'logprobs',
  'sample',
] as const;

/**
 * Returns the step as it is, with functions that say where they threw. The same input throws again,
 * so that the failure is not retryable.
 */
export function tellingFaults<I, O>(name: string, step: ModelStep<I, O>): ModelStep<I, O> {
  const telling = PURE.flatMap((part) => {
    const work: unknown = step[part];
    return typeof work === 'function' ? [[part, toldOf(name, part, work.bind(step))]] : [];
  });
  const output = toldOf(name, 'output', (input: I) => outputOf(step, input));
  return {
    ...step,
    ...Object.fromEntries(telling),
    output(input: I) {
      const type = output(input);
      return { ...type, read: toldOf(name, 'reader', type.read.bind(type)) };
    },
  };
}

function toldOf<A extends unknown[], R>(name: string, part: string, work: (...given: A) => R) {
  return (...given: A): R => {
    try {
      return work(...given);
    } catch (cause) {
      const said = messageOf(cause);
      const message = `The step "${name}" has a fault: its ${part} threw "${said}".`;
      throw new Failure('Unexpected', message, { retryable: false, cause });
    }
  };
}
