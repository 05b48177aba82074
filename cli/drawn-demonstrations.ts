/** Draws demonstrations from a file of training questions, if the options of a method ask for it. */
import { z } from 'zod';
import { isObject } from '../core/is-object.js';
import { checkAgainst } from '../core/options/checked.js';
import { BadInput } from '../core/options/problems.js';
import { nonEmpty, whole } from '../core/options/ranges.js';
import { type ReadOptions, readDataset } from '../evaluation/dataset/read-dataset.js';
import { drawDemonstrations, type TrainingQuestion } from '../evaluation/draw-demonstrations.js';
import { fieldPath, valuesAt } from '../files/records/field-path.js';
import type { CliContext } from './context.js';
import { localFile, pathOf } from './dataset-flag.js';
import { errorNamingFlags, type TypedInput } from './flags.js';
import { methodsOf } from './own-methods.js';

/** Schema of the option `demonstrations` if its demonstrations are to be drawn. */
const drawing = z.strictObject({
  from: nonEmpty.describe('file or address of training questions'),
  count: whole(1, 50).describe('number of demonstrations'),
  seed: whole(0, 2 ** 31 - 1)
    .default(0)
    .describe('seed of the draw'),
  reader: nonEmpty.optional().describe('data set format of the file, as for --as of eval'),
  thoughts: fieldPath
    .optional()
    .describe('field of the file with the thoughts that lead to an answer'),
});

/** A method whose options may ask for drawn demonstrations. */
interface Place {
  method: string;
  /** Path of the option, for errors. */
  path: PropertyKey[];
  /** Folder to which the file's path is relative. */
  folder: string;
  /** Paths and addresses of the questions to ask, which must not be drawn from. */
  asked: readonly string[];
}

/**
 * Returns the options of a method with demonstrations drawn from a file, or unchanged if they do
 * not ask for that. The run's input then contains the demonstrations, so that it does not depend on
 * the file.
 *
 * @throws Failure BadInput for an invalid drawing, a file without enough answered questions, a file
 * that is the data set to ask, and a missing or useless field of thoughts.
 */
async function withDrawn(
  options: unknown,
  { method, path, folder, asked }: Place,
  context: CliContext,
): Promise<unknown> {
  const { demonstrations: wanted } = Object(options);
  if (!isObject(wanted)) return options;
  const at = [...path, 'demonstrations'];
  const checked = checkAgainst(drawing, wanted, at);
  if (checked.problems) throw new BadInput(checked.problems);
  const { from, count, seed, reader, thoughts } = checked.data;
  const refuse = (message: string) => new BadInput([{ path: [...at, 'from'], message }]);
  const named = pathOf(from, folder);
  if (asked.includes(named)) {
    throw refuse('is the data set to ask, so the demonstrations would contain the answers');
  }
  const keys = shownBy(methodsOf(context).get(method)?.options);
  const hasThoughts = keys.includes('thoughts');
  if (hasThoughts !== (thoughts !== undefined)) {
    const message = hasThoughts
      ? `is missing: the demonstrations of ${method} include thoughts; name the field of the file that contains them, or write the demonstrations yourself`
      : `has no effect: the demonstrations of ${method} include no thoughts`;
    throw new BadInput([{ path: [...at, 'thoughts'], message }]);
  }
  const { file } = await localFile(named, context);
  const read = { as: reader, scorable: false, signal: context.signal };
  const questions =
    thoughts === undefined ? readDataset(file, read) : withThoughts(file, read, thoughts);
  const drawn = await drawDemonstrations(questions, { count, seed });
  if (drawn.length < count) {
    const what = hasThoughts ? `with an answer and ${thoughts}` : 'with an answer';
    throw refuse(`has ${drawn.length} questions ${what}, but ${count} are needed`);
  }
  const shown = drawn.map((one) =>
    Object.fromEntries(Object.entries(one).filter(([key]) => keys.includes(key))),
  );
  return { ...Object(options), demonstrations: shown };
}

/** Yields the questions of a file, with the texts in a field of their records as thoughts. */
async function* withThoughts(
  file: string,
  read: ReadOptions,
  path: string,
): AsyncGenerator<TrainingQuestion> {
  let thoughts: string[] = [];
  const onRecord = (_: unknown, value: unknown) => {
    thoughts = valuesAt(Object(value), path)
      .flat()
      .filter((one): one is string => typeof one === 'string' && one.trim() !== '');
  };
  for await (const question of readDataset(file, { ...read, onRecord })) {
    yield { ...question, thoughts };
  }
}

/** Returns the fields of a method's demonstrations, from the schema of its options. */
function shownBy(options: z.ZodType | undefined): string[] {
  const { shape = {} } = Object(options?._zod.def) as { shape?: Record<string, z.ZodType> };
  const list = Object(shape.demonstrations?._zod.def) as { innerType?: z.ZodType };
  const { element } = Object(list.innerType?._zod.def) as { element?: z.ZodType };
  const fields = Object(element?._zod.def) as { shape?: object };
  return Object.keys(fields.shape ?? { question: '', answer: '' });
}

/**
 * Draws the demonstrations (solved examples for the prompt) that the methods of a study ask for
 * from their files of training questions, and returns the study's content with them. A file at an
 * address is downloaded.
 *
 * @param folder Folder to which the paths of the study's files are relative.
 * @throws Failure BadInput naming the field that is wrong.
 */
export async function withDrawnStudy<S extends object>(
  study: S,
  folder: string,
  context: CliContext,
): Promise<S> {
  const { methods, datasets } = study as { methods?: unknown; datasets?: unknown };
  if (!Array.isArray(methods)) return study;
  const asked = [datasets].flat().flatMap((one) => {
    const file = typeof one === 'string' ? one : Object(one).file;
    return typeof file === 'string' ? [pathOf(file, folder)] : [];
  });
  const drawn = await Promise.all(
    methods.map(async (entry, at) => {
      if (!isObject(entry)) return entry;
      const pairs = Object.entries(entry).map(async ([name, options]) => {
        const place = { method: name, path: ['methods', at, name], folder, asked };
        return [name, isObject(options) ? await withDrawn(options, place, context) : options];
      });
      return Object.fromEntries(await Promise.all(pairs));
    }),
  );
  return { ...study, methods: drawn };
}

/**
 * Draws the demonstrations (solved examples for the prompt) that the method's options ask for from
 * a file of training questions, and returns the typed input with them. A file at an address is
 * downloaded. Returns the input unchanged if it asks for none.
 *
 * @throws Failure BadInput naming the flag that is wrong.
 */
export async function withDrawnOptions(
  typed: TypedInput,
  context: CliContext,
): Promise<TypedInput> {
  const { method = 'sure', options, dataset } = typed.fields;
  const asked = typeof dataset === 'string' ? [dataset] : [];
  const place = { method: String(method), path: ['options'], folder: '.', asked };
  const drawn = await withDrawn(options, place, context).catch((error: unknown) => {
    throw errorNamingFlags(error, typed.nameOf);
  });
  return drawn === options ? typed : { ...typed, fields: { ...typed.fields, options: drawn } };
}
