/** The pages that users read, and what stands in them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../stores/package-root.js';

export interface Block {
  /** Page and line, for the message of a failing test. */
  at: string;
  language: string;
  /** What stands behind the language: the file that the block is, or changes. */
  file: string | undefined;
  text: string;
}

export interface Page {
  /** From the package's root. */
  path: string;
  text: string;
  blocks: Block[];
  /** The text without its blocks. */
  prose: string;
}

export const pages: Page[] = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'CODE_OF_CONDUCT.md',
  'bench/measured.md',
  ...readdirSync(join(packageRoot(), 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
].map(readPage);

/** Blocks of these languages, on all pages. */
export function blocksOf(...languages: string[]): Block[] {
  return pages.flatMap(({ blocks }) =>
    blocks.filter(({ language }) => languages.includes(language)),
  );
}

function readPage(path: string): Page {
  const text = readFileSync(join(packageRoot(), path), 'utf8');
  const blocks: Block[] = [];
  const fence = /^```(\w*) ?(\S*)[^\n]*\n([\s\S]*?)^```$/gm;
  const prose = text.replace(
    fence,
    (_, language: string, file: string, body: string, at: number) => {
      const line = text.slice(0, at).split('\n').length;
      blocks.push({ at: `${path}:${line}`, language, file: file || undefined, text: body });
      return '';
    },
  );
  return { path, text, blocks, prose };
}
