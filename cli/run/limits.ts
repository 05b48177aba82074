/** `durable-rag limits`: what the model calls of the task queue are held to, and setting it. */
import { command } from '../../core/command.js';
import { checkSettings } from '../../core/run/settings.js';
import type { Rates } from '../../workflows/queue/limits.js';
import { closing } from '../closing.js';
import type { CliContext } from '../context.js';
import { EXIT } from '../exit-codes.js';
import { namingFlags, type Typed } from '../flags.js';
import { sayNext, show } from '../output.js';
import { serverSession, workerSession } from '../session.js';
import { renderLimits } from './shared.js';

export async function queueLimits(typed: Typed, context: CliContext): Promise<number> {
  const rates: Partial<Rates> = namingFlags(typed, () => checkSettings(typed.fields));
  const isSet = Object.keys(rates).length > 0;
  return closing((isSet ? workerSession : serverSession)(context), async ({ client }) => {
    const limits = isSet ? await client.setLimits(rates) : await client.limits();
    const [text = 'The model calls of the queue have no limit that was set live.'] =
      renderLimits(limits);
    show(context, limits, text);
    if (limits.some(({ run }) => run !== null)) {
      sayNext(
        context,
        `a limit that a run asked for ends with it; "${command('set', 'RUN')}" changes it`,
      );
    }
    return EXIT.ok;
  });
}
