/** The page of what a program can import: the entry points of the package, read from their code. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageRoot } from '../../stores/package-root.js';

const root = packageRoot();

interface Exported {
  name: string;
  isType: boolean;
  /** The first sentence of its comment; empty if it has none. */
  doc: string;
}

/** Returns the parts of the page: for each entry point its values, with what they do, and its types. */
export function exportParts(): string[] {
  const { name, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Object.entries<{ types?: string }>(exports).flatMap(([path, { types }]) => {
    if (!types) return [];
    const source = types.replace('./dist/', '').replace('.d.ts', '.ts');
    const found = exportsOf(source).sort((a, b) => (a.name < b.name ? -1 : 1));
    const values = found.filter(({ isType }) => !isType);
    const named = found.filter(({ isType }) => isType).map((one) => `\`${one.name}\``);
    return [
      `## \`${join(name, path)}\``,
      ...(values.length > 0 ? [values.map(line).join('\n')] : []),
      ...(named.length > 0 ? [`Types: ${named.join(', ')}.`] : []),
    ];
  });
}

function line({ name, doc }: Exported): string {
  return doc === '' ? `- \`${name}\`` : `- \`${name}\`: ${doc}`;
}

const FROM = /^export (type )?(?:\{([^}]*)\}|\*) from '([^']+)';/gm;
const DECLARED =
  /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*)?^export (?:async )?(function|const|class|interface|type) (\w+)/gm;

/** Returns what a module exports, of its own and of others. */
function exportsOf(file: string): Exported[] {
  const text = readFileSync(join(root, file), 'utf8');
  const own = [...text.matchAll(DECLARED)].map(([, doc = '', kind = '', name = '']) => {
    return { name, isType: ['interface', 'type'].includes(kind), doc: firstSentence(doc) };
  });
  const others = [...text.matchAll(FROM)].flatMap(([, type, names, from = '']) => {
    const there = exportsOf(join(dirname(file), from).replace(/\.js$/, '.ts'));
    if (names === undefined) return there;
    return names.split(',').flatMap((listed) => {
      const [original = '', name = original] = listed
        .trim()
        .replace(/^type /, '')
        .split(' as ');
      if (original === '') return [];
      const isType = type !== undefined || listed.trim().startsWith('type ');
      const doc = there.find((one) => one.name === original)?.doc ?? '';
      return [{ name, isType, doc }];
    });
  });
  return [...own, ...others];
}

function firstSentence(comment: string): string {
  const said = comment.replace(/^\s*\*? ?/gm, '').split(/^@/m)[0] ?? '';
  const [sentence = ''] = said
    .replace(/\s+/g, ' ')
    .trim()
    .split(/(?<=\.)\s/);
  return sentence;
}
