/** docs/reference is what the schemas, the table of failures and the commands say. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createProgram } from '../../cli/program.js';
import { methodRegistry } from '../../interpreters/methods.js';
import { packageRoot } from '../../stores/package-root.js';
import * as artifacts from '../../temporal-dev/artifacts.js';
import { cliContext } from '../support/cli-context.js';
import { close } from './compiled.js';
import { entryPoints, saidOf } from './export-reference.js';
import { byLicence, licencePage, unwelcome } from './licences.js';
import { referencePages } from './reference.js';

const { packages } = JSON.parse(readFileSync(join(packageRoot(), 'package-lock.json'), 'utf8'));
const pages = {
  ...(await referencePages(
    createProgram(cliContext(), async () => {}),
    [...methodRegistry().values()],
  )),
  'licences.md': licencePage(packages),
};
const folder = join(packageRoot(), 'docs', 'reference');

afterAll(close);

it.each(Object.entries(pages))('%s is up to date; else: npm run reference', (name, text) => {
  if (process.env.WRITE_REFERENCE) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  expect(readFileSync(join(folder, name), 'utf8')).toBe(text);
});

it('says what each export of the package is', () => {
  const exported = [...entryPoints()].flatMap(([path, declared]) =>
    declared.map((one) => ({ name: `${path}: ${one.name}`, said: saidOf(one) })),
  );
  expect(exported.length).toBeGreaterThan(100);
  expect(exported.filter(({ said }) => !/^\S.*\S/.test(said))).toEqual([]);
});

it('installs nothing whose licence asks for more than its name', () => {
  expect(unwelcome(byLicence(packages).keys())).toEqual([]);
  const bad = { 'node_modules/a': { license: 'AGPL-3.0' }, 'node_modules/b/node_modules/c': {} };
  expect(unwelcome(byLicence(bad).keys())).toEqual(['AGPL-3.0', 'unknown']);
});

it('names the licence of everything that is fetched', () => {
  const fetched = Object.values(artifacts).flatMap((one) => {
    if (typeof one !== 'object') return [];
    return 'title' in one ? [one] : Object.values(one);
  });
  expect(fetched.length).toBeGreaterThan(8);
  for (const { title } of fetched) expect(pages['licences.md']).toContain(`| ${title} | `);
});
