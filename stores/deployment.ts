/**
 * Returns the namespace of a deployment's part of a store: `DEPLOYMENT--NAME`, or `NAME` for the
 * deployment without a name. A deployment's name never contains "--", so namespaces are unique.
 */
export function deploymentNamespace(name: string, deployment: string | undefined): string {
  return deployment === undefined ? name : `${deployment}--${name}`;
}
