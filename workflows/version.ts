/** The workers' version that a workflow runs on, and how a long workflow moves to the next. */
import type { WorkflowDefinitionOptions } from '@temporalio/common';
import {
  type ContinueAsNewOptions,
  makeContinueAsNewFunc,
  type Workflow,
  workflowInfo,
} from '@temporalio/workflow';

/**
 * The version of the workers that the previous history of a workflow left, if any; carried from one
 * history to the next.
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
 * Returns whether another version has become current since this history began. False once a move has
 * led to the same version again, as when an operator pins the workflow there.
 */
export function isOutdated({ movedFrom }: VersionMove): boolean {
  if (!workflowInfo().targetWorkerDeploymentVersionChanged) return false;
  return movedFrom === undefined || movedFrom !== buildNow();
}

/** Returns the state to pass to the next history; empty if this one does not leave its version. */
export function movingFrom(before: VersionMove): VersionMove {
  const build = isOutdated(before) ? buildNow() : undefined;
  return build === undefined ? {} : { movedFrom: build };
}

/**
 * Returns the options of a workflow that outlives every version of the workers and must not hold
 * any of them back. The server refuses every task of an unversioned worker that names a behavior.
 */
export function followsVersions(): WorkflowDefinitionOptions {
  const isVersioned = Boolean(workflowInfo().currentDeploymentVersion?.deploymentName);
  return isVersioned ? { versioningBehavior: 'AUTO_UPGRADE' } : {};
}
