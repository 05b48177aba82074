/**
 * Returns the namespace of a deployment's part of a store: `deployment--name`, or `name` alone for
 * the deployment without a name. A deployment's name never contains "--", so no two are the same.
 */
export function deploymentNamespace(name: string, deployment: string | undefined): string {
  return deployment === undefined ? name : `${deployment}--${name}`;
}
