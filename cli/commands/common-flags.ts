/** Flags and arguments that several commands share. */
import { z } from 'zod';

/** Schema of an argument with the name of a run that is stored or under way. */
export const runName = z.string().meta({ namesKept: true });
/** Schema of an argument with the names of one or more runs that are stored or under way. */
export const runNames = z.array(z.string()).min(1).meta({ namesKept: true });
/** Schema of an argument with the name of a study. */
export const studyName = z.string().meta({ namesKept: true });

/**
 * Returns a schema with the metadata that makes it a flag.
 *
 * @param flag The flag as it is shown in the help, such as "--margin <points>".
 * @param does Description in the help.
 * @param more Further metadata.
 */
export function flagged<S extends z.ZodType>(
  flag: string,
  does: string,
  schema: S,
  more: z.GlobalMeta = {},
): S {
  return schema.meta({ description: does, flag, ...more });
}

/**
 * Returns the schema of a path, which the command resolves from the working directory.
 *
 * @param does Description in the help.
 * @param flag Its flag; undefined for an argument.
 */
export const pathSchema = (does: string, flag?: string) =>
  z.string().meta({ description: does, flagTakes: 'path', ...(flag && { flag }) });
/**
 * Returns the schema of a data argument: the path of a local file, or the address of a file to
 * download.
 */
export const dataSchema = (does: string) =>
  z.string().meta({ description: does, flagTakes: 'data' });
/** Returns the schema of a flag whose value is any text. */
export const textFlag = (flag: string, does: string) => flagged(flag, does, z.string());
/** Returns the schema of a flag without a value: true if it is given, otherwise undefined. */
export const toggleFlag = (flag: string, does: string, more?: z.GlobalMeta) =>
  flagged(flag, does, z.literal(true).optional(), more);
/** Returns the schema of a flag whose value is a whole number of at least 1. */
export const wholeFlag = (flag: string, does: string) => flagged(flag, does, z.int().min(1));
/** Returns the schema of the flag `--port`, a whole number from 0 to 65535. */
export const portFlag = (does: string) => flagged('--port <n>', does, z.int().min(0).max(65_535));

/** Returns the schema of an optional flag whose value is a day, as text such as "2026-11-27". */
export const dayFlag = (flag: string, does: string) =>
  flagged(`${flag} <day>`, does, z.iso.date('must be a day, such as 2026-11-27').optional());

export const yes = toggleFlag('--yes', 'do not ask for confirmation');
export const yesFetch = toggleFlag('--yes', 'fetch what is missing without asking');
export const force = toggleFlag(
  '--force',
  'do it even if no Temporal server can tell whether it is under way',
);
export const detach = toggleFlag(
  '--detach',
  'start it and return at once; needs a running worker',
  {
    flagExcludes: ['dryRun'],
  },
);
export const startsNothing = toggleFlag('--dry-run', 'show what it would cost, and start nothing');

export const baseline = textFlag(
  '--baseline <run>',
  'run that the others are compared with, or a method of their study',
)
  .optional()
  .meta({ otherwise: 'that of the study, else the first', namesKept: true });

export const metrics = flagged(
  '--metric <names>',
  'metrics to compare, such as em,f1',
  z.array(z.string().trim().min(1)).min(1).optional(),
  { otherwise: 'those of the study, else the main metric' },
);

export const margin = flagged(
  '--margin <points>',
  'test that a run is less than this much worse than its baseline',
  z.number().gt(0).lt(1).optional(),
  { flagTakes: 'points', takes: 'points, more than 0 and less than 100' },
);

export const by = textFlag(
  '--by <field>',
  'show all figures by a field of the questions, such as type, or by a metric, such as verificationPassed',
).optional();

export const cluster = textFlag(
  '--cluster <field>',
  'field of the questions, such as their document; those with the same value count as one draw',
).optional();

/** Metadata of the flags for files that gate results are written to. */
const file = { flagTakes: 'path', flagGroup: 'Scores' } as const;
/**
 * Schemas of the flags `--junit` and `--markdown`, whose values are the paths of the files that
 * the results of gates are written to.
 */
export const gateFiles = {
  junit: flagged(
    '--junit <file>',
    'file for the result of each gate, as JUnit XML',
    z.string().optional(),
    file,
  ),
  markdown: flagged(
    '--markdown <file>',
    'file for the result of each gate, as Markdown',
    z.string().optional(),
    file,
  ),
};
