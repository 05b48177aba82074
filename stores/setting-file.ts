/**
 * Reads tables, such as prices, from the JSON file that a setting names and from an option of a
 * worker.
 */
import type { z } from 'zod';
import { Failure, messageOf } from '../core/failure.js';
import { checkAgainst } from '../core/options/checked.js';
import { describeProblems, type Problem } from '../core/options/problems.js';
import type { SettingName } from '../core/settings.js';
import { readTextFile } from './text-file.js';

/** The names and units of a table, for error messages. */
interface SettingTable {
  setting: SettingName;
  /** Name of the worker's option with the same content. */
  option: string;
  /** Kind of the file, such as "price". */
  of: string;
  /** A sentence about the units of its fields. */
  units: string;
}

/**
 * Reads the rows of a table, such as prices, and returns them by name: those of the file,
 * overridden by those of the option.
 *
 * @param file Path of a JSON file, the value of the setting; undefined if it is not set.
 * @param own The value of the option, not yet checked; undefined if it is not given.
 * @throws Failure BadInput that names the file or the option, and the field.
 */
export async function readSettingTable<V>(
  table: SettingTable,
  schema: z.ZodType<Record<string, V>>,
  file: string | undefined,
  own: unknown,
): Promise<Record<string, V>> {
  const fromFile = file ? await readRows(table, schema, file) : {};
  const given = checkAgainst(schema, own ?? {}, [table.option]);
  if (given.problems) throw wrongFields(`The option ${table.option}`, given.problems, table);
  return { ...fromFile, ...given.data };
}

async function readRows<V>(
  table: SettingTable,
  schema: z.ZodType<Record<string, V>>,
  file: string,
): Promise<Record<string, V>> {
  const named = `${table.setting}: the ${table.of} file ${file}`;
  const wrong = (what: string) => new Failure('BadInput', `${named} ${what}`);
  const text = await readTextFile(file).catch((error: NodeJS.ErrnoException) => {
    throw wrong(`cannot be read (${error.code ?? error.message}).`);
  });
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw wrong(`is not JSON: ${messageOf(error)}`);
  }
  const parsed = checkAgainst(schema, content);
  if (parsed.problems) throw wrongFields(named, parsed.problems, table);
  return parsed.data;
}

function wrongFields(
  named: string,
  problems: readonly Problem[],
  { units }: Pick<SettingTable, 'units'>,
): Failure {
  return new Failure(
    'BadInput',
    `${named} has wrong fields: ${describeProblems(problems)}. ${units}`,
  );
}
