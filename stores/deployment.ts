/**
 * Returns the namespace of a deployment's part of a store; the name of a deployment never contains
 * "--".
 */
export function inDeployment(name: string, deployment: string | undefined): string {
  return deployment === undefined ? name : `${deployment}--${name}`;
}
