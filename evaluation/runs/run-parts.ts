/**
 * Splits a run that was changed on its way into parts, of which each was asked with the same
 * settings.
 */
import { Failure } from '../../core/failure.js';
import { groupedBy } from '../../core/grouped-by.js';
import type { RunAnswer, RunChange, RunManifest } from '../../stores/runs/run-store.js';
import { answersOf, type RunSource } from './run-source.js';

/**
 * The properties that distinguish the parts of a run: the number of accepted changes before an
 * answer, and whether its prompts are known.
 */
interface PartKey {
  changes: number;
  /** Whether it was asked with a prompt that is not in the manifest. */
  foreign: boolean;
}

/**
 * Reads the answers of runs, and returns the runs, with each one that has answers from before and
 * after a change replaced by its parts. Changes are those accepted with `--accept-change`, and
 * prompts that are not in the manifest. Other runs are returned whole.
 */
export async function splitRuns(sources: readonly RunSource[]): Promise<RunSource[]> {
  return (await Promise.all(sources.map(partsOf))).flat();
}

/**
 * Reads the answers of a run, and throws if some are from before and some from after a change, so
 * that they cannot be compared as one run.
 *
 * @throws Failure BadInput naming the parts.
 */
export async function checkUnchanged(source: RunSource): Promise<void> {
  const parts = await partsOf(source);
  if (parts.length < 2) return;
  const { run } = source.manifest;
  const which = parts.flatMap(({ part }) => part ?? []).join('; ');
  throw new Failure(
    'BadInput',
    `The run "${run}" was changed on its way, so its answers cannot be compared as one run (${which}). Compare a run that was not changed.`,
  );
}

async function partsOf(source: RunSource): Promise<RunSource[]> {
  if (source.part !== undefined) return [source];
  const { manifest } = source;
  const isForeign = foreignPrompts(manifest);
  const changesBefore = (time: string) =>
    (manifest.changes ?? []).filter(({ at }) => at <= time).length;
  const kindOf = (answer: RunAnswer) => ({
    changes: changesBefore(answer.startedAt),
    foreign: isForeign(answer),
  });
  const kinds: ReturnType<typeof kindOf>[] = [];
  for await (const { answer } of answersOf(source)) kinds.push(kindOf(answer));
  // If all answers are of one kind, the run has a single part.
  const isMixed = [true, false].every((one) => kinds.some(({ foreign }) => foreign === one));
  const keyOf = ({ changes, foreign = false }: ReturnType<typeof kindOf>): PartKey => ({
    changes,
    foreign: isMixed && foreign,
  });
  const keys = kinds
    .map(keyOf)
    .sort((a, b) => a.changes - b.changes || Number(a.foreign) - Number(b.foreign));
  const parts = groupedBy(keys, (key) => JSON.stringify(key));
  if (parts.size < 2) return [source];
  return [...parts].map(([told, alike], i) => {
    const [key] = alike as [PartKey, ...PartKey[]];
    const name = `${manifest.run}, part ${i + 1} of ${parts.size}`;
    const part = `${name}: ${alike.length} answers, ${whatHolds(key, manifest.changes ?? [])}`;
    const { code: _, ...kept } = manifest;
    const stopped = (manifest.stopped ?? []).filter(
      ({ startedAt }) => !key.foreign && changesBefore(startedAt) === key.changes,
    );
    return {
      manifest: { ...kept, ...heldIn(key, manifest), run: name, questions: alike.length, stopped },
      part,
      partOf: manifest.run,
      ...(source.marks && { marks: source.marks }),
      questions: () => source.questions(),
      async answer(id) {
        const answer = await source.answer(id);
        return answer && JSON.stringify(keyOf(kindOf(answer))) === told ? answer : undefined;
      },
    };
  });
}

/**
 * Returns a function: whether an answer was asked with prompts that are not in the manifest;
 * undefined if its prompts are unknown.
 */
function foreignPrompts({ changes = [], prompts }: RunManifest) {
  const known = new Set(
    [prompts, ...changes.map((change) => change.prompts)].flatMap((of) => Object.values(of)),
  );
  return ({ result }: RunAnswer): boolean | undefined => {
    // The hash of a prompt joins those of the passages' frame and of the template.
    const asked = Object.values(result?.steps ?? {}).flatMap((step) => step.prompts);
    if (asked.length === 0) return undefined;
    return asked.some((hashes) => hashes.split('+').some((hash) => !known.has(hash)));
  };
}

/** Returns the prompts and code in use until the next change; after the last change the manifest's. */
function heldIn(
  { changes }: PartKey,
  manifest: RunManifest,
): Pick<RunManifest, 'code' | 'prompts'> {
  const { prompts, code } = manifest.changes?.[changes] ?? manifest;
  return { prompts, ...(code && { code }) };
}

function whatHolds({ changes, foreign }: PartKey, accepted: readonly RunChange[]): string {
  const before = accepted[changes - 1];
  const since = before
    ? `since ${before.at} with ${before.differences.join('; ')}`
    : 'as the run was started';
  return foreign ? `${since}, with prompts that are not in its manifest` : since;
}

/**
 * Returns one sentence for each part of a changed run, after one that explains them; empty if all
 * runs are whole.
 */
export function notesOnParts(sources: readonly RunSource[]): string[] {
  const parts = sources.flatMap(({ part }) => part ?? []);
  if (parts.length === 0) return [];
  return [
    'A run that was changed on its way is shown in parts, without figures for the whole run.',
    ...parts.map((part) => `${part}.`),
  ];
}
