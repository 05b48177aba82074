/** The flags of when a study stops. */
import {
  type Command,
  InvalidArgumentError,
  Option,
  type OptionValues,
} from '@commander-js/extra-typings';
import { Failure } from '../../core/failure.js';
import type { UntilDecided } from '../../core/study/until-decided.js';

export interface DecidingFlags {
  delta?: number | undefined;
  alpha?: number | undefined;
  leaveOutFailures?: boolean | undefined;
  thisDataset?: boolean | undefined;
}

/** Points on a scale of 100, as a share. */
export function pointsAsShare(text: string): number {
  return inRange(text, 0, 100, 'points from 0 to below 100') / 100;
}

/** Between 0 and 1. */
export function chance(text: string): number {
  return inRange(text, Number.MIN_VALUE, 1, 'a chance between 0 and 1');
}

function inRange(text: string, least: number, below: number, what: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= least && value < below) return value;
  throw new InvalidArgumentError(`It must be ${what}.`);
}

/** Adds them to a command. */
export function addDeciding<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .option('--delta <points>', 'smallest difference that matters (default: 0)', pointsAsShare)
    .option('--alpha <x>', 'chance of one wrong decision of all (default: 0.05)', chance)
    .option('--leave-out-failures', 'failed questions do not count; else they are wrong')
    .addOption(
      new Option(
        '--this-dataset',
        'decide for this data set alone, not for questions like these',
      ).conflicts('leaveOutFailures'),
    );
}

/** Whole, as it is kept: what a flag does not say is as usual. */
export function decidingOf({
  delta,
  alpha,
  leaveOutFailures,
  thisDataset,
}: DecidingFlags): Partial<UntilDecided> {
  return {
    ...(delta !== undefined && { delta }),
    ...(alpha !== undefined && { alpha }),
    ...(leaveOutFailures && { failures: 'leftOut' }),
    ...(thisDataset && { about: 'thisDataset' }),
  };
}

/** @throws Failure BadInput where a flag of deciding has nothing to decide. */
export function untilDecidedOf(
  isAsked: boolean | undefined,
  flags: DecidingFlags,
): { untilDecided?: Partial<UntilDecided> } {
  const untilDecided = decidingOf(flags);
  if (isAsked) return { untilDecided };
  if (Object.keys(untilDecided).length === 0) return {};
  const named = '--delta, --alpha, --leave-out-failures, --this-dataset';
  throw new Failure('BadInput', `${named}: need --until-decided`);
}
