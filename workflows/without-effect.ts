import type { z } from 'zod';

/** Names of options, and whether what is chosen leaves them unread. */
interface Unread<O> {
  names: readonly (keyof O & string)[];
  when(chosen: O): boolean;
  /** Goes on after the name of the option. */
  because: string;
}

/**
 * Returns a check for a schema of options: an option that differs from its default and is not read
 * is refused, because whoever set it expects it to change something.
 */
export function withoutEffect<O extends object>(
  shape: Readonly<Record<string, z.core.$ZodType>>,
  rules: readonly Unread<O>[],
): (chosen: O, context: z.core.$RefinementCtx<O>) => void {
  return (chosen, context) => {
    for (const { names, when, because } of rules) {
      if (!when(chosen)) continue;
      for (const name of names) {
        if (isDefault(shape[name], chosen[name])) continue;
        context.addIssue({ code: 'custom', path: [name], message: `has no effect: ${because}` });
      }
    }
  };
}

function isDefault(schema: z.core.$ZodType | undefined, value: unknown): boolean {
  const { defaultValue } = (schema?._zod.def ?? {}) as { defaultValue?: unknown };
  return JSON.stringify(value) === JSON.stringify(defaultValue);
}
