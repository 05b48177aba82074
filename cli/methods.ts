/** `durable-rag methods`: lists the methods with their options, costs and published figures. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { methodNamed } from '../core/method-registry.js';
import { describeAllowed, fieldOf, fieldsWithin } from '../core/options/schema-fields.js';
import { callsText, countMethodCalls, type MethodCalls } from '../interpreters/method-calls.js';
import { ownSteps } from '../steps/own-steps.js';
import { packageRoot } from '../stores/package-root.js';
import type { OwnMethod } from '../workflows/define-method.js';
import type { CliContext } from './context.js';
import { methodsOf } from './own-methods.js';
import type { CommandOutput } from './print-output.js';

/**
 * Returns the output of `methods`: as JSON an array of all methods, or one method as an object
 * with `page`, the path of the page that explains it and its differences from the paper; as text
 * Markdown. Baselines and custom methods have no page (null).
 *
 * @throws Failure BadInput for an unknown name, with the closest known one.
 */
export async function showMethods(
  name: string | undefined,
  context: CliContext,
): Promise<CommandOutput> {
  const all = methodsOf(context);
  const { steps } = ownSteps(context.config?.steps);
  const shown = name === undefined ? [...all.values()] : [methodNamed(name, all)];
  const methods = await Promise.all(
    shown.map(async (method) => ({ method, calls: await countMethodCalls(method, steps) })),
  );
  const values = methods.map(methodJson);
  const texts = methods.map(describeMethod);
  if (name === undefined) return { value: values, text: texts.join('\n\n') };
  const page = pageOf(name);
  const more = page ? [`How it works, and how it differs from its paper: ${page}`] : [];
  return { value: { ...values[0], page: page ?? null }, text: [...texts, ...more].join('\n\n') };
}

interface PlannedMethod {
  method: OwnMethod<unknown>;
  calls: MethodCalls | undefined;
}

/** Returns the documentation page of a built-in method; undefined if it has none, like the baselines. */
function pageOf(name: string): string | undefined {
  const file = `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.md`;
  const page = join(packageRoot(), 'docs', 'methods', file);
  return existsSync(page) ? page : undefined;
}

/** Returns a method as JSON: `options` is a JSON Schema. Pure. */
function methodJson({ method, calls }: PlannedMethod): object {
  const { name, title, source, steps, figures, options } = method;
  return {
    name,
    title,
    source,
    calls: calls ?? null,
    steps: steps ?? null,
    reported: figures,
    options: z.toJSONSchema(options, { io: 'input' }),
  };
}

/** Returns a method as Markdown, which reads well in a terminal too. */
function describeMethod({ method, calls }: PlannedMethod): string {
  return [
    `## \`${method.name}\``,
    '',
    `${method.title}. ${method.source}.`,
    '',
    `- Most model calls of a question: ${calls ? callsText(calls) : 'unknown'}`,
    `- Steps that call a model: ${method.steps?.join(', ') ?? 'unknown'}`,
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
    const cells = [field.description, describeAllowed(field), field.otherwise ?? usual];
    return `| \`${path.join('.')}\` | ${cells.map(escapeCell).join(' | ')} |`;
  });
}

function escapeCell(text = ''): string {
  return text.replaceAll('|', '\\|');
}
