/** Puts demonstrations that are drawn from a file of training questions in the place of the drawing. */
import { z } from 'zod';
import { isObject } from '../core/is-object.js';
import { checkAgainst } from '../core/options/checked.js';
import { BadInput } from '../core/options/problems.js';
import { nonEmpty, whole } from '../core/options/ranges.js';
import { readDataset } from '../evaluation/dataset/read-dataset.js';
import { drawDemonstrations } from '../evaluation/draw-demonstrations.js';
import type { CliContext } from './context.js';
import { fileAt, pathOf } from './dataset-flag.js';
import { inFlags, type Typed } from './flags.js';
import { methodsOf } from './own-methods.js';

/** What stands in the option `demonstrations` in place of a list. */
export const drawing = z.strictObject({
  from: nonEmpty.describe('file or address of training questions'),
  count: whole(1, 50).describe('how many are shown'),
  seed: whole(0, 2 ** 31 - 1)
    .default(0)
    .describe('draws them'),
  reader: nonEmpty.optional().describe('what the file is read as, as --as of eval'),
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
 * @throws Failure BadInput for a drawing that is wrong, a file without enough answered questions, and
 *   the file of the questions that are asked, which would show their own answers.
 */
export async function withDrawn(
  options: unknown,
  { method, path, folder, asked }: Place,
  context: CliContext,
): Promise<unknown> {
  const { demonstrations: wanted } = Object(options);
  if (!isObject(wanted)) return options;
  const at = [...path, 'demonstrations'];
  const checked = checkAgainst(drawing, wanted, at);
  if (checked.problems) throw new BadInput(checked.problems);
  const { from, count, seed, reader } = checked.data;
  const refuse = (message: string) => new BadInput([{ path: [...at, 'from'], message }]);
  const named = pathOf(from, folder);
  if (asked.includes(named)) {
    throw refuse('is the data set that is asked, whose questions would show their own answers');
  }
  const keys = shownBy(methodsOf(context).get(method)?.options);
  const { file } = await fileAt(named, context);
  const read = { as: reader, scorable: false, signal: context.signal };
  const drawn = await drawDemonstrations(readDataset(file, read), { count, seed });
  if (drawn.length < count) {
    throw refuse(`has ${drawn.length} questions with an answer, and ${count} are to be shown`);
  }
  const shown = drawn.map((one) =>
    Object.fromEntries(Object.entries(one).filter(([key]) => keys.includes(key))),
  );
  return { ...Object(options), demonstrations: shown };
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
