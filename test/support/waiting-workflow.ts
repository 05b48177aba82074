/** A workflow of one activity that waits to be told, and is taken up anew when nobody beats for it. */
import { proxyActivities } from '@temporalio/workflow';

const { wait } = proxyActivities<{ wait(): Promise<string> }>({
  startToCloseTimeout: '1h',
  heartbeatTimeout: '2s',
  // Time to meet it between two attempts.
  retry: { initialInterval: '5s' },
});

export async function waits(): Promise<string> {
  return wait();
}
