/** Applications that durable-rag is installed into, by what they depend on themselves. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../support/folder.js';

/** Other versions of packages that durable-rag uses, or that those use. */
export const BESIDE = {
  'OpenTelemetry API 1.9.0': { '@opentelemetry/api': '1.9.0' },
  'OpenTelemetry API 1.10': { '@opentelemetry/api': '~1.10.0' },
  'OpenTelemetry SDK 2': { '@opentelemetry/sdk-trace-node': '^2.0.0' },
  'Elasticsearch 8': { '@elastic/elasticsearch': '^8.0.0' },
  'Elasticsearch 9.1': { '@elastic/elasticsearch': '~9.1.0' },
  'Redis by Keyv 4': { '@keyv/redis': '^4.0.0' },
  'Arrow 21': { 'apache-arrow': '^21.0.0' },
} satisfies Record<string, Record<string, string>>;

export interface Application {
  folder: string;
  /** The versions that npm chose, by the path from the folder. */
  versions: Record<string, string>;
}

/**
 * Installs a tarball into an application of its own.
 *
 * @param flags Of `npm install`; `--package-lock-only` resolves versions and downloads nothing else.
 * @throws what npm says if it refuses.
 */
export async function installedBeside(
  dependencies: Record<string, string>,
  tarball: string,
  ...flags: string[]
): Promise<Application> {
  const folder = await temporaryFolder();
  const manifest = { private: true, type: 'module', dependencies };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  const usual = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  const npm = (...args: string[]) =>
    promisify(execFile)('npm', ['install', ...usual, ...flags, ...args], { cwd: folder });
  // What the application has is chosen before durable-rag comes.
  await npm();
  await npm(tarball);
  const { packages } = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8'));
  const versions = Object.entries<{ version: string }>(packages).map(
    ([path, { version }]) => [path, version] as const,
  );
  return { folder, versions: Object.fromEntries(versions) };
}
