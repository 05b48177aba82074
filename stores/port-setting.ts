/** Reads the ports that the environment sets. */
import { Failure } from '../core/failure.js';

/**
 * The TCP port in an environment variable, or a default.
 *
 * @throws Failure BadInput when it is set to something that is no port.
 */
export function portSetting(env: NodeJS.ProcessEnv, name: string, otherwise: number): number {
  const text = env[name];
  if (text === undefined || text === '') return otherwise;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw new Failure('BadInput', `${name} must be a port from 1 to 65535, not "${text}".`);
}
