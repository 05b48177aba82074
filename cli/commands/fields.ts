/** What several commands take. */
import { z } from 'zod';

/** A run that is kept, or under way. */
export const run = z.string().meta({ namesKept: true });
export const runs = z.array(z.string()).min(1).meta({ namesKept: true });
export const study = z.string().meta({ namesKept: true });

/** @param flag Of a flag; of an argument it has none. */
export const path = (does: string, flag?: string) =>
  z
    .string()
    .describe(does)
    .meta({ flagTakes: 'path', ...(flag && { flag }) });

export const text = (flag: string, does: string) => z.string().describe(does).meta({ flag });
export const toggle = (flag: string, does: string) =>
  z.literal(true).optional().describe(does).meta({ flag });
export const whole = (flag: string, does: string) => z.int().min(1).describe(does).meta({ flag });
export const port = (does: string) =>
  z.int().min(0).max(65_535).describe(does).meta({ flag: '--port <n>' });
export const dollars = (does: string) =>
  z.number().positive().describe(does).meta({ flag: '--budget-usd <x>' });

export const yes = toggle('--yes', 'do not ask');
export const yesFetch = toggle('--yes', 'fetch what is missing without asking');
export const force = toggle(
  '--force',
  'also where no Temporal server can tell whether it is under way',
);
export const detach = toggle('--detach', 'start it and leave; needs a worker that is running').meta(
  { flagExcludes: ['dryRun'] },
);
export const startsNothing = toggle('--dry-run', 'say what it would take, and start nothing');

export const baseline = text(
  '--baseline <run>',
  'one of the runs, which the others are compared with',
)
  .optional()
  .meta({ otherwise: 'the first', namesKept: true });

/** Where a gate is told beside the terminal. */
export const gateFiles = {
  junit: path('what came of it, as JUnit XML', '--junit <file>')
    .optional()
    .meta({ flagGroup: 'Scores' }),
  markdown: path('the same as Markdown', '--markdown <file>')
    .optional()
    .meta({ flagGroup: 'Scores' }),
};
