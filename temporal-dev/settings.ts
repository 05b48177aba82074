/** Reads the numbers that the environment sets for the local stack. */
import { SetupError } from './setup-error.js';

/**
 * The TCP port in an environment variable, or a default.
 *
 * @throws {SetupError} when it is set to something that is no port.
 */
export function portSetting(env: NodeJS.ProcessEnv, name: string, otherwise: number): number {
  const text = env[name];
  if (text === undefined || text === '') return otherwise;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw new SetupError(`${name} must be a port from 1 to 65535, not "${text}".`);
}
