/** The activities of a clustering job. */

import type { CallBounds } from '../../workflows/activities/calls.js';
import type {
  ClusterActivities,
  PaidClusterActivities,
} from '../../workflows/activities/clusters.js';
import type { Ports } from '../runtime/ports.js';
import { providerCall } from '../runtime/provider-call.js';
import { clusterPairs } from './cluster-pairs.js';
import { collectTrainQuestions } from './collect-train-questions.js';
import { draftDocumentActivity } from './draft-document.js';
import { embedPairsActivity } from './embed-pairs.js';
import { findDocumentActivity } from './find-document.js';
import { keepPairs } from './keep-pairs.js';

const BOUNDS: CallBounds = { timeoutSeconds: 6 * 3600, attempts: 6, refusals: 1 };

export function clusterActivities(ports: Ports): ClusterActivities {
  return {
    collectTrainQuestions: (input) =>
      providerCall(BOUNDS, (signal) => collectTrainQuestions(input, ports, signal)),
    findDocument: findDocumentActivity(ports),
    keepPairs: (input) => providerCall(BOUNDS, () => keepPairs(input, ports)),
    clusterPairs: (input) => providerCall(BOUNDS, (signal) => clusterPairs(input, ports, signal)),
  };
}

export function paidClusterActivities(ports: Ports): PaidClusterActivities {
  return { draftDocument: draftDocumentActivity(ports), embedPairs: embedPairsActivity(ports) };
}
