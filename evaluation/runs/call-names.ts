/** Short names of the calls of a question: `summarize[2]` is the second call of its step. Pure. */
import { Failure } from '../../core/failure.js';
import type { CallRecord } from '../../steps/call-record.js';

type Addressed = Pick<CallRecord, 'address' | 'label' | 'step'>;

/**
 * Returns a map from the address of each call of a question to its short name, such as
 * `summarize[2]`. The number counts the different calls of a step from 1, in the order of their
 * labels. It does not depend on the order in which calls end, so a call has the same name in a run
 * and in its fork. Equal calls share an address and a name.
 */
export function callNames(calls: readonly Addressed[]): Map<string, string> {
  const named = [...byStep(calls)].flatMap(([step, addresses]) =>
    addresses.map((address, i) => [address, nameOf(step, i + 1)] as const),
  );
  return new Map(named);
}

/**
 * Returns the call of a question that a user names.
 *
 * @param at Name or address of a call, or the name of a step that made only one.
 * @param field Flag or argument that contains it, for the message.
 * @throws Failure BadInput naming the existing calls.
 */
export function callAt<C extends Addressed>(calls: readonly C[], at: string, field: string): C {
  const names = callNames(calls);
  const [only, ...others] = byStep(calls).get(at) ?? [];
  const found = calls.find(
    ({ address }) =>
      address === at || names.get(address) === at || (address === only && others.length === 0),
  );
  if (found) return found;
  const spans = [...byStep(calls)].map(([step, { length }]) =>
    length === 1 ? nameOf(step, 1) : `${nameOf(step, 1)} to ${nameOf(step, length)}`,
  );
  const there = spans.length === 0 ? 'nothing is kept of its calls' : `it has ${spans.join(', ')}`;
  throw new Failure(
    'BadInput',
    `${field}: the question has no call ${JSON.stringify(at)}; ${there}`,
  );
}

function nameOf(step: string, number: number): string {
  return `${step}[${number}]`;
}

/** Returns the distinct addresses of each step, in the order of their labels. */
function byStep(calls: readonly Addressed[]): Map<string, string[]> {
  const steps = new Map<string, Map<string, string>>();
  for (const { step, address, label } of calls) {
    const labels = steps.get(step) ?? new Map<string, string>();
    steps.set(step, labels.set(address, `${label} ${address}`));
  }
  const compare = new Intl.Collator('en', { numeric: true }).compare;
  return new Map(
    [...steps].map(([step, labels]) => {
      const sorted = [...labels].sort(([, a], [, b]) => compare(a, b));
      return [step, sorted.map(([address]) => address)];
    }),
  );
}
