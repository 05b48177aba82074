/** What the docs say to type can be typed: the real command line reads it, and does nothing. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../stores/package-root.js';
import * as workflows from '../../workflows/index.js';
import { quietProgram } from '../support/quiet-program.js';
import { blocksOf, pages } from './pages.js';

const scripts = Object.keys(
  JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')).scripts,
);
const commands = blocksOf('sh', 'bash').flatMap(({ at, text }) =>
  commandsOf(text).map((words) => ({ at, line: words.join(' '), words })),
);
const json = blocksOf('json', 'jsonl');

/** Programs of others that the docs may call. */
const OTHERS = 'npm npx export pip python docker kubectl cp redis-server'.split(' ');

/** Of a shell's language what the docs use: quotes, comments, lines that go on, one after another. */
function commandsOf(text: string): string[][] {
  const lines = text.replace(/\\\n\s*/g, ' ').split('\n');
  return lines.flatMap((line) => {
    const tokens = line.match(/'[^']*'|"[^"]*"|#.*$|&&|\|\||[|;&]|[^\s'"#&|;]+/g) ?? [];
    const found: string[][] = [[]];
    for (const token of tokens) {
      if (token.startsWith('#')) break;
      if (/^[&|;]+$/.test(token)) found.push([]);
      else found.at(-1)?.push(token.replace(/^(['"])(.*)\1$/, '$2'));
    }
    return found.filter((words) => words.length > 0);
  });
}

it.each(commands)('$at: $line', async ({ words }) => {
  const [first = '', second = '', third = ''] = words;
  if (first === 'npx' && second === 'durable-rag') {
    await quietProgram().parseAsync(words.slice(2), { from: 'user' });
  } else if (first === 'npm' && second === 'run') {
    expect(scripts).toContain(third);
  } else if (first === 'temporal') {
    const input = words[words.indexOf('--input') + 1];
    if (words.includes('--input')) expect(() => JSON.parse(input ?? '')).not.toThrow();
    const type = words[words.indexOf('--type') + 1];
    if (words.includes('--type')) expect(Object.keys(workflows)).toContain(type);
  } else {
    expect(OTHERS).toContain(first);
  }
});

it.each(pages)('$path names commands and flags that there are', ({ prose }) => {
  const { commands, options } = quietProgram();
  const spans = [...prose.matchAll(/`(?:npx )?durable-rag ([a-z-]+)([^`]*)`/g)];
  for (const [span, name, rest = ''] of spans) {
    const command = commands.find((one) => one.name() === name);
    expect(command, span).toBeDefined();
    const [below] = rest.trim().split(' ', 1);
    const named = [command, command?.commands.find((one) => one.name() === below)];
    const known = [...options, ...named.flatMap((one) => one?.options ?? [])];
    const flags = known.map(({ long }) => long);
    for (const [flag] of rest.matchAll(/--[a-z][a-z0-9-]*/g)) expect(flags, span).toContain(flag);
  }
});

if (json.length > 0) {
  it.each(json)('$at is JSON', ({ language, text }) => {
    const parts = language === 'json' ? [text] : text.trim().split('\n');
    for (const part of parts) expect(() => JSON.parse(part)).not.toThrow();
  });
}
