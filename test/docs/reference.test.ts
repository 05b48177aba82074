/** docs/reference is what the schemas, the table of failures and the commands say. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createProgram } from '../../cli/program.js';
import { packageRoot } from '../../stores/package-root.js';
import { methodRegistry } from '../../workflows/methods.js';
import { quietReporter } from '../support/quiet-reporter.js';
import { referencePages } from './reference.js';

const context = {
  ...{ env: {}, home: '', reporter: quietReporter },
  signal: new AbortController().signal,
};
const pages = referencePages(
  createProgram(context, async () => {}),
  [...methodRegistry().values()],
);
const folder = join(packageRoot(), 'docs', 'reference');

it.each(Object.entries(pages))('%s is up to date; else: npm run reference', (name, text) => {
  if (process.env.WRITE_REFERENCE) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  expect(readFileSync(join(folder, name), 'utf8')).toBe(text);
});
