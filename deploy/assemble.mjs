/**
 * Assembles what the image runs: the package as npm would publish it, and what it depends on, with
 * the optional parts that the compose file and the manifests set.
 *
 * In a clone that is built: node deploy/assemble.mjs FOLDER
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OPTIONAL_PARTS } from '../dist/stores/optional-parts.js';

/** The embedded search engine and the local embedding model (340 MB) are for one machine. */
const IN_THE_IMAGE = ['elasticsearch', 'parquet', 'redis', 'traces'];

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [given] = process.argv.slice(2);
if (given === undefined) throw new Error('Usage: node deploy/assemble.mjs FOLDER');
const folder = resolve(given);
const npm = (cwd, ...args) => execFileSync('npm', args, { cwd, encoding: 'utf8' });

mkdirSync(folder, { recursive: true });
const packed = npm(root, 'pack', '--ignore-scripts', '--json', '--pack-destination', folder);
const tarball = join(folder, JSON.parse(packed)[0].filename);
execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
rmSync(tarball);

// npm leaves out an optional peer that is a development dependency too, as all of them are.
const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
for (const name of IN_THE_IMAGE.flatMap((part) => OPTIONAL_PARTS[part].packages)) {
  manifest.dependencies[name] = manifest.devDependencies[name];
  delete manifest.devDependencies[name];
}
writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
copyFileSync(join(root, 'package-lock.json'), join(folder, 'package-lock.json'));
npm(folder, 'ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline');
