import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { BundleOptions } from '@temporalio/worker';
import { sha256Of } from '../core/sha256.js';

/**
 * A folder of modules, and the name that replaces its path in a bundle, so that bundles are the
 * same on every machine.
 */
export interface NamedFolder {
  path: string;
  name: string;
}

/** The bundler's own types, re-exported by the SDK. */
type Config = Parameters<NonNullable<BundleOptions['webpackConfigHook']>>[0];
type Plugin = NonNullable<Config['plugins']>[number];
type Compiler = Parameters<Extract<Plugin, (...given: never[]) => unknown>>[0];

/**
 * Returns a bundler plugin that names modules by their package and their path in it. It has two
 * further functions: `inSourceMap`, which returns the name of a module in the source map, and
 * `version`, which returns a hash of the bundled modules. The bundler's own names depend on the
 * folder of the process, so that another folder would give another hash.
 *
 * @param folders Folders whose modules are named by them, except those in their node_modules.
 */
export function namedModules(folders: readonly NamedFolder[]) {
  const rendered = new Map<string, string>();
  const nameOf = (file: string) => {
    const from = folders.find(({ path }) => isIn(path, file)) ?? packageOf(file);
    return from ? [from.name, ...relative(from.path, file).split(sep)].join('/') : file;
  };
  return {
    /**
     * Returns the name of a source in a bundle's source map. A module that is left out has no file;
     * the bundler calls it "ignored|FOLDER|REQUEST".
     */
    inSourceMap: ({ absoluteResourcePath: path }: { absoluteResourcePath: string }) =>
      isAbsolute(path) ? nameOf(path) : path.slice(path.lastIndexOf('|') + 1),
    /** Returns a hash of all compiled modules, independent of the bundler's order by folders. */
    version: () => {
      const modules = [...rendered].sort(([a], [b]) => (a < b ? -1 : 1));
      return sha256Of(JSON.stringify(modules));
    },
    /** Applies the names; called by the bundler. */
    apply(compiler: Compiler) {
      const { hooks, webpack } = compiler;
      // A method contains the URL of its module, which in a bundle would be a folder of this
      // machine.
      const bundled = { 'import.meta.url': JSON.stringify('bundled:') };
      new webpack.DefinePlugin(bundled).apply(compiler);
      hooks.compilation.tap(PLUGIN, (compilation) => {
        const { chunkGraph, requestShortener } = compilation;
        compilation.hooks.beforeModuleIds.tap(PLUGIN, (modules) => {
          const taken = new Map<string, number>();
          const named = [...modules].map((module) => {
            const file = module.nameForCondition();
            // A module without a file is named by its request.
            const name = file ? nameOf(file) : module.readableIdentifier(requestShortener);
            return { module, name, identifier: module.identifier() };
          });
          named.sort((a, b) => (a.identifier < b.identifier ? -1 : 1));
          for (const { module, name } of named) {
            const others = taken.get(name) ?? 0;
            taken.set(name, others + 1);
            chunkGraph.setModuleId(module, others === 0 ? name : `${name}#${others}`);
          }
        });
        const { JavascriptModulesPlugin } = webpack.javascript;
        JavascriptModulesPlugin.getCompilationHooks(compilation).renderModulePackage.tap(
          PLUGIN,
          (source, module) => {
            rendered.set(String(chunkGraph.getModuleId(module)), String(source.source()));
            return source;
          },
        );
      });
    },
  };
}

const PLUGIN = 'DurableRagNames';

function isIn(folder: string, file: string): boolean {
  const [first, ...rest] = relative(folder, file).split(sep);
  return first !== '..' && ![first, ...rest].includes('node_modules');
}

/**
 * Returns the nearest folder above a file that is a package with a name; undefined if there is
 * none.
 */
function packageOf(file: string): NamedFolder | undefined {
  for (let path = dirname(file); path !== dirname(path); path = dirname(path)) {
    const manifest = join(path, 'package.json');
    if (!existsSync(manifest)) continue;
    const { name } = JSON.parse(readFileSync(manifest, 'utf8'));
    if (typeof name === 'string') return { path, name };
  }
  return undefined;
}
