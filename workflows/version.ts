/** The workers' version that a workflow runs on, and how a long workflow moves to the next. */
import type { WorkflowDefinitionOptions } from '@temporalio/common';
import {
  type ContinueAsNewOptions,
  makeContinueAsNewFunc,
  type Workflow,
  workflowInfo,
} from '@temporalio/workflow';

/**
 * A workflow's last change to another version of the workers: the id of the build that it left;
 * absent if it has left none. Carried from one history to the next.
 */
export interface VersionMove {
  /** Id of the build that the previous history left; absent if it left none. */
  movedFrom?: string;
}

/**
 * Continues as new on the current version of the workers; never returns. Child workflows stay on
 * their version.
 */
export function continueOnCurrent<F extends Workflow>(...args: Parameters<F>): Promise<never> {
  return makeContinueAsNewFunc<F>({ initialVersioningBehavior: 'AUTO_UPGRADE', ...keptMemo() })(
    ...args,
  );
}

/**
 * Returns the option `memo` of continue-as-new with this workflow's current memo; an empty object if
 * it has none. Without it, a new history gets only the memo of the workflow's start.
 */
export function keptMemo(): Pick<ContinueAsNewOptions, 'memo'> {
  const { memo } = workflowInfo();
  return memo ? { memo } : {};
}

/** Returns the id of the build that runs this task; undefined if the workers name none. */
export function buildNow(): string | undefined {
  const { currentDeploymentVersion, currentBuildId } = workflowInfo();
  return currentDeploymentVersion?.buildId ?? currentBuildId;
}

/**
 * Returns whether another version of the workers has become current since this history began, so
 * that the workflow should move. False if a move led back to the build that it left, as when an
 * operator pins the workflow there.
 */
export function isOutdated({ movedFrom }: VersionMove): boolean {
  if (!workflowInfo().targetWorkerDeploymentVersionChanged) return false;
  return movedFrom === undefined || movedFrom !== buildNow();
}

/**
 * Returns the `VersionMove` to pass to the next history: the present build if this history is
 * outdated, otherwise an empty object.
 */
export function movingFrom(before: VersionMove): VersionMove {
  const build = isOutdated(before) ? buildNow() : undefined;
  return build === undefined ? {} : { movedFrom: build };
}

/**
 * Returns the definition options by which a workflow moves to each new version of the workers,
 * since it outlives them all and must not hold one back; an empty object on unversioned workers,
 * which may not name a versioning behavior.
 */
export function followsVersions(): WorkflowDefinitionOptions {
  const isVersioned = Boolean(workflowInfo().currentDeploymentVersion?.deploymentName);
  return isVersioned ? { versioningBehavior: 'AUTO_UPGRADE' } : {};
}
