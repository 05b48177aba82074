import type { FindSetActivity } from '../../workflows/activities/question.js';
import type { Ports } from '../runtime/ports.js';
import { providerCall } from '../runtime/provider-call.js';

/** Makes the activity; it fails with BadInput when no set has this name. */
export function findDemonstrationSetActivity({ demonstrationSets }: Ports): FindSetActivity {
  return ({ name }, bounds) => providerCall(bounds, () => demonstrationSets.find(name));
}
