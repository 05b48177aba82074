/** `race`: runs a study of two methods, defined by flags, that stops once it is decided. */
import { basename } from 'node:path';
import { Failure } from '../../core/failure.js';
import { isDatasetField, type StudyInput } from '../../core/study/study.js';
import type { CliContext } from '../context.js';
import { fileOf } from '../dataset-flag.js';
import { withDrawnStudy } from '../drawn-demonstrations.js';
import { namingFlags, type TypedInput } from '../flags.js';
import { plainYaml } from './plain-yaml.js';
import { type CheckedStudy, checkedStudy, untilDecidedOf } from './study-file.js';

/**
 * Returns a race as a study, in the form of one that was read from a file: two methods are asked
 * the questions of one data set until it is decided which is better. The second method is the
 * baseline.
 *
 * @param methods Two methods, each a name or a YAML text with options.
 * @param repeats How often each question is asked; once if undefined.
 * @throws Failure BadInput naming the flag that is wrong.
 */
export async function raceAsStudy(
  methods: readonly [string, string],
  typed: TypedInput,
  repeats: number | undefined,
  context: CliContext,
): Promise<CheckedStudy> {
  const { dataset, as: reader, models, run, untilDecided: _, ...rest } = typed.fields;
  if (typeof dataset !== 'string')
    throw new Failure('BadInput', '--dataset: is missing; it must be a file of questions');
  const file = fileOf(dataset);
  const ofDataset = Object.entries(rest).filter(([name]) => isDatasetField(name));
  const ofRuns = Object.entries(rest).filter(([name]) => !isDatasetField(name));
  const label = basename(dataset).replace(/\..*$/, '');
  const name = run ?? ['race', ...methods, label].join('-').replaceAll(/[^A-Za-z0-9._]+/g, '-');
  const [first, second] = methods.map(methodOf);
  const input = {
    name,
    methods: [first, second],
    baseline: labelOf(second),
    datasets: [
      {
        ...(file === undefined ? { stored: dataset } : { file }),
        ...(reader !== undefined && { reader }),
        ...Object.fromEntries(ofDataset),
      },
    ],
    ...(models !== undefined && { models: [models] }),
    ...Object.fromEntries(ofRuns),
    ...(repeats && { repeats }),
    untilDecided: untilDecidedOf(typed, true),
  };
  const drawn = await withDrawnStudy(input, '.', context);
  const nameOf = (path: readonly PropertyKey[]) => {
    const [part, at, ...inside] = path;
    if (part === 'methods') return [at === 0 ? '<first>' : '<second>', ...inside].join('.');
    return typed.nameOf(part === 'datasets' ? inside : path);
  };
  return namingFlags({ nameOf }, () => checkedStudy(drawn as StudyInput, '.', context));
}

/**
 * Returns a method as a study file contains it, parsed from a flag.
 *
 * @example
 * methodOf('{ sure: { candidates: 3 }, as: sure-k3 }')
 */
function methodOf(text: string): unknown {
  try {
    return plainYaml(text);
  } catch (cause) {
    const like = "'{ sure: { candidates: 3 } }'";
    throw new Failure('BadInput', `${text}: must be a method, or one with options: ${like}`, {
      cause,
    });
  }
}

function labelOf(method: unknown): unknown {
  if (typeof method === 'string') return method;
  const { as, ...named } = Object(method);
  return as ?? Object.keys(named)[0];
}
