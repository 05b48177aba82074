/** Which version a worker is of, and what a person is told of it. */
import { expect, it } from 'vitest';
import { currentVersion, versionAdvice, versionOptions } from '../../workers/worker-version.js';

const bundled = { code: 'exports.sure = () => {}' };
const worker = { taskQueue: 'qa' };

it('is told by the content of the workflows', async () => {
  const { buildId } = await versionOptions(worker, bundled, 'qa');
  expect(buildId).toMatch(/^[0-9a-f]{12}$/);
  expect(await versionOptions(worker, { code: `${bundled.code};` }, 'qa')).not.toEqual({ buildId });
  expect(await versionOptions(worker, bundled, 'qa', true)).toEqual({
    workerDeploymentOptions: {
      version: { deploymentName: 'qa', buildId },
      useWorkerVersioning: true,
      defaultVersioningBehavior: 'PINNED',
    },
  });
});

it('is what the worker says of itself, where it does', async () => {
  const workerDeploymentOptions = {
    version: { deploymentName: 'mine', buildId: '7' },
    useWorkerVersioning: true,
    defaultVersioningBehavior: 'AUTO_UPGRADE',
  } as const;
  expect(await versionOptions({ ...worker, workerDeploymentOptions }, bundled, 'qa', true)).toEqual(
    {
      workerDeploymentOptions,
    },
  );
  expect(await versionOptions({ ...worker, buildId: 'b7' }, undefined, 'qa')).toEqual({
    buildId: 'b7',
  });
  await expect(versionOptions(worker, undefined, 'qa', true)).rejects.toThrow(
    'workerDeploymentOptions',
  );
});

it('names a deployment as the server takes it', async () => {
  const { workerDeploymentOptions } = await versionOptions(worker, bundled, 'eu.qa:2', true);
  expect(workerDeploymentOptions?.version.deploymentName).toBe('eu-qa-2');
});

const a = { deploymentName: 'qa', buildId: 'a' };
const b = { deploymentName: 'qa', buildId: 'b' };

it.each([
  { own: undefined, current: undefined, said: undefined },
  { own: a, current: a, said: undefined },
  { own: a, current: undefined, said: 'durable-rag deploy promote a' },
  { own: a, current: b, said: 'begin with version b until this one is promoted' },
  { own: undefined, current: b, said: 'durable-rag deploy promote --unversioned' },
])('says what to do where new questions begin elsewhere: %o', ({ own, current, said }) => {
  const advice = versionAdvice('qa', own, current);
  if (said === undefined) expect(advice).toBeUndefined();
  else expect(advice).toContain(said);
});

it.each([
  [null, undefined],
  [{ currentVersion: '__unversioned__' }, undefined],
  [{ currentDeploymentVersion: { buildId: '', deploymentName: '' } }, undefined],
  [{ currentDeploymentVersion: a }, a],
])('reads the current version from what the server says: %o', async (versioningInfo, version) => {
  const workflowService = { describeTaskQueue: async () => ({ versioningInfo }) };
  expect(await currentVersion({ workflowService, options: {} } as never, 'qa')).toEqual(version);
});
