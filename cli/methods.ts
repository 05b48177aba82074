/** `durable-rag methods`: what there is, with options, costs and the papers' figures. */
import { z } from 'zod';
import { fieldOf, fieldsWithin, taken } from '../core/options/fields.js';
import type { OwnMethod } from '../workflows/define-method.js';

/** The methods as Markdown, which reads well in a terminal too. Pure. */
export function describeMethods(methods: readonly OwnMethod<unknown>[]): string {
  return methods.map(describeMethod).join('\n\n');
}

/** The methods as JSON: `options` is a JSON Schema. Pure. */
export function methodsJson(methods: readonly OwnMethod<unknown>[]): object[] {
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
