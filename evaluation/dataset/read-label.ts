/** Reads the class of a claim: supported, refuted, or that nothing settles it. Pure. */
import { z } from 'zod';
import { isClaimClass } from '../metrics/fact-label.js';
import { plainName } from './fields.js';
import { BadField, check, type Line } from './line.js';
import { text, unique } from './values.js';

const LABELS = ['label', 'gold_label', 'claim_label', 'evidence_label', 'verdict'];

/** The class of a claim; beside answers only what is such a class, or one of them. */
export function readLabel(line: Line, answers: readonly string[]): string | undefined {
  const field = LABELS.map((name) => line.find(name)).find((found) => found && !line.isRead(found));
  if (!field) return labelInEvidence(line);
  const { name, value } = field;
  if (answers.length > 0) {
    const said = typeof value === 'string' ? value.trim() : '';
    return isClass(said) || answers.includes(said)
      ? check(text, line.read(field, 'label'), name)
      : undefined;
  }
  if (typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value.trim()))) {
    throw new BadField(
      `${name}: a number, and the file does not say which class that is: write its name, or the right answer under answers`,
    );
  }
  line.read(field, 'label');
  // SciFact's table leaves it empty where no document says anything.
  return plainName(name) === 'evidencelabel' && value === '' ? UNSETTLED : check(text, value, name);
}

const UNSETTLED = 'NOT ENOUGH INFO';

const verdicts = z.record(z.string(), z.array(z.looseObject({ label: text })));

/** SciFact has the class with every document; a claim without one has not enough of them. */
function labelInEvidence(line: Line): string | undefined {
  const field = line.find('evidence');
  const found = field && line.find('claim') ? verdicts.safeParse(field.value) : undefined;
  if (!field || !found?.success) return undefined;
  const [first, ...others] = unique(
    Object.values(found.data)
      .flat()
      .map(({ label }) => label),
  );
  if (others.length > 0) throw new BadField(`${field.name}: has several classes for one claim`);
  line.read(field, 'label');
  return first ?? UNSETTLED;
}

const SUPPORTS = ['supports', 'yes', 'true'];
const REFUTES = ['refutes', 'no', 'false'];
const NOT_ENOUGH = ['not enough info'];
const SIDES: ReadonlyMap<string, string[]> = new Map(
  Object.entries({
    ...{ support: SUPPORTS, supports: SUPPORTS, supported: SUPPORTS },
    ...{ refute: REFUTES, refutes: REFUTES, refuted: REFUTES },
    ...{ contradict: REFUTES, contradicts: REFUTES, contradicted: REFUTES },
    ...{ 'not enough info': NOT_ENOUGH, 'not enough information': NOT_ENOUGH },
    ...{ 'not enough evidence': NOT_ENOUGH, not_enough_info: NOT_ENOUGH, nei: NOT_ENOUGH },
  }),
);

function isClass(said: string): boolean {
  return SIDES.has(said.toLowerCase()) || isClaimClass(said);
}

/** A claim without answers is answered by its class. */
export function answersOf(label: string | undefined): string[] {
  if (label === undefined) return [];
  return SIDES.get(label.toLowerCase()) ?? [label.toLowerCase()];
}
