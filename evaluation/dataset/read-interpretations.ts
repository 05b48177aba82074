/** Reads AmbigQA's annotations: the answers to each thing that a question can mean. Pure. */
import { z } from 'zod';
import { BadField, type Line } from './line.js';
import type { Forms } from './read-forms.js';
import { texts, unique, writtenIn } from './values.js';

const pair = z.object({ answer: texts });
const annotation = z.discriminatedUnion('type', [
  z.object({ type: z.literal('singleAnswer'), answer: texts }),
  z.object({ type: z.literal('multipleQAs'), qaPairs: z.array(pair) }),
]);
const annotations = z.array(annotation);

/** The same in columns, as Parquet has it. */
const columns = z.object({
  type: z.array(z.string()),
  answer: z.array(z.unknown()),
  qaPairs: z.array(z.object({ answer: z.array(z.unknown()) })),
});

function rowsOf(value: unknown): unknown {
  const found = columns.safeParse(value);
  if (!found.success) return value;
  const { type, answer, qaPairs } = found.data;
  return type.map((kind, i) => ({
    type: kind,
    answer: answer[i],
    qaPairs: qaPairs[i]?.answer.map((names) => ({ answer: names })),
  }));
}

/**
 * One answer by its names, or several that are all wanted. What the annotators say is put together:
 * answers that share a name are one.
 *
 * @throws BadField for annotations in another form, of Natural Questions for example.
 */
export function readInterpretations(line: Line): Forms | undefined {
  const field = line.find('annotations');
  if (!field) return undefined;
  const value = typeof field.value === 'string' ? writtenIn(field.value, field.name) : field.value;
  const found = annotations.safeParse(rowsOf(value));
  if (!found.success) {
    if (!isTokens(value)) return undefined;
    throw new BadField(
      `${field.name}: names the places of answers in a page, as in the original Natural Questions: take NQ-open, which has their texts`,
    );
  }
  if (found.data.length === 0) return undefined;
  line.read(field, 'answers');
  const groups = found.data
    .flatMap((one) =>
      one.type === 'singleAnswer' ? [one.answer] : one.qaPairs.map((qa) => qa.answer),
    )
    .reduce(joined, []);
  const forms = unique(groups.flat());
  return { field: field.name, forms, ...(groups.length > 1 && { groups }) };
}

function joined(groups: string[][], names: string[]): string[][] {
  const isSame = (group: string[]) => group.some((name) => names.includes(name));
  const same = groups.filter(isSame);
  return [...groups.filter((group) => !isSame(group)), unique([...same.flat(), ...names])];
}

function isTokens(value: unknown): boolean {
  const ones: unknown[] = Array.isArray(value) ? value : [value];
  return ones.some((one) => typeof one === 'object' && one !== null && 'yes_no_answer' in one);
}
