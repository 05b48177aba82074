/** Finds a stored demonstration set by its name, so that all of a question uses the same one. */
import type {
  DemonstrationSetInput,
  DemonstrationSetRef,
} from '../../steps/other/demonstration-set.js';
import type { Ports } from '../runtime/ports.js';
import { type CallBounds, providerCall } from '../runtime/provider-call.js';

export type FindSetActivity = (
  input: DemonstrationSetInput,
  bounds: CallBounds,
) => Promise<DemonstrationSetRef>;

/** Makes the activity; it fails with BadInput when no set has this name. */
export function findDemonstrationSetActivity({ demonstrationSets }: Ports): FindSetActivity {
  return ({ name }, bounds) => providerCall(bounds, () => demonstrationSets.find(name));
}
