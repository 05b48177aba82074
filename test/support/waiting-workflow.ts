/** A workflow of one activity that waits to be told, and is taken up anew when nobody beats for it. */
import type { Duration } from '@temporalio/common';
import { proxyActivities } from '@temporalio/workflow';

export async function waits(heartbeatTimeout: Duration): Promise<string> {
  const { wait } = proxyActivities<{ wait(): Promise<string> }>({
    startToCloseTimeout: '1h',
    heartbeatTimeout,
    // Time to meet it between two attempts.
    retry: { initialInterval: '5s' },
  });
  return wait();
}
