/** The style sheet and the scripts of the report's page, as they go into its file. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageRoot } from '../stores/package-root.js';
import { COLOURS } from './data-sets.js';

/** The style sheet and the scripts of the report's page, to be embedded in its file. */
export interface Assets {
  style: string;
  /** Sources of modules without imports. */
  scripts: string[];
  /** Content security policy that allows only these scripts and this style, and no requests. */
  policy: string;
}

const FOLDER = ['report', 'page'];
const STYLES = ['base', 'figures', 'questions', 'question', 'narrow'];
const SCRIPTS = ['theme.js', 'export.js', 'questions.js', 'question.js'];

/**
 * Returns the page's style sheet and scripts.
 *
 * @param isServed Whether the page has a server that it may send requests to.
 * @throws Error if the scripts were not compiled.
 */
export async function readAssets(isServed = false): Promise<Assets> {
  const root = packageRoot();
  const compiled = join(root, 'dist', ...FOLDER);
  if (!existsSync(join(compiled, 'question.js'))) {
    throw new Error(`The report's scripts are not in ${compiled}: run "npm run build".`);
  }
  const styles = await Promise.all(
    STYLES.map((name) => readFile(join(root, ...FOLDER, `${name}.css`), 'utf8')),
  );
  const colours = COLOURS.map(
    ([light, dark], i) => `.c${i} { --run: light-dark(${light}, ${dark}); }\n`,
  );
  const style = [...styles, ...colours].join('');
  const names = isServed ? ['served.js', ...SCRIPTS] : SCRIPTS;
  const scripts = await Promise.all(names.map((name) => readFile(join(compiled, name), 'utf8')));
  const policy = [
    "default-src 'none'",
    `script-src ${scripts.map(sourceOf).join(' ')}`,
    `style-src ${sourceOf(style)}`,
    'img-src data:',
    ...(isServed ? ["connect-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return { style, scripts, policy };
}

function sourceOf(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
}
