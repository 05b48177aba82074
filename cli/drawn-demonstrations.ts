/** Puts demonstrations that are drawn from a file of training questions in the place of the drawing. */
import { z } from 'zod';
import { isObject } from '../core/is-object.js';
import { checkAgainst } from '../core/options/checked.js';
import { BadInput } from '../core/options/problems.js';
import { nonEmpty, whole } from '../core/options/ranges.js';
import { type ReadOptions, readDataset } from '../evaluation/dataset/read-dataset.js';
import { drawDemonstrations, type TrainingQuestion } from '../evaluation/draw-demonstrations.js';
import { fieldPath, valuesAt } from '../files/records/field-path.js';
import type { CliContext } from './context.js';
import { fileAt, pathOf } from './dataset-flag.js';
import { inFlags, type Typed } from './flags.js';
import { methodsOf } from './own-methods.js';

/** What stands in the option `demonstrations` in place of a list. */
const drawing = z.strictObject({
  from: nonEmpty.describe('file or address of training questions'),
  count: whole(1, 50).describe('how many are shown'),
  seed: whole(0, 2 ** 31 - 1)
    .default(0)
    .describe('draws them'),
  reader: nonEmpty.optional().describe('what the file is read as, as --as of eval'),
  thoughts: fieldPath
    .optional()
    .describe('field of the file with the thoughts that lead to an answer'),
});

/** An option that asks for drawn demonstrations. */
interface Place {
  method: string;
  /** Path of the option, for errors. */
  path: PropertyKey[];
  /** Folder to which the file's path is relative. */
  folder: string;
  /** Paths and addresses of the questions that are asked. */
  asked: readonly string[];
}

/**
 * Returns the options of a method with the demonstrations that they ask to be drawn; other options as
 * they are. A run then names the demonstrations themselves, so that it does not depend on the file.
 *
 * @throws Failure BadInput for a drawing that is wrong, a file without enough answered questions, the
 *   file of the questions that are asked, which would show their own answers, and a method that shows
 *   thoughts, if nothing says where they are.
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
    throw refuse('is the data set that is asked, whose questions would show their own answers');
  }
  const keys = shownBy(methodsOf(context).get(method)?.options);
  const hasThoughts = keys.includes('thoughts');
  if (hasThoughts !== (thoughts !== undefined)) {
    const message = hasThoughts
      ? `is missing: ${method} shows the thoughts that lead to an answer, and an example without any teaches it to do without; name the field of the file that has them, or write the examples yourself`
      : `is of no use: ${method} shows none`;
    throw new BadInput([{ path: [...at, 'thoughts'], message }]);
  }
  const { file } = await fileAt(named, context);
  const read = { as: reader, scorable: false, signal: context.signal };
  const questions =
    thoughts === undefined ? readDataset(file, read) : withThoughts(file, read, thoughts);
  const drawn = await drawDemonstrations(questions, { count, seed });
  if (drawn.length < count) {
    const what = hasThoughts ? `with an answer and ${thoughts}` : 'with an answer';
    throw refuse(`has ${drawn.length} questions ${what}, and ${count} are to be shown`);
  }
  const shown = drawn.map((one) =>
    Object.fromEntries(Object.entries(one).filter(([key]) => keys.includes(key))),
  );
  return { ...Object(options), demonstrations: shown };
}

/** Reads questions with the texts that a field of their records has. */
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

/** Returns the fields of a demonstration of a method, as the schema of its options names them. */
function shownBy(options: z.ZodType | undefined): string[] {
  const { shape = {} } = Object(options?._zod.def) as { shape?: Record<string, z.ZodType> };
  const list = Object(shape.demonstrations?._zod.def) as { innerType?: z.ZodType };
  const { element } = Object(list.innerType?._zod.def) as { element?: z.ZodType };
  const fields = Object(element?._zod.def) as { shape?: object };
  return Object.keys(fields.shape ?? { question: '', answer: '' });
}

/**
 * Returns what a study file says with the demonstrations of its methods drawn.
 *
 * @param folder From which its files are named.
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

/** Returns what was typed of a method and its options with the demonstrations drawn. */
export async function withDrawnOptions(typed: Typed, context: CliContext): Promise<Typed> {
  const { method = 'sure', options, dataset } = typed.fields;
  const asked = typeof dataset === 'string' ? [dataset] : [];
  const place = { method: String(method), path: ['options'], folder: '.', asked };
  const drawn = await withDrawn(options, place, context).catch((error: unknown) => {
    throw inFlags(error, typed.nameOf);
  });
  return drawn === options ? typed : { ...typed, fields: { ...typed.fields, options: drawn } };
}
