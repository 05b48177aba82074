/** The page of what a program can import: the entry points of the package, as the compiler reads them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMethod, methods } from '../../interpreters/methods.js';
import { packageRoot } from '../../stores/package-root.js';
import { type Declared, exportsOf, functionsOf, signaturesOf } from './compiled.js';

/** What an entry point exports, by the name that a program imports it from. */
export function entryPoints(): Map<string, Declared[]> {
  const manifest = readFileSync(join(packageRoot(), 'package.json'), 'utf8');
  const { name, exports } = JSON.parse(manifest);
  const modules = Object.entries<{ types?: string }>(exports).flatMap(([path, { types }]) => {
    if (!types) return [];
    const source = types.replace('./dist/', '').replace('.d.ts', '.ts');
    const found = exportsOf(source).sort((a, b) => (a.name < b.name ? -1 : 1));
    return [[join(name, path), found] as const];
  });
  return new Map(modules);
}

/** Returns what a declaration says of itself; of a method that ships, its title. */
export function saidOf({ name, doc, isType }: Declared): string {
  return !isType && isMethod(name) ? `${methods[name].title}.` : doc;
}

/** Returns the parts of the page: for each entry point its values, with their types, and its types. */
export function exportParts(): string[] {
  return [...entryPoints()].flatMap(([path, declared]) => {
    const values = declared.filter(({ isType }) => !isType);
    const types = declared.filter(({ isType }) => isType);
    return [
      `## \`${path}\``,
      ...values.flatMap((one) => [`### \`${one.name}\``, saidOf(one), signature(one, types)]),
      ...(types.length > 0 ? ['### Types', types.map(typeLine).join('\n')] : []),
    ];
  });
}

function signature(declared: Declared, types: readonly Declared[]): string {
  return `\`\`\`text\n${signaturesOf(declared, types).join('\n')}\n\`\`\``;
}

function typeLine(declared: Declared): string {
  const functions = functionsOf(declared).map(
    ({ name, doc }) => `  - \`${name}\`${doc === '' ? '' : `: ${firstSentence(doc)}`}`,
  );
  return [`- \`${declared.name}\`: ${firstSentence(saidOf(declared))}`, ...functions].join('\n');
}

function firstSentence(doc: string): string {
  const [sentence = ''] = doc
    .replace(/\s+/g, ' ')
    .trim()
    .split(/(?<=\.)\s/);
  return sentence;
}
