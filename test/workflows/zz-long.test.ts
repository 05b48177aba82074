import { Client } from '@temporalio/client';
import { expect, it } from 'vitest';
import { setUpBatch } from '../support/batch.js';
it('long', async () => {
  const { harness, client, batch, model, workflowId } = await setUpBatch(1500, async () => { await new Promise((d) => setTimeout(d, 50)); return 'Bell'; }, { concurrency: 40 });
  const t0 = Date.now();
  const handle = await client.startBatch(batch);
  const temporal = new Client({ connection: harness.connection });
  const runId = (await temporal.workflow.getHandle(workflowId).describe()).runId;
  const r = await handle.result();
  console.log('took', Date.now() - t0, r.done, r.outcomes, model.asked.length, model.flight.most);
  for (let id: string | null | undefined = runId; id; ) {
    const h: any = await temporal.workflow.getHandle(workflowId, id).fetchHistory();
    const counts: Record<string, number> = {};
    for (const e of h.events) counts[e.eventType] = (counts[e.eventType] ?? 0) + 1;
    const names: Record<string, number> = {};
    for (const e of h.events) { const n = e.activityTaskScheduledEventAttributes?.activityType?.name; if (n) names[n] = (names[n] ?? 0) + 1; }
    console.log(h.events.length, JSON.stringify(counts), JSON.stringify(names), JSON.stringify(h).length);
    id = h.events.at(-1).workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
  }
  expect(r.done).toBe(1500);
}, 500_000);
