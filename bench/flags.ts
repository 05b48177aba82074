/** The flags of a bench. One that cannot be used ends the process with the usage. */
import { parseArgs } from 'node:util';

type Defaults = Record<string, string | boolean | undefined>;
type Flags<D extends Defaults> = {
  [F in keyof D]: D[F] extends boolean
    ? boolean
    : D[F] extends string
      ? string
      : string | undefined;
};

/** @param defaults By flag: a text, false for a flag without a value, undefined where none is set. */
export function benchFlags<D extends Defaults>(usage: string, defaults: D) {
  const flags = Object.entries(defaults).map(([name, value]) => [
    name,
    typeof value === 'boolean' ? { type: 'boolean' } : { type: 'string' },
  ]);
  const options = { ...Object.fromEntries(flags), help: { type: 'boolean' } };
  const values: Record<string, unknown> = parseArgs({ options }).values;
  const refuse = (): never => {
    console.error(usage);
    process.exit(values.help ? 0 : 2);
  };
  if (values.help) refuse();
  const all = { ...defaults, ...values } as Flags<D>;
  /** The value of a flag as a number that a bench can use. */
  const number = (text: string, isUsable = (value: number) => Number.isInteger(value)): number => {
    const value = Number(text);
    return value > 0 && isUsable(value) ? value : refuse();
  };
  return { flags: all, number, refuse };
}
