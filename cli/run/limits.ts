/** `durable-rag limits`: shows and sets the limits of the task queue's model calls. */
import { command } from '../../core/command.js';
import { checkSettings } from '../../core/run/run-settings.js';
import type { Rates } from '../../workflows/queue/limits.js';
import { closing } from '../closing.js';
import type { CliContext } from '../context.js';
import { namingFlags, type TypedInput } from '../flags.js';
import type { CommandOutput } from '../print-output.js';
import { serverSession, workerSession } from '../session.js';
import { renderLimits } from './shared.js';

/**
 * Sets the rate limits per minute that the user gave for the task queue's model calls, or only
 * reads them if none was given. Returns the output of the command: the limits in force, as JSON an
 * array of objects with `rate`, `perMinute`, `run` (null if set for the queue) and `since`.
 */
export async function setOrShowLimits(
  typed: TypedInput,
  context: CliContext,
): Promise<CommandOutput> {
  const rates: Partial<Rates> = namingFlags(typed, () => checkSettings(typed.fields));
  const isSet = Object.keys(rates).length > 0;
  return closing((isSet ? workerSession : serverSession)(context), async ({ client }) => {
    const limits = isSet ? await client.setLimits(rates) : await client.limits();
    const [text = 'The model calls of the queue have no limit that was set live.'] =
      renderLimits(limits);
    const isOfRun = limits.some(({ run }) => run !== null);
    const change = `a limit that a run asked for ends with it; "${command('set', 'RUN')}" changes it`;
    return { value: limits, text, next: isOfRun ? change : undefined };
  });
}
