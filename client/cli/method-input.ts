/** Puts a method's input together from the command line's flags and a file. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { Failure } from '../../methods/failure.js';
import { searchesNothing } from '../../methods/options/idle-retrieval.js';
import { type MethodInput, parseInput } from '../../methods/options/input.js';
import { type MethodRegistry, methodNamed } from '../../methods/registry.js';
import type { Tier } from '../../methods/tier.js';
import type { SearchMode } from '../../methods/vocabulary.js';

export interface InputFlags {
  method: string;
  corpus?: string;
  mode?: SearchMode;
  passages?: number;
  candidates?: number;
  /** Options of the method that have no flag of their own. */
  option?: Record<string, unknown>;
  model?: string;
  tier?: Tier;
  /** A JSON file with more of the input; flags win over it. */
  input?: string;
  cache?: boolean;
}

/** A method with an input that fits it. */
export interface Asked {
  method: string;
  input: MethodInput<Record<string, unknown>>;
  /** The corpus that it searches, if any. */
  corpus: string | undefined;
}

const inputFile = z.looseObject({
  retrieval: z.looseObject({}).optional(),
  models: z.looseObject({}).optional(),
  options: z.looseObject({}).optional(),
});

/**
 * @param registry The methods there are.
 * @throws Failure BadInput naming the flag, the file or the field that is wrong.
 */
export async function methodInput(
  question: string,
  flags: InputFlags,
  registry: MethodRegistry,
): Promise<Asked> {
  const { corpus, mode, passages, candidates, model, tier, cache } = flags;
  const method = methodNamed(flags.method, registry, '--method');
  const file = flags.input === undefined ? {} : await readInputFile(flags.input);
  const input = {
    ...file,
    question,
    ...(cache === false ? { cache } : {}),
    retrieval: {
      ...file.retrieval,
      ...(corpus === undefined ? {} : { corpus }),
      ...(mode === undefined ? {} : { mode }),
    },
    ...(model === undefined ? {} : { models: { ...file.models, default: model } }),
    ...(tier === undefined ? {} : { tier: tierForAll(tier, file.tier) }),
    options: {
      ...file.options,
      ...flags.option,
      ...(passages === undefined ? {} : { passages }),
      ...(candidates === undefined ? {} : { candidates }),
    },
  };
  const asked = namingFlags(flags, file.options, () => parseInput(method, input));
  const isSearched = !asked.retrieval.passages && !searchesNothing(method, asked.options);
  return {
    method: method.name,
    input: input as Asked['input'],
    corpus: isSearched ? asked.retrieval.corpus : undefined,
  };
}

/** The flags that give options of a method. */
type OptionFlags = Pick<InputFlags, 'passages' | 'candidates' | 'option'>;

/**
 * What a check gives, and its refusal by the flags that gave the options it refuses. What came
 * from a file keeps the name of its field.
 */
export function namingFlags<T>(flags: OptionFlags, inFile: object | undefined, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const named = error.message.replace(
      /(^(?:Bad input\. )?|; )options\.([\w-]+)(?=[.:])/g,
      (_, before: string, option: string) => `${before}${giverOf(option, flags, inFile)}`,
    );
    throw new Failure(error.type, named);
  }
}

/** What gave an option, or for one that nobody gave what could. */
function giverOf(
  name: string,
  { passages, candidates, option = {} }: OptionFlags,
  inFile: object = {},
): string {
  if (name === 'passages' && passages !== undefined) return '--passages';
  if (name === 'candidates' && candidates !== undefined) return '--candidates';
  return name in inFile && !(name in option) ? `options.${name}` : `--option ${name}`;
}

/** The tiers of a file with another one for the steps that it does not name. */
export function tierForAll(tier: Tier, inFile: unknown): object {
  return typeof inFile === 'object' ? { ...inFile, default: tier } : { default: tier };
}

/** The file of `--input`, as far as a shape can be told. @throws Failure BadInput naming the file. */
export async function readInputFile(file: string): Promise<z.infer<typeof inputFile>> {
  const refuse = (what: string) =>
    new Failure(
      'BadInput',
      `--input ${file} ${what}; it holds a JSON object such as {"options":{"passages":5}}.`,
    );
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw refuse(error.code === 'ENOENT' ? 'does not exist' : `cannot be read (${error.code})`);
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw refuse(`is not JSON (${(error as Error).message})`);
  }
  const parsed = inputFile.safeParse(value);
  if (!parsed.success) throw refuse('does not have the shape of an input');
  return parsed.data;
}
