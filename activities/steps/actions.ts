/** The activities of actions: steps of your own that ask no model. */
import { Context } from '@temporalio/activity';
import { Failure } from '../../core/failure.js';
import type { AnyAction } from '../../steps/actions.js';
import type { Timed } from '../../steps/call.js';
import type { CallBounds } from '../../workflows/activities/calls.js';
import type { Ports } from '../runtime/ports.js';
import { providerCall, timed } from '../runtime/provider-call.js';
import { withTexts } from '../runtime/text-refs.js';

type ActionActivity = (
  input: unknown,
  address: string,
  bounds: CallBounds,
) => Promise<Timed<unknown>>;

/** Returns an activity for each action, under the action's name. */
export function actionActivities(
  ports: Pick<Ports, 'actions' | 'responses'>,
): Record<string, ActionActivity> {
  return Object.fromEntries(
    Object.entries(ports.actions ?? {}).map(([name, action]) => [
      name,
      (input: unknown, address: string, bounds: CallBounds) =>
        timed(() =>
          providerCall(bounds, async (signal) => {
            const given = await withTexts(input, ports.responses);
            const { workflowExecution } = Context.current().info;
            const workflowId = workflowExecution?.workflowId ?? '';
            const output = await acting(action)(given, {
              idempotencyKey: address,
              workflowId,
              signal,
            });
            // JSON has no undefined.
            return output ?? null;
          }),
        ),
    ]),
  );
}

/** @throws Failure BadInput for an action that is only declared. */
function acting({ name, act }: AnyAction): NonNullable<AnyAction['act']> {
  if (act) return act;
  const message = `The action "${name}" has no "act": declare it under "steps" of the workers with one.`;
  throw new Failure('BadInput', message);
}
