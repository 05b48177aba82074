/** How deployments that use one server are kept apart in it. Pure. */

/** What may name a deployment; it stands in names of indices, tables' rows and keys. */
export const DEPLOYMENT_NAME = /^(?=.{1,20}$)[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** The namespace of a deployment's part of a store; no deployment has "--" in its name. */
export function inDeployment(name: string, deployment: string | undefined): string {
  return deployment === undefined ? name : `${deployment}--${name}`;
}
