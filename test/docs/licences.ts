/** docs/reference/licences.md: what is installed, fetched and shipped, under which licence. Pure. */
import {
  type Artifact,
  ELASTICSEARCH,
  JAVA,
  JAVA_COMPILER,
  MINILM,
  MINILM_TOKENIZER,
  MODELS,
  TEMPORAL,
  XLLAMACPP,
} from '../../temporal-dev/artifacts.js';

/** Licences that ask of who ships a package no more than to name it. */
const PERMISSIVE = [
  'MIT',
  'Apache-2.0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'CC-BY-4.0',
  'Unlicense',
  'Apache-2.0 AND MIT',
];

/** Of packages that name theirs in a file of their own. */
const UNSAID: Readonly<Record<string, string>> = { unionfs: 'Unlicense' };

/** Of what `demo`, `dev` and `index` fetch; each stays with its makers' terms. */
const FETCHED: readonly (readonly [Artifact, string])[] = [
  [TEMPORAL, 'MIT'],
  [MODELS['0.5b'], 'Apache-2.0'],
  [MODELS['1.5b'], 'Apache-2.0'],
  [XLLAMACPP, 'MIT'],
  [MINILM, 'Apache-2.0'],
  [MINILM_TOKENIZER, 'Apache-2.0'],
  [ELASTICSEARCH, 'Elastic-2.0, SSPL-1.0 or AGPL-3.0'],
  [JAVA, 'GPL-2.0 with the Classpath exception'],
  [JAVA_COMPILER, 'EPL-2.0'],
];

export interface Locked {
  license?: string;
  dev?: boolean;
  optional?: boolean;
}

/** Returns the packages of a lock file that a user installs, by licence. */
export function byLicence(packages: Readonly<Record<string, Locked>>): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [path, { license, dev, optional }] of Object.entries(packages)) {
    // An optional one is the build of another for a platform.
    if (path === '' || dev || optional) continue;
    const name = path.replace(/^.*node_modules\//, '');
    const licence = license ?? UNSAID[name] ?? 'unknown';
    const names = found.get(licence) ?? [];
    if (!names.includes(name)) found.set(licence, [...names, name]);
  }
  return found;
}

/** Returns the licences that are not known to be permissive. */
export function unwelcome(licences: Iterable<string>): string[] {
  return [...licences].filter((one) => !PERMISSIVE.includes(one));
}

export function licencePage(packages: Readonly<Record<string, Locked>>): string {
  const rows = [...byLicence(packages)].sort(([, a], [, b]) => b.length - a.length);
  return `# Licences

<!-- Made by "npm run reference". -->

durable-rag is under MIT, \`samples/\` included. It ships no data set, no prompt of a paper and no model.

## Packages

Those that npm installs, with the optional ones. The builds of a package for one platform have its licence.

| licence | packages |
| --- | --- |
${rows.map(([licence, names]) => `| ${licence} | ${names.sort().join(', ')} |`).join('\n')}

## Fetched

Programs and models that a command fetches, each from its makers first.

| what | licence |
| --- | --- |
${FETCHED.map(([{ title }, licence]) => `| ${title} | ${licence} |`).join('\n')}

## Data

[Known data sets](datasets.md) are read from files that you have: each is under the terms of its source, named there.
`;
}
