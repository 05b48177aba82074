import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Loads a custom module, also TypeScript without a build; returns its exports by name.
 *
 * @param module A file, or the name of a package.
 * @param importing A file of the package that imports it.
 * @throws Whatever the module throws, or that it does not exist.
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
