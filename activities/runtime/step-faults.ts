import { Failure, messageOf } from '../../core/failure.js';
import { type ModelStep, outputOf } from '../../steps/define.js';

/** Members of a step that are synchronous functions or plain values. */
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
 * Returns the step with most of its functions wrapped, its output type and reader included: an
 * error that one throws becomes a Failure that names the step and the function. It is not
 * retryable, since the same input would throw again.
 */
export function withNamedFaults<I, O>(name: string, step: ModelStep<I, O>): ModelStep<I, O> {
  const wrapped = PURE.flatMap((part) => {
    const work: unknown = step[part];
    return typeof work === 'function' ? [[part, naming(name, part, work.bind(step))]] : [];
  });
  const output = naming(name, 'output', (input: I) => outputOf(step, input));
  return {
    ...step,
    ...Object.fromEntries(wrapped),
    output(input: I) {
      const type = output(input);
      return { ...type, read: naming(name, 'reader', type.read.bind(type)) };
    },
  };
}

function naming<A extends unknown[], R>(name: string, part: string, work: (...given: A) => R) {
  return (...given: A): R => {
    try {
      return work(...given);
    } catch (cause) {
      const thrown = messageOf(cause);
      const message = `The step "${name}" has a fault: its ${part} threw "${thrown}".`;
      throw new Failure('Unexpected', message, { retryable: false, cause });
    }
  };
}
