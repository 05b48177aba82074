import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Loads a module of somebody's own; TypeScript is loaded as it is.
 *
 * @param module A file, or the name of a package.
 * @param importing The file whose package it is.
 * @throws what the module throws, or that it is not there.
 */
export async function loadModule(
  module: string,
  importing = import.meta.url,
): Promise<Record<string, unknown>> {
  if (isAbsolute(module) && /\.[cm]?js$/.test(module)) return import(pathToFileURL(module).href);
  // Needed by nothing else.
  const { createJiti } = await import('jiti');
  const jiti = createJiti(importing, { fsCache: false, interopDefault: false });
  return jiti.import<Record<string, unknown>>(module);
}
