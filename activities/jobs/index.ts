/** The activities of a clustering job. */
import type { ClusterInput } from '../../methods/cluster-job.js';
import type { Ports } from '../runtime/ports.js';
import { type CallBounds, providerCall } from '../runtime/provider-call.js';
import { type ClusteredPairs, type ClusterPairsInput, clusterPairs } from './cluster-pairs.js';
import { type CollectedQuestions, collectTrainQuestions } from './collect-train-questions.js';
import { type DraftDocumentActivity, draftDocumentActivity } from './draft-document.js';
import { type EmbedPairsActivity, embedPairsActivity } from './embed-pairs.js';
import { type FindDocumentActivity, findDocumentActivity } from './find-document.js';
import { type KeepPairsInput, type KeptPairs, keepPairs } from './keep-pairs.js';

/** Those that cost nothing. */
export interface ClusterActivities {
  collectTrainQuestions(input: ClusterInput): Promise<CollectedQuestions>;
  findDocument: FindDocumentActivity;
  keepPairs(input: KeepPairsInput): Promise<KeptPairs>;
  clusterPairs(input: ClusterPairsInput): Promise<ClusteredPairs>;
}

/** Those that are paid for. */
export interface PaidClusterActivities {
  draftDocument: DraftDocumentActivity;
  embedPairs: EmbedPairsActivity;
}

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
