/** The page of the steps that ship and of the types of outputs, read from their code. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { modelSteps, otherSteps } from '../../steps/table.js';
import { packageRoot } from '../../stores/package-root.js';

interface Declared {
  name: string;
  doc: string;
  /** As it is written, without "export". */
  text: string;
}

interface StepDeclared extends Declared {
  input: string;
  output: string;
}

const sources = ['steps', 'steps/outputs', 'core'].flatMap((folder) =>
  readdirSync(join(packageRoot(), folder))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({
      path: `${folder}/${file}`,
      text: readFileSync(join(packageRoot(), folder, file), 'utf8'),
    })),
);
const textOf = (path: string) => sources.find((one) => one.path === path)?.text ?? '';

/** Returns the sentences of a comment above a declaration. */
function docOf(comment = ''): string {
  const lines = comment.replace(/^\/\*\*|\*\/\s*$/g, '').split('\n');
  return lines
    .map((line) => line.replace(/^\s*\*?\s?/, ''))
    .join('\n')
    .trim();
}

const DOC = String.raw`(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?`;

/** Returns what stands between brackets that open at a place. */
function within(text: string, open: number, [opens, closes]: '<>' | '{}' | '()'): string {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    // An arrow closes nothing.
    if (text[at] === opens) depth++;
    else if (text[at] === closes && text[at - 1] !== '=') depth--;
    if (depth === 0) return text.slice(open + 1, at);
  }
  throw new Error(`A bracket is not closed: ${text.slice(open, open + 80)}`);
}

/** Returns the parts of a list of types. */
function typesIn(list: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const character of list) {
    if ('<{(['.includes(character)) depth++;
    if ('>})]'.includes(character)) depth--;
    if (character === ',' && depth === 0) parts.push('');
    else parts.push(`${parts.pop()}${character}`);
  }
  return parts.map((part) => part.replace(/\s+/g, ' ').trim()).filter((part) => part !== '');
}

function stepsIn(text: string): StepDeclared[] {
  const declared = new RegExp(`${DOC}export const (\\w+) = (?:define|reading|declare)Step<`, 'gi');
  return [...text.matchAll(declared)].map(({ 0: found, 1: comment, 2: name = '', index }) => {
    const [input = '', output = ''] = typesIn(within(text, index + found.length - 1, '<>'));
    const signature = `step.${name}(input: ${input}): Promise<${output}>`;
    return { name, doc: docOf(comment), text: signature, input, output };
  });
}

/** Returns the interfaces and aliases that are exported anywhere, by name. */
function exportedTypes(): Map<string, Declared> {
  const declared = new RegExp(`${DOC}export (interface|type) (\\w+)[^{=;]*[{=]`, 'g');
  const found = new Map<string, Declared>();
  for (const { text } of sources) {
    for (const { 0: all, 1: comment = '', 2: kind, 3: name = '', index } of text.matchAll(
      declared,
    )) {
      const start = index + comment.length;
      const end =
        kind === 'interface'
          ? index + all.length + within(text, index + all.length - 1, '{}').length + 1
          : text.indexOf(';\n', index) + 1;
      const written = text.slice(start, end).replace(/^export /, '');
      found.set(name, { name, doc: docOf(comment), text: `${comment}${written}` });
    }
  }
  return found;
}

/** Returns the types that a text names, and those that they name. */
function namedIn(text: string, types: ReadonlyMap<string, Declared>): Declared[] {
  const found = new Map<string, Declared>();
  function add(from: string): void {
    for (const [word] of from.matchAll(/\b[A-Z]\w+\b/g)) {
      const type = types.get(word);
      if (!type || found.has(word)) continue;
      found.set(word, type);
      add(type.text.replace(/\/\*\*[\s\S]*?\*\//g, ''));
    }
  }
  add(text);
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns how a step is sampled, as its declaration says it. */
function samplingOf(name: string): string {
  const { sampling } = modelSteps[name as keyof typeof modelSteps] ?? {};
  if (!sampling) return 'Sampled greedily (temperature 0).';
  return `Sampled by \`${String(sampling).replace(/\s+/g, ' ')}\`.`;
}

/** Returns the types of outputs that `durable-rag/methods` has, with their signatures. */
function outputTypes(): string[] {
  const entry = readFileSync(join(packageRoot(), 'workflows/declare.ts'), 'utf8');
  const listed = entry.matchAll(/export \{([^}]*)\} from '\.\.\/(steps\/outputs\/\w[\w-]*)\.js'/g);
  return [...listed].flatMap(([, names = '', path]) => {
    const text = textOf(`${path}.ts`);
    return names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type '))
      .flatMap((name) => outputPart(name, text));
  });
}

function outputPart(name: string, text: string): string[] {
  const declared = new RegExp(`${DOC}export (?:function|const) ${name}\\b`);
  const found = declared.exec(text);
  if (!found) return [];
  const [all, comment] = found;
  const from = text.slice(found.index + all.length);
  const isFunction = all.includes('export function');
  const end = isFunction ? from.search(/ \{\n/) : from.indexOf(' = ');
  const signature = `${name}${from.slice(0, end)}`.replace(/\s*\n\s*/g, ' ').replace(/\( /g, '(');
  return [`### \`${name}\``, docOf(comment), ts(signature.replace(/, \)/g, ')'))];
}

const ts = (text: string) => `\`\`\`text\n${text}\n\`\`\``;

/** Returns the page: steps, types of outputs, and the types that both name. */
export function stepsPage(): string[] {
  const ours = sources.filter(({ path }) => path.startsWith('steps/'));
  const steps = ours.flatMap(({ text }) => stepsIn(text));
  const known = [...Object.keys(modelSteps), ...Object.keys(otherSteps)];
  const missing = known.filter((name) => !steps.some((step) => step.name === name));
  if (missing.length > 0) throw new Error(`These steps are declared in another way: ${missing}.`);
  const parts = steps.map(({ name, doc, text }) => [
    `### \`${name}\``,
    ...(doc ? [doc] : []),
    ts(text),
    ...(Object.hasOwn(modelSteps, name) ? [samplingOf(name)] : []),
  ]);
  const outputs = outputTypes();
  const signatures = [...steps.map(({ text }) => text), ...outputs].join('\n');
  const types = namedIn(signatures, exportedTypes());
  return [
    'An algorithm asks these as `step.NAME(input)`. `passages` of an input are ids.',
    '## Steps',
    ...parts.flat(),
    '## Types of outputs',
    'A step of your own declares one of these as its `output`.',
    ...outputs,
    '## Types',
    ts(types.map(({ text }) => text).join('\n\n')),
  ];
}
