/** The flags of a bench. One that cannot be used ends the process with the usage. */
import { parseArgs } from 'node:util';

type Flags<D> = { [F in keyof D]: D[F] extends string ? string : string | undefined };

/** @param defaults By flag: a text, or undefined where none is set. */
export function benchFlags<D extends Record<string, string | undefined>>(
  usage: string,
  defaults: D,
) {
  const flags = Object.keys(defaults).map((name) => [name, { type: 'string' }]);
  const options = { ...Object.fromEntries(flags), help: { type: 'boolean' } };
  const values: Record<string, unknown> = parseArgs({ options }).values;
  const refuse = (): never => {
    console.error(usage);
    process.exit(values.help ? 0 : 2);
  };
  if (values.help) refuse();
  /** The value of a flag as a number that counts something. */
  const number = (text: string): number => {
    const value = Number(text);
    return value > 0 && Number.isInteger(value) ? value : refuse();
  };
  return { flags: { ...defaults, ...values } as Flags<D>, number, refuse };
}
