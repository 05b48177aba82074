/** Builds a method's input from the typed flags. */

import { methodNamed } from '../core/method-registry.js';
import { searchesNothing } from '../core/options/idle-retrieval.js';
import { type MethodInput, parseInput } from '../core/options/input.js';
import type { OwnMethods } from '../workflows/define-method.js';
import { namingFlags, type TypedInput } from './flags.js';

/**
 * A question with its method, as it is to be asked: the method's name, its input, and the corpus.
 */
export interface Asked {
  method: string;
  input: MethodInput<Record<string, unknown>>;
  /** Name or address of the corpus that it searches; undefined if it searches none. */
  corpus: string | undefined;
}

/**
 * Returns a question as it is to be asked, made from the typed flags: the name of its `method`,
 * its `input`, and the `corpus` that it searches (undefined if it searches none).
 *
 * @throws Failure BadInput naming the flag, the file or the field that is wrong.
 */
export function methodInput(question: string, typed: TypedInput, registry: OwnMethods): Asked {
  return namingFlags(typed, () => {
    const { method: name = 'sure', ...fields } = typed.fields;
    const method = methodNamed(String(name), registry, 'method');
    const input = { ...fields, question };
    const asked = parseInput(method, input);
    const isSearched = !asked.retrieval.passages && !searchesNothing(method, asked.options);
    return {
      method: method.name,
      input: input as Asked['input'],
      corpus: isSearched ? asked.retrieval.corpus : undefined,
    };
  });
}
