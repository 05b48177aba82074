/** `durable-rag methods`: what there is, with options, costs and the papers' figures. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { fieldOf, fieldsWithin, taken } from '../core/options/fields.js';
import { methodNamed } from '../core/registry.js';
import { packageRoot } from '../stores/package-root.js';
import type { OwnMethod } from '../workflows/define-method.js';
import type { CliContext } from './context.js';
import type { Output } from './output.js';
import { methodsOf } from './own-methods.js';

/**
 * Tells the methods, or one with the page that tells how it works and where it departs from its paper.
 *
 * @throws Failure BadInput naming the one that was meant, where there is none of the name.
 */
export function showMethods(name: string | undefined, context: CliContext): Output {
  const all = methodsOf(context);
  if (name === undefined) {
    const methods = [...all.values()];
    return { value: methodsJson(methods), text: methods.map(describeMethod).join('\n\n') };
  }
  const method = methodNamed(name, all);
  const page = pageOf(method.name);
  const value = { ...methodsJson([method])[0], page: page ?? null };
  const more = page ? [`How it works, and what differs from its paper: ${page}`] : [];
  return { value, text: [describeMethod(method), ...more].join('\n\n') };
}

/** The page of a method that ships; a baseline has none of its own. */
function pageOf(name: string): string | undefined {
  const file = `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.md`;
  const page = join(packageRoot(), 'docs', 'methods', file);
  return existsSync(page) ? page : undefined;
}

/** The methods as JSON: `options` is a JSON Schema. Pure. */
function methodsJson(methods: readonly OwnMethod<unknown>[]): object[] {
  return methods.map(({ name, title, source, callsFormula, steps, figures, options }) => ({
    ...{ name, title, source, calls: callsFormula, steps, reported: figures },
    options: z.toJSONSchema(options, { io: 'input' }),
  }));
}

/** As Markdown, which reads well in a terminal too. */
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
