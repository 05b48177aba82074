/** Counts a question's paid calls with default options, and with each option that changes them. */
import { canonicalJson } from '../core/canonical-json.js';
import { choicesOf, type Field, fieldOf } from '../core/options/schema-fields.js';
import type { ModelSteps } from '../steps/define.js';
import type { OwnMethod } from '../workflows/define-method.js';
import { mostCalls } from './planning.js';

type Options = Readonly<Record<string, unknown>>;

/**
 * The most paid calls that one question can make by a method, with default and with other options.
 * Calls of language, embedding and reranking models are paid; searches are not.
 */
export interface MethodCalls {
  /** Number of calls with the default options; undefined if an option has no default. */
  usual: number | undefined;
  /** Options with which the number of calls differs from `usual`. */
  others: { options: Options; calls: number }[];
}

/**
 * Returns the most paid calls of one question by a method: with the default options (`usual`), and
 * an array of the other named values of one option that change this number (`others`: a word of a
 * list, true or false, 0 for a number, a list of one word). A value that is refused alone is
 * combined with a value of another option.
 *
 * @param steps Custom steps.
 * @returns Undefined for a method without an algorithm, of which only the name is known.
 */
export async function countMethodCalls(
  method: OwnMethod<unknown>,
  steps?: ModelSteps,
): Promise<MethodCalls | undefined> {
  if (!method.algorithm) return undefined;
  const usual = await callsWith(method, {}, steps);
  const branches = branchesOf(fieldOf(method.options));
  const others: MethodCalls['others'] = [];
  for (const branch of branches) {
    for (const options of [branch, ...pairsOf(branch, branches)]) {
      const calls = await callsWith(method, options, steps);
      if (calls === undefined) continue;
      const isKnown = others.some(
        (other) => canonicalJson(other.options) === canonicalJson(options),
      );
      if (calls !== usual && !isKnown) others.push({ options, calls });
      break;
    }
  }
  return { usual, others };
}

/** Returns the counts as text, the default first: "7; 5 with selection=ranking". */
export function callsText({ usual, others }: MethodCalls): string {
  const named = others.map(({ options, calls }) => {
    const set = Object.entries(options).map(([name, value]) => `${name}=${shownValue(value)}`);
    return `${calls} with ${set.join(', ')}`;
  });
  return [usual === undefined ? [] : [`${usual}`], named].flat().join('; ');
}

function shownValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns each named value of each option except the default, on its own. */
function branchesOf({ properties = {} }: Field): Options[] {
  return Object.entries(properties as Record<string, Field>).flatMap(([name, field]) =>
    valuesOf(field)
      .filter((value) => JSON.stringify(value) !== JSON.stringify(field.default))
      .map((value) => ({ [name]: value })),
  );
}

function valuesOf(field: Field): unknown[] {
  const { type, minimum, items, default: usual } = field;
  if (type === 'boolean') return [true, false];
  if (type === 'array') return choicesOf((items ?? {}) as Field).map((choice) => [choice]);
  if (minimum === 0 && typeof usual === 'number') return [0];
  if (type === 'string' && !field.enum && usual === undefined) return ['NAME'];
  return choicesOf(field);
}

/** Returns the branch combined with each branch of another option. */
function pairsOf(branch: Options, branches: readonly Options[]): Options[] {
  const [name = ''] = Object.keys(branch);
  return branches.filter((other) => !(name in other)).map((other) => ({ ...branch, ...other }));
}

/** Returns the most calls with these options; undefined if they are refused. */
async function callsWith(
  method: OwnMethod<unknown>,
  options: Options,
  steps: ModelSteps | undefined,
): Promise<number | undefined> {
  const { success, data } = method.options.safeParse(options);
  return success ? mostCalls(method, data, steps) : undefined;
}
