/** `durable-rag methods`: what there is, with options, costs and the papers' figures. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { fieldOf, fieldsWithin, taken } from '../core/options/fields.js';
import { methodNamed } from '../core/registry.js';
import { packageRoot } from '../stores/package-root.js';
import type { OwnMethod } from '../workflows/define-method.js';
import type { CliContext } from './context.js';
import { show } from './output.js';
import { methodsOf } from './own-methods.js';

/**
 * Prints the methods, or one with what differs from its paper.
 *
 * @throws Failure BadInput naming the one that was meant, where there is none of the name.
 */
export async function showMethods(name: string | undefined, context: CliContext): Promise<number> {
  const all = methodsOf(context);
  if (name === undefined) {
    const methods = [...all.values()];
    show(context, methodsJson(methods), describeMethods(methods));
    return 0;
  }
  const method = methodNamed(name, all);
  const differs = await departures(method.name);
  const value = { ...methodsJson([method])[0], differs };
  const lines = differs.map((one) => `- ${one}`);
  const told = [
    '',
    'Where it departs from the paper (docs/differences.md: where all do):',
    '',
    ...lines,
  ];
  show(context, value, [describeMethod(method), ...(differs.length > 0 ? told : [])].join('\n'));
  return 0;
}

/** What the page of a method lists as different from the paper; none where it has no page. */
async function departures(name: string): Promise<string[]> {
  const page = `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.md`;
  const text = await readFile(join(packageRoot(), 'docs', 'methods', page), 'utf8').catch(() => '');
  const section = text.split(/^## /m).find((part) => part.startsWith('What differs')) ?? '';
  return section.split('\n').flatMap((line) => /^- (.*)/.exec(line)?.[1] ?? []);
}

/** The methods as Markdown, which reads well in a terminal too. Pure. */
function describeMethods(methods: readonly OwnMethod<unknown>[]): string {
  return methods.map(describeMethod).join('\n\n');
}

/** The methods as JSON: `options` is a JSON Schema. Pure. */
function methodsJson(methods: readonly OwnMethod<unknown>[]): object[] {
  return methods.map(({ name, title, source, callsFormula, steps, figures, options }) => ({
    ...{ name, title, source, calls: callsFormula, steps, reported: figures },
    options: z.toJSONSchema(options, { io: 'input' }),
  }));
}

function describeMethod(method: OwnMethod<unknown>): string {
  return [
    `## \`${method.name}\``,
    '',
    `${method.title}. ${method.source}.`,
    '',
    `- Model calls: ${method.callsFormula}`,
    `- Steps that ask a model: ${method.steps?.join(', ')}`,
    `- Reported: ${method.figures}`,
    '',
    '| option | meaning | values | default |',
    '| --- | --- | --- | --- |',
    ...describeOptions(method.options),
  ].join('\n');
}

function describeOptions(options: z.ZodType): string[] {
  return fieldsWithin(fieldOf(options)).map(({ path, field }) => {
    const usual = field.default === undefined ? '' : `\`${JSON.stringify(field.default)}\``;
    const cells = [field.description, taken(field), field.otherwise ?? usual];
    return `| \`${path.join('.')}\` | ${cells.map(escapeCell).join(' | ')} |`;
  });
}

function escapeCell(text = ''): string {
  return text.replaceAll('|', '\\|');
}
