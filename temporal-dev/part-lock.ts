/** Makes the lock file of an optional part's packages from this package's lock file. Pure. */

interface Entry {
  version?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
  dev?: boolean;
  devOptional?: boolean;
  peer?: boolean;
  cpu?: string[];
}

interface LockFile {
  packages: Record<string, Entry>;
}

/** The package.json and package-lock.json of some packages and their dependencies. */
interface PartLock {
  manifest: { private: true; dependencies: Record<string, string> };
  lock: LockFile & { lockfileVersion: 3; requires: true };
}

/**
 * Returns the contents, as data, of a package.json (`manifest`) and a package-lock.json (`lock`)
 * that install only some packages of a lock file, with the dependencies that these need.
 *
 * @param names Names of the packages.
 * @throws Error naming a package that the lock file lacks.
 */
export function partLock({ packages }: LockFile, names: readonly string[]): PartLock {
  const kept: Record<string, Entry> = {};
  const keep = (path: string) => {
    const entry = packages[path];
    if (entry === undefined || path in kept) return;
    const { dev, devOptional, peer, peerDependencies, peerDependenciesMeta, ...own } = entry;
    const at = (name: string) => place(packages, path, name) ?? '';
    // Of the optional dependencies, only the binaries are needed, one for each platform.
    const binaries = Object.entries(entry.optionalDependencies ?? {}).filter(
      ([name]) => packages[at(name)]?.cpu,
    );
    const peers = Object.entries(peerDependencies ?? {}).filter(
      ([name]) => !peerDependenciesMeta?.[name]?.optional,
    );
    kept[path] = own;
    if (peers.length > 0) kept[path].peerDependencies = Object.fromEntries(peers);
    if (binaries.length > 0) own.optionalDependencies = Object.fromEntries(binaries);
    else delete own.optionalDependencies;
    const needed = { ...own.dependencies, ...own.optionalDependencies };
    for (const name of [...Object.keys(needed), ...peers.map(([peer]) => peer)]) keep(at(name));
  };
  const dependencies: Record<string, string> = {};
  for (const name of names) {
    const path = `node_modules/${name}`;
    const version = packages[path]?.version;
    if (version === undefined) throw new Error(`package-lock.json has no ${name}`);
    dependencies[name] = version;
    keep(path);
  }
  const manifest = { private: true, dependencies } as const;
  return {
    manifest,
    lock: { lockfileVersion: 3, requires: true, packages: { '': { dependencies }, ...kept } },
  };
}

/** Returns the path at which npm resolves a dependency of a package; undefined if there is none. */
function place(packages: LockFile['packages'], from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, folder.lastIndexOf('node_modules/'))) {
    const path = `${folder.replace(/\/$/, '')}${folder === '' ? '' : '/'}node_modules/${name}`;
    if (path in packages) return path;
    if (folder === '') return undefined;
  }
}
