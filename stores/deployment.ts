/**
 * Returns the namespace that separates the data of one deployment in a shared store:
 * `DEPLOYMENT--NAME`, or `NAME` if the deployment has no name (undefined). A deployment's name
 * never contains "--", so namespaces are unique.
 */
export function deploymentNamespace(name: string, deployment: string | undefined): string {
  return deployment === undefined ? name : `${deployment}--${name}`;
}
