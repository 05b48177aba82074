import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Loads a module of the user's own, also TypeScript without a build; returns its exports by name.
 *
 * @param module A file, or the name of a package.
 * @param importing File from which the name of a package is resolved.
 * @throws Any error of the module, or Node's error if it does not exist.
 */
export async function loadModule(
  module: string,
  importing = import.meta.url,
): Promise<Record<string, unknown>> {
  if (isAbsolute(module) && /\.[cm]?js$/.test(module)) return import(pathToFileURL(module).href);
  // Only custom modules need it.
  const { createJiti } = await import('jiti');
  const jiti = createJiti(importing, { fsCache: false, interopDefault: false });
  return jiti.import<Record<string, unknown>>(module);
}
