/** The page of the steps that ship and of the types of outputs, as the compiler reads them. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { modelSteps, nonModelSteps } from '../../steps/table.js';
import { packageRoot } from '../../stores/package-root.js';
import { type Declared, exportsOf, membersOf, typeOf, typesNamedBy } from './compiled.js';

/** Returns how a step is sampled, as its declaration says it. */
function samplingOf(name: string): string[] {
  if (!Object.hasOwn(modelSteps, name)) return [];
  const { sampling } = modelSteps[name as keyof typeof modelSteps];
  if (!sampling) return ['Sampled greedily (temperature 0).'];
  return [`Sampled by \`${String(sampling).replace(/\s+/g, ' ')}\`.`];
}

/** Returns the types of outputs that `durable-rag/methods` has: what is or gives an `Output`. */
function outputTypes(): Declared[] {
  return exportsOf('workflows/declare.ts').filter(
    (one) => !one.isType && /^(?:.*=> )?Output<.*>$/.test(typeOf(one)),
  );
}

const ts = (text: string) => `\`\`\`text\n${text}\n\`\`\``;
const said = ({ doc }: Declared) => (doc === '' ? [] : [doc]);

/** Returns the page: steps, types of outputs, and the types that both name. */
export function stepsPage(): string[] {
  const files = readdirSync(join(packageRoot(), 'steps')).filter((file) => file.endsWith('.ts'));
  const steps = files
    .flatMap((file) => exportsOf(`steps/${file}`))
    .filter(({ name }) => Object.hasOwn(modelSteps, name) || Object.hasOwn(nonModelSteps, name));
  const functions = exportsOf('steps/table.ts').find(({ name }) => name === 'Steps');
  const signatures = functions ? membersOf(functions) : new Map<string, string>();
  const outputs = outputTypes();
  return [
    'An algorithm asks these as `step.NAME(input)`. `passages` of an input are ids.',
    '## Steps',
    ...steps.flatMap((step) => [
      `### \`${step.name}\``,
      ...said(step),
      ts(`step.${step.name}: ${signatures.get(step.name)}`),
      ...samplingOf(step.name),
    ]),
    '## Types of outputs',
    'A step of your own declares one of these as its `output`.',
    ...outputs.flatMap((output) => [
      `### \`${output.name}\``,
      ...said(output),
      ts(`${output.name}: ${typeOf(output)}`),
    ]),
    '## Types',
    ts(
      typesNamedBy([...steps, ...outputs])
        .map(({ text }) => text)
        .join('\n\n'),
    ),
  ];
}
