/** Which version of the workers a workflow is on, and how a long one moves to the next. */
import type { WorkflowDefinitionOptions } from '@temporalio/common';
import {
  type ContinueAsNewOptions,
  makeContinueAsNewFunc,
  type Workflow,
  workflowInfo,
} from '@temporalio/workflow';

/** What a history tells the next one of a move to another version. */
export interface Moved {
  /** The build that a history has left for the version that was current then. */
  movedFrom?: string;
}

/** Goes on in a new history with the current version; questions under way stay with theirs. */
export function continueOnCurrent<F extends Workflow>(...args: Parameters<F>): Promise<never> {
  return makeContinueAsNewFunc<F>({ initialVersioningBehavior: 'AUTO_UPGRADE', ...keptMemo() })(
    ...args,
  );
}

/** For a new history: by itself it has of the memo what the workflow was started with alone. */
export function keptMemo(): Pick<ContinueAsNewOptions, 'memo'> {
  const { memo } = workflowInfo();
  return memo ? { memo } : {};
}

/** Returns the build that runs this task; undefined where workers name none. */
export function buildNow(): string | undefined {
  const { currentDeploymentVersion, currentBuildId } = workflowInfo();
  return currentDeploymentVersion?.buildId ?? currentBuildId;
}

/**
 * Tells whether another version has become the current one since this history began. False once a
 * move has led to the same version, as it does where somebody holds the workflow there.
 */
export function isOutdated({ movedFrom }: Moved): boolean {
  if (!workflowInfo().targetWorkerDeploymentVersionChanged) return false;
  return movedFrom === undefined || movedFrom !== buildNow();
}

/** Returns what the next history is told, where this one leaves its version. */
export function movingFrom(before: Moved): Moved {
  const build = isOutdated(before) ? buildNow() : undefined;
  return build === undefined ? {} : { movedFrom: build };
}

/**
 * For a workflow that outlives every version of the workers, and must hold none of them back. The
 * server refuses every task of a worker that is not versioned and names a behavior.
 */
export function followsVersions(): WorkflowDefinitionOptions {
  const isVersioned = Boolean(workflowInfo().currentDeploymentVersion?.deploymentName);
  return isVersioned ? { versioningBehavior: 'AUTO_UPGRADE' } : {};
}
