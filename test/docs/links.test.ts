/** Links of the docs lead to files and headings that there are. */
import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../stores/package-root.js';
import { type Page, pages } from './pages.js';

it.each(pages)('$path links to what is there', ({ path, prose }) => {
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  const broken = targets.filter((target) => !/^[a-z]+:/.test(target) && !leadsOn(path, target));
  expect(broken).toEqual([]);
});

function leadsOn(from: string, target: string): boolean {
  const [file = '', anchor] = target.split('#');
  const path = file === '' ? from : normalize(join(dirname(from), file));
  if (!existsSync(join(packageRoot(), path))) return false;
  const page = pages.find((known) => known.path === path);
  return anchor === undefined || (page !== undefined && anchorsOf(page).includes(anchor));
}

/** As GitHub makes them of headings. */
function anchorsOf({ prose }: Page): string[] {
  const headings = [...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
  return headings.map((heading) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
